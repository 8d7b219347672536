import { isAbsolute, join, posix, relative } from 'node:path';
import { ConflictError, ParameterError, ResourceError, type Touch } from '@bae/core';
import {
  findProgram,
  findShell,
  type FoundProgram,
  getPlatform,
  type Launch,
  type Platform,
  type Shell,
} from '@bae/project';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import { makeCommandTarget, quoteCommand, splitCommand, WITH_NETWORK } from '../command-words.ts';
import { isReadCommand, isReadScript } from './read-commands.ts';

export interface CommandRequest {
  /** Command, or text for a shell, trimmed. */
  readonly text: string;
  readonly isScript: boolean;
  /** Folder in the workspace in which it runs. */
  readonly folder: string;
  /** True if it may use the network in spite of limits. Default: false. */
  readonly network?: boolean;
}

/** A command that is ready to run, and its description. */
export interface PlannedCommand {
  readonly words: readonly [string, ...string[]];
  /** Shell that runs it; undefined if it is not a text for one. */
  readonly shell: Shell['name'] | undefined;
  readonly program: FoundProgram;
  /** How the program is started. */
  readonly launch: Launch;
  /** Absolute. */
  readonly folder: string;
  /** Target for rules; with a digest if the program is a file in the workspace, which can change. */
  readonly target: string;
  readonly touches: readonly Touch[];
  /** True if it is known to change no files. */
  readonly reads: boolean;
  /** The whole command as it is shown to a person. */
  readonly shown: string;
}

/**
 * Finds the program of a command without running anything.
 *
 * @param platform rules of the system; default: those of this one
 * @throws ParameterError for shell syntax, or what the program cannot be given; ResourceError if the program or folder
 *   does not exist
 */
export async function planCommand(
  root: WorkspaceRoot,
  request: CommandRequest,
  platform: Platform = getPlatform(),
): Promise<PlannedCommand> {
  const below = await findWorkingFolder(root, request.folder);
  const folder = join(root.folder, below);
  const place = { folder, project: root.folder, platform };
  const { words, shell, program, launch } = await (request.isScript ? findScriptShell : findExecutable)(
    request.text,
    place,
  );
  const digest = await readDigest(root, program);
  const target = `${makeCommandTarget(words, request.network)}${digest === '' ? '' : ` #${digest}`}`;
  const isCmd = shell === 'cmd';
  const alike = [
    makeCommandTarget(words),
    ...listAliases(words, program, platform),
    ...(request.isScript ? listParts(request.text, isCmd) : []),
  ];
  const where = below === '' ? [] : [`in ${formatPath(below)}`];
  const real = program.instead?.script ?? program.realPath;
  const file = digest === '' ? real : `${real} (${digest})`;
  const leadsTo = real === program.path && !platform.isPath(words[0]) ? [] : [`runs ${file}`];
  const { isWindows } = platform;
  const reads =
    digest === '' &&
    !isCmd &&
    (request.isScript ? isReadScript(request.text, isWindows) : isReadCommand(words, isWindows));
  const command = request.isScript ? `${isCmd ? 'cmd.exe' : 'sh'}:\n${request.text}` : quoteCommand(words);
  return {
    words,
    shell,
    program,
    launch,
    folder,
    target,
    touches: [...new Set(alike)].map((outside) => ({ outside })),
    reads,
    shown: [
      command,
      ...where,
      ...leadsTo,
      ...(request.network === true ? [WITH_NETWORK] : []),
      ...(reads ? ['only reads'] : []),
    ].join('\n'),
  };
}

/** Lists the words of a command; for a text for a shell, approximately. */
export function listCommandWords(
  { text, isScript }: Pick<CommandRequest, 'text' | 'isScript'>,
  { words }: Pick<PlannedCommand, 'words'>,
): readonly string[] {
  return isScript ? text.split(/[\s"'`;&|<>()]+/).filter((word) => word !== '') : words;
}

/** Lists the folder of a command, and its words as paths in that folder: some of them may be files. */
export function listNamedPaths(
  { text, isScript, folder }: CommandRequest,
  { words }: Pick<PlannedCommand, 'words'>,
): readonly string[] {
  const named = isScript
    ? text.split(/[\s"'`;&|<>()=]+/)
    : words.flatMap((word) => [word, word.replace(/^[^=]*=/, '')]);
  const paths = named.filter((word) => word !== '').map((word) => (isAbsolute(word) ? word : posix.join(folder, word)));
  return [folder, ...new Set(paths)];
}

/**
 * @param plan plans the same command again
 * @throws ConflictError if it would now run something else
 */
export async function refuseChanged(shown: PlannedCommand, plan: () => Promise<PlannedCommand>): Promise<void> {
  const now = await plan();
  if (now.target === shown.target && now.program.realPath === shown.program.realPath) return;
  throw new ConflictError(`${shown.words[0]} has changed in the meantime.`);
}

type FoundCommand = Pick<PlannedCommand, 'words' | 'shell' | 'program' | 'launch'>;

interface CommandPlace {
  readonly folder: string;
  readonly project: string;
  readonly platform: Platform;
}

async function findExecutable(text: string, place: CommandPlace): Promise<FoundCommand> {
  const { platform } = place;
  const words = readWords(text, platform);
  if (/^\w+=/.test(words[0])) throw await createVariableError(text, words, place);
  const program = await findProgram(words[0], place);
  if (program === undefined) throw createNoProgramError(words[0], platform);
  const args = words.slice(1);
  const problem = platform.explainUnsafe(program, args);
  if (problem !== undefined) {
    throw new ParameterError(`${problem} Say it in another way, or run the line as a text for a shell.`, [
      `<sh:>\n${text}\n</sh>`,
    ]);
  }
  return { words, shell: undefined, program, launch: platform.prepare(program, args) };
}

async function findScriptShell(text: string, place: CommandPlace): Promise<FoundCommand> {
  if (text === '') throw createEmptyError();
  const shell = await findShell(place);
  if (shell === undefined) throw createNoProgramError('sh', place.platform);
  if (shell.name === 'cmd' && /[\r\n]/.test(text)) {
    const fact = 'the shell of this machine is cmd.exe, which runs one line.';
    throw new ParameterError(fact, [`<sh:${text.split(/\s*[\r\n]+\s*/).join(' && ')}>`]);
  }
  const { name, options, program } = shell;
  const launch = place.platform.prepareShell(shell, text);
  return { words: [name, ...options, text], shell: name, program, launch };
}

function createEmptyError(): ParameterError {
  return new ParameterError('there is no command to run.', ['<exec:git log --oneline -5>']);
}

function readWords(text: string, { isWindows }: Platform): readonly [string, ...string[]] {
  if (text === '') throw createEmptyError();
  const remedy = /[<>\n]/.test(text) ? `<sh:>\n${text}\n</sh>` : `<sh:${text}>`;
  const [name = '', ...args] = splitCommand(text, remedy, isWindows);
  return [name, ...args];
}

/** Says how a variable is set for one command: no program does it on Windows. */
async function createVariableError(
  text: string,
  [name, ...rest]: PlannedCommand['words'],
  place: CommandPlace,
): Promise<ParameterError> {
  const shell = place.platform.isWindows ? (await findShell(place))?.name : undefined;
  const remedies = { sh: `<sh:${text}>`, cmd: `<sh:set "${name}" && ${rest.join(' ')}>` };
  const fact = `${quoteCommand([name])} is not a program: only a shell sets variables like that.`;
  return new ParameterError(fact, [shell === undefined ? `<exec:env ${text}>` : remedies[shell]]);
}

async function findWorkingFolder(root: WorkspaceRoot, folder: string): Promise<string> {
  if (folder === '') return '';
  const { path, kind } = await root.info(folder);
  if (kind === 'folder') return path;
  const fact = kind === 'missing' ? 'there is no folder' : 'this is not a folder:';
  throw new ResourceError(`${fact} ${formatPath(folder)}.`, ['<exec:ls>']);
}

function createNoProgramError(name: string, platform: Platform): ResourceError {
  const where = platform.isPath(name) ? 'There is no such file that can be run.' : 'It is not on the PATH.';
  const fact = `no program ${quoteCommand([name])}. ${where}`;
  return new ResourceError(`${fact} A program of the project is run by its path, or by a script.`, ['@scripts()']);
}

/** Computes the digest of the files in the workspace that a program consists of: itself, and what a shim starts. */
async function readDigest(root: WorkspaceRoot, { realPath, instead }: FoundProgram): Promise<string> {
  const files = [realPath, ...(instead === undefined ? [] : [instead.program, instead.script])];
  const paths = files.map((file) => relative(root.folder, file)).filter((path) => isInWorkspace(path));
  const hashes = await Promise.all(paths.map(async (path) => (await root.digest(path)).hash.slice(0, 16)));
  return hashes.join('-');
}

function isInWorkspace(path: string): boolean {
  return path !== '' && !path.startsWith('..') && !isAbsolute(path);
}

/** Lists the command under other names of its program, so that a rule that denies `rm` also denies `/bin/rm`. */
function listAliases(
  [name, ...args]: PlannedCommand['words'],
  { path, realPath }: FoundProgram,
  platform: Platform,
): readonly string[] {
  const names = [name, path, realPath].flatMap((one) => platform.listNames(one));
  return [...names, realPath].map((one) => makeCommandTarget([one, ...args]));
}

/** Lists the approximate commands in a text for a shell, which are also compared with rules that deny. */
function listParts(text: string, isCmd: boolean): readonly string[] {
  // There `d^el` and `DEL` are `del`.
  const plain = isCmd ? `${text}\n${text.replaceAll(/[\^"]/g, '').toLowerCase()}` : text;
  const parts = plain.split(/[\n;&|(){}`]+/).map((part) => part.trim().replaceAll(/\s+/g, ' '));
  return parts.filter((part) => part !== '').map((part) => `command:${part}`);
}
