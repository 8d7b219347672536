import { BaeError } from '@bae/core';
import { splitCommand } from '../command-words.ts';

/** Decides about the arguments of a program. */
type ArgumentTest = (args: readonly string[]) => boolean;

const any: ArgumentTest = () => true;

/** Programs of which no option writes a file or runs a program. */
const HARMLESS =
  'basename cat cd cksum cmp column comm cut df diff dirname du echo egrep expr false fgrep fold free grep head id jq ls md5sum nl nproc od paste printenv ps pwd readlink realpath rev seq sha1sum sha256sum sleep stat strings tac tail test tr true uname uptime wc which whoami';

/** Programs that only print their version with this one argument; others than npm may write to package.json. */
const VERSIONS = 'cargo clang gcc git go java make node npm python python3 rg ruby rustc';

/** Commands of git that read, without the options below. */
const GIT_VERBS = /^(?:status|log|diff|show|blame|shortlog|describe|ls-files|rev-parse)$/;
const GIT_LISTS: Readonly<Record<string, RegExp>> = {
  branch: /^(?:-a|-r|-v|-vv|--all|--remotes|--list|--show-current)$/,
  remote: /^(?:-v|--verbose)$/,
};

/** Actions of `find` that change files or run programs. */
const FIND_ACTIONS = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/;

const without =
  (...options: readonly string[]): ArgumentTest =>
  (args) =>
    args.every((arg) => options.every((option) => !isOption(arg, option)));

/** Programs, and which of their arguments leave files alone. */
const PROGRAMS: ReadonlyMap<string, ArgumentTest> = new Map<string, ArgumentTest>([
  ...HARMLESS.split(' ').map((name) => [name, any] as const),
  ...VERSIONS.split(' ').map((name) => [name, asksVersion] as const),
  ['date', (args) => args.every((arg) => arg.startsWith('+') || /^(?:-u|-R|-I\w*)$/.test(arg))],
  ['file', without('-C', '--compile')],
  ['find', (args) => !args.some((arg) => FIND_ACTIONS.test(arg))],
  ['git', (args) => asksVersion(args) || isReadGit(args.filter((arg) => arg !== '--no-pager' && arg !== '-P'))],
  // In some shells, `-v` sets a variable, such as the PATH.
  ['printf', without('-v')],
  ['rg', without('--pre', '--hostname-bin')],
  ['sed', isPrintOnly],
  ['sort', without('-o', '--output', '--compress-program')],
  // With `-R` it writes a page into each folder.
  ['tree', without('-o', '-R', '--output')],
  // Its second file is written; a shell can make several of a pattern.
  [
    'uniq',
    (args) => args.filter((arg) => arg === '-' || !arg.startsWith('-')).length <= 1 && !/[*?]/.test(args.join()),
  ],
]);

/**
 * Programs that are the same on Windows. Others of these names are its own there, such as a `sort` that writes with `/O`,
 * or depend on what else is installed.
 */
const ALSO_ON_WINDOWS: ReadonlySet<string> = new Set(['git', 'jq', 'rg', ...VERSIONS.split(' ')]);

/** Tests for an option, also in a group such as `-uo`, and abbreviated as in `--out=x`. */
function isOption(arg: string, option: string): boolean {
  if (arg === '--' || !arg.startsWith('-')) return false;
  if (!option.startsWith('--')) return !arg.startsWith('--') && arg.includes(option.slice(1));
  return arg.startsWith('--') && option.startsWith(arg.split('=')[0]!);
}

function asksVersion(args: readonly string[]): boolean {
  return args.length === 1 && args[0] === '--version';
}

function isReadGit([verb = '', ...args]: readonly string[]): boolean {
  const list = Object.hasOwn(GIT_LISTS, verb) ? GIT_LISTS[verb] : undefined;
  if (list !== undefined) return args.every((arg) => list.test(arg));
  return GIT_VERBS.test(verb) && without('--output', '--ext-diff', '--textconv')(args);
}

/** Tests for a call of `sed` that only prints lines by their numbers. */
function isPrintOnly([flag, script = '', ...files]: readonly string[]): boolean {
  return flag === '-n' && /^(?:\d+(?:,(?:\d+|\$))?p;?)+$/.test(script) && !files.some((file) => file.startsWith('-'));
}

/**
 * Tests whether a command is known to change no files. The list is short: a command that is not in it may still only
 * read. Programs that are named by a path are not in it, nor what the settings of git or a shell make of them.
 */
export function isReadCommand([name = '', ...args]: readonly string[], isWindows = false): boolean {
  return PROGRAMS.get(name)?.(args) === true && (!isWindows || ALSO_ON_WINDOWS.has(name));
}

/**
 * Matches what follows in a simple shell text: quoted text, operators between commands, and plain characters. Only at
 * the start of a word can they be a pattern, so that none becomes an option.
 */
const PIECE = /'[^']*'|"[^"$`\\]*"|&&|\|\||[|;\n]|[ \t]+|(?<=^|[\s|;&])[\w./][\w./,:=@%+*?-]*|[\w./,:=@%+-]+/y;
/** Matches redirections to nowhere, between blanks. */
const NOWHERE = /(?<=\s)(?:2>&1|[12&]?> ?\/dev\/null)(?=[\s|;]|$)/g;

/** Tests whether a text for `sh` consists of such commands alone, joined by pipes, `&&`, `||` and `;`. */
export function isReadScript(text: string, isWindows = false): boolean {
  const commands = splitScript(text.replaceAll(NOWHERE, ''));
  return commands !== undefined && commands.length > 0 && commands.every((command) => isReadText(command, isWindows));
}

function isReadText(command: string, isWindows: boolean): boolean {
  try {
    return isReadCommand(splitCommand(command, ''), isWindows);
  } catch (error) {
    if (BaeError.is(error)) return false;
    throw error;
  }
}

/** Splits a text into its commands; undefined if it has anything else that a shell would interpret. */
function splitScript(text: string): readonly string[] | undefined {
  const commands: string[] = [''];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < text.length) {
    const piece = PIECE.exec(text)?.[0];
    if (piece === undefined) return undefined;
    if (/^(?:&&|\|\||[|;\n])$/.test(piece)) commands.push('');
    else commands[commands.length - 1] += piece;
  }
  return commands.filter((command) => command.trim() !== '');
}
