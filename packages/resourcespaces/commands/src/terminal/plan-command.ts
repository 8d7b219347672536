import { basename, join, relative } from 'node:path';
import { ConflictError, ParameterError, ResourceError, type Touch } from '@bae/core';
import { findProgram, type FoundProgram } from '@bae/project';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import { makeCommandTarget, quoteCommand, splitCommand } from '../command-words.ts';
import { isReadCommand, isReadScript } from './read-commands.ts';

export interface CommandRequest {
  /** Command, or text for a shell, trimmed. */
  readonly text: string;
  readonly isScript: boolean;
  /** Folder in the workspace in which it runs. */
  readonly folder: string;
}

/** A command that is ready to run, and its description. */
export interface PlannedCommand {
  readonly words: readonly [string, ...string[]];
  readonly program: FoundProgram;
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
 * @throws ParameterError for shell syntax; ResourceError if the program or folder does not exist
 */
export async function planCommand(root: WorkspaceRoot, request: CommandRequest): Promise<PlannedCommand> {
  const words = readWords(request);
  const below = await findWorkingFolder(root, request.folder);
  const folder = join(root.folder, below);
  const program = await findProgram(words[0], { folder, project: root.folder });
  if (program === undefined) throw createNoProgramError(words[0]);
  const digest = await readDigest(root, program);
  const target = `${makeCommandTarget(words)}${digest === '' ? '' : ` #${digest}`}`;
  const alike = [makeCommandTarget(words), ...listAliases(words, program), ...listParts(request)];
  const place = below === '' ? [] : [`in ${formatPath(below)}`];
  const file = digest === '' ? program.realPath : `${program.realPath} (${digest})`;
  const leadsTo = program.realPath === program.path && !words[0].includes('/') ? [] : [`runs ${file}`];
  const reads = digest === '' && (request.isScript ? isReadScript(request.text) : isReadCommand(words));
  const command = request.isScript ? `sh:\n${request.text}` : quoteCommand(words);
  return {
    words,
    program,
    folder,
    target,
    touches: [...new Set(alike)].map((outside) => ({ outside })),
    reads,
    shown: [command, ...place, ...leadsTo, ...(reads ? ['only reads'] : [])].join('\n'),
  };
}

/**
 * @throws ConflictError if the same command would now run something else
 */
export async function refuseChanged(
  root: WorkspaceRoot,
  request: CommandRequest,
  shown: PlannedCommand,
): Promise<void> {
  const now = await planCommand(root, request);
  if (now.target === shown.target && now.program.realPath === shown.program.realPath) return;
  throw new ConflictError(`${shown.words[0]} has changed in the meantime.`);
}

function readWords({ text, isScript }: CommandRequest): readonly [string, ...string[]] {
  if (text === '') throw new ParameterError('there is no command to run.', ['<exec:git log --oneline -5>']);
  if (isScript) return ['sh', '-c', text];
  const remedy = /[<>\n]/.test(text) ? `<sh:>\n${text}\n</sh>` : `<sh:${text}>`;
  const [name = '', ...args] = splitCommand(text, remedy);
  if (/^\w+=/.test(name)) {
    const fact = `${quoteCommand([name])} is not a program: only a shell sets variables like that.`;
    throw new ParameterError(fact, [`<exec:env ${text}>`]);
  }
  return [name, ...args];
}

async function findWorkingFolder(root: WorkspaceRoot, folder: string): Promise<string> {
  if (folder === '') return '';
  const { path, kind } = await root.info(folder);
  if (kind === 'folder') return path;
  const fact = kind === 'missing' ? 'there is no folder' : 'this is not a folder:';
  throw new ResourceError(`${fact} ${formatPath(folder)}.`, ['<exec:ls>']);
}

function createNoProgramError(name: string): ResourceError {
  const where = name.includes('/') ? 'There is no such file that can be run.' : 'It is not on the PATH.';
  const fact = `no program ${quoteCommand([name])}. ${where}`;
  return new ResourceError(`${fact} A program of the project is run by its path, or by a script.`, ['@scripts()']);
}

/** Computes the digest of a program that is a file in the workspace. */
async function readDigest(root: WorkspaceRoot, { realPath }: FoundProgram): Promise<string> {
  const path = relative(root.folder, realPath);
  if (path.startsWith('..')) return '';
  return (await root.digest(path)).hash.slice(0, 16);
}

/** Lists the command under other names of its program, so that a rule that denies `rm` also denies `/bin/rm`. */
function listAliases([name, ...args]: PlannedCommand['words'], { path, realPath }: FoundProgram): readonly string[] {
  return [basename(name), basename(path), basename(realPath), realPath].map((one) => makeCommandTarget([one, ...args]));
}

/** Lists the approximate commands in a text for a shell, which are also compared with rules that deny. */
function listParts({ text, isScript }: CommandRequest): readonly string[] {
  if (!isScript) return [];
  const parts = text.split(/[\n;&|(){}`]+/).map((part) => part.trim().replaceAll(/\s+/g, ' '));
  return parts.filter((part) => part !== '').map((part) => `command:${part}`);
}
