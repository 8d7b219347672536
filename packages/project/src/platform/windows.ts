import { win32 } from 'node:path';
import { access, readFile } from 'node:fs/promises';
import { getSystemVariable, type Platform, type Variables, type Find, type ShimTarget } from './platform.ts';

/** What Windows starts without asking which program opens it; files of the last two are run by `cmd.exe`. */
const STARTABLE = ['.exe', '.com', '.cmd', '.bat'];
const BATCH = /\.(?:cmd|bat)$/i;

const BASICS =
  /^(?:PATH|PATHEXT|COMSPEC|SYSTEMROOT|SYSTEMDRIVE|WINDIR|OS|TEMP|TMP|HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|USERNAME|USERDOMAIN|COMPUTERNAME|PUBLIC|APPDATA|LOCALAPPDATA|PROGRAMDATA|ALLUSERSPROFILE|(?:COMMON)?PROGRAM(?:FILES|W6432)(?:\(X86\))?|NUMBER_OF_PROCESSORS|PROCESSOR_\w+|LANG|LANGUAGE|LC_\w+|TERM|TZ)$/i;

/** Creates the rules of Windows. Tests hand in the variables, and the paths of the disk they run on. */
export function createWindows(variables: Variables = process.env, path = win32): Platform {
  const platform: Platform = {
    path,
    variables,
    isWindows: true,
    basics: BASICS,
    // Keeps cmd.exe, and what it starts, from looking for programs in its working folder first.
    protection: { NoDefaultCurrentDirectoryInExePath: '1' },
    get defaultPath() {
      return [locate('System32'), locate()].join(path.delimiter);
    },
    isPath: (name) => /[\\/:]/.test(name),
    listFiles,
    listNames(file) {
      const name = file.slice(file.search(/[^\\/:]*$/));
      const plain = STARTABLE.some((one) => name.toLowerCase().endsWith(one)) ? name.slice(0, -4) : name;
      return [name, plain, plain.toLowerCase()];
    },
    readShim: (file, find) => (BATCH.test(file) ? readShim(file, { platform, find }) : Promise.resolve(undefined)),
    explainUnsafe: ({ path: file, instead }, args) =>
      instead === undefined && BATCH.test(file) ? explainUnsafe(file, args) : undefined,
    prepare({ path: file, instead }, args) {
      if (instead !== undefined) {
        return {
          file: instead.program,
          args: [...instead.args, ...args],
          variables: instead.variables,
          isQuoted: false,
        };
      }
      if (!BATCH.test(file)) return { file, args, variables: {}, isQuoted: false };
      const problem = explainUnsafe(file, args);
      if (problem !== undefined) throw new Error(problem);
      const line = makeBatchLine(file, args);
      return { file: locate('System32', 'cmd.exe'), args: [...SHELL_OPTIONS, line], variables: {}, isQuoted: true };
    },
    async findShell(find) {
      // Git for Windows brings a shell, but puts only git itself on the PATH.
      const git = await find('git');
      const beside = git === undefined ? undefined : path.join(path.dirname(git.path), '..', 'bin', 'sh.exe');
      // A batch file of that name could not be given a text.
      const sh = (await find('sh.exe')) ?? (beside === undefined ? undefined : await find(beside));
      if (sh !== undefined) return { name: 'sh', program: sh, options: ['-c'] };
      const cmd = await find(locate('System32', 'cmd.exe'));
      return cmd && { name: 'cmd', program: cmd, options: SHELL_OPTIONS };
    },
    prepareShell({ name, program, options }, text) {
      if (name === 'sh') return platform.prepare(program, [...options, text]);
      // The first and the last quote are removed, and the rest is the text as it is.
      return { file: program.path, args: [...options, `"${text}"`], variables: {}, isQuoted: true };
    },
    findIsolation: () =>
      Promise.resolve({ type: 'tree', command: [locate('System32', 'taskkill.exe'), '/T', '/F', '/PID'] }),
  };

  function locate(...names: readonly string[]): string {
    return path.join(getSystemVariable(platform, 'SystemRoot') ?? 'C:\\Windows', ...names);
  }

  function listFiles(file: string): readonly string[] {
    // A colon after the drive names a stream within a file, and Windows drops dots and blanks at the end of a name.
    if (/[<>"|?*\0]|^.{2,}:|[. ]$/.test(file)) return [];
    const known = (getSystemVariable(platform, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';');
    const added = known
      .filter((one) => STARTABLE.includes(one))
      .toSorted((a, b) => rankExtension(a) - rankExtension(b));
    const isWhole = STARTABLE.includes(path.extname(file).toLowerCase());
    return [...(isWhole ? [file] : []), ...added.map((one) => `${file}${one}`)];
  }

  return platform;
}

/** Programs come before files for `cmd.exe`; within these, the order of PATHEXT stays. */
function rankExtension(extension: string): number {
  return BATCH.test(extension) ? 1 : 0;
}

/** Options of `cmd.exe`: no start-up commands, `!` means nothing, and what follows is one quoted line. */
const SHELL_OPTIONS: readonly string[] = ['/d', '/e:on', '/v:off', '/s', '/c'];

/** Words that mean the same with and without quotes. */
const PLAIN = /^[\w\\/.:@+-]+$/;

/**
 * Matches what a batch file cannot be given. A batch file puts its arguments into lines that `cmd.exe` reads once more,
 * with or without their quotes, so nothing protects these characters: neither `^` nor quotes nor doubling.
 */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /["%!&|<>^\u0000-\u0008\u000A-\u001F]/;

/** Explains why an argument cannot be handed to a batch file; undefined if all can. */
function explainUnsafe(file: string, args: readonly string[]): string | undefined {
  const name = file.slice(file.search(/[^\\/]*$/));
  // Quotes protect all but these.
  if (/["%\r\n]/.test(file)) return `${name} cannot be started: cmd.exe reads the path ${file} as syntax.`;
  const unsafe = args.find((arg) => UNSAFE.test(arg));
  if (unsafe === undefined) return undefined;
  const [found = ''] = UNSAFE.exec(unsafe) ?? [];
  const what = found < ' ' ? 'a new line or control character' : found;
  return `the argument ${JSON.stringify(unsafe)} cannot be handed to ${name}: cmd.exe runs batch files, and could run ${what} in it as a command.`;
}

/** Makes the line with which `cmd.exe` starts a batch file; its arguments are safe. */
function makeBatchLine(file: string, args: readonly string[]): string {
  return `"${[`"${file}"`, ...args.map(quoteForBatch)].join(' ')}"`;
}

function quoteForBatch(arg: string): string {
  // A program that gets the argument reads a backslash before a quote as its escape.
  return PLAIN.test(arg) && !arg.endsWith('\\') ? arg : `"${arg}${/\\*$/.exec(arg)![0]}"`;
}

/**
 * Matches the lines of shims that choose Node and find their own folder. Shims are written by npm and corepack
 * (`cmd-shim`), and by pnpm and Yarn (`@zkochan/cmd-shim`).
 */
const FRAME =
  /^(?:|@?echo off|goto start|:start|:find_dp0|call :find_dp0|set dp0=%~dp0|exit \/b(?: %errorlevel%)?|@?setlocal|@?endlocal|@?if exist "(?:%~dp0|%dp0%)\\node\.exe" \(|\) else \(|\)|set "_prog=(?:%dp0%\\node\.exe|node)"|@?set pathext=%pathext:;\.js;=;%|@if not defined node_path \()$/i;

/** Matches a line that sets where Node looks for packages. */
const NODE_PATH = /^@set "node_path=([^"%]*?)(?:;%node_path%)?"$/i;

/** Matches the line that starts Node with options and a script, or another program. */
const CALL =
  /^(?:endlocal & goto #_undefined_# 2>nul \|\| title %comspec% & |@)?(?:(?<node>"%_prog%"|"%~dp0\\node\.exe"|node|"(?<own>[^"%]*[\\/]node(?:\.exe)?)")\s+)?(?<options>(?:--[\w=./-]+\s+)*)"(?<here>%~dp0\\|%dp0%\\)?(?<target>[^"%]+)"\s+%\*$/i;

/** Matches the script of npm and npx that the installer of Node writes. */
const NPM =
  /^:: Created by npm[^]*\nset "np[mx]_cli_js=%~dp0\\(?<script>[^"%]+)"[^]*\n"%node_exe%" "%np[mx]_cli_js%" %\*\s*$/i;

/** A shim is a few hundred characters. */
const LONGEST = 8192;

interface Surroundings {
  readonly platform: Platform;
  readonly find: Find;
}

/**
 * Reads what a shim of a package manager starts, so that no `cmd.exe` is needed. Returns undefined for anything that has
 * one line more than a shim has.
 */
async function readShim(file: string, { platform, find }: Surroundings): Promise<ShimTarget | undefined> {
  const { path } = platform;
  const text = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n');
  if (text.length > LONGEST) return undefined;
  const locate = (target: string): string => path.resolve(path.dirname(file), target.replaceAll('\\', path.sep));
  const startNode = async (script: string, more: Partial<ShimTarget> & { readonly own?: string | undefined } = {}) => {
    const own = more.own === undefined ? undefined : await find(more.own);
    const node = own ?? (await find(locate('node.exe'))) ?? (await find('node'));
    const program = node?.path ?? process.execPath;
    return { program, args: [...(more.args ?? []), script], script, variables: more.variables ?? {} };
  };
  const { script } = NPM.exec(text)?.groups ?? {};
  if (script !== undefined) return startNode(await chooseNpm(locate(script), platform));
  const shim = parseShim(text);
  if (shim === undefined) return undefined;
  const target = shim.isHere ? locate(shim.target) : shim.target;
  if (!shim.isNode) {
    const program = await find(target);
    return program === undefined || /\.(?:cmd|bat)$/i.test(program.path)
      ? undefined
      : { program: program.path, args: [], script: program.realPath, variables: {} };
  }
  const before = getSystemVariable(platform, 'NODE_PATH');
  const nodePath = [shim.nodePath, before].filter((part) => part !== undefined && part !== '').join(path.delimiter);
  const variables = shim.nodePath === undefined ? {} : { NODE_PATH: nodePath };
  return startNode(target, { args: shim.options, variables, own: shim.own });
}

interface Shim {
  readonly isNode: boolean;
  /** Path of Node if it is written in the shim. */
  readonly own: string | undefined;
  readonly options: readonly string[];
  /** Path of what is started, and whether it starts at the folder of the shim. */
  readonly target: string;
  readonly isHere: boolean;
  readonly nodePath: string | undefined;
}

function parseShim(text: string): Shim | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const rest = lines.filter((line) => !FRAME.test(line));
  const nodePaths = new Set(rest.flatMap((line) => NODE_PATH.exec(line)?.[1] ?? []));
  const calls = rest.filter((line) => !NODE_PATH.test(line)).map((line) => CALL.exec(line)?.groups);
  const [first] = calls;
  if (first === undefined || nodePaths.size > 1) return undefined;
  // There is one call for each Node that can be there.
  const isSame = (one: typeof first | undefined): boolean =>
    one !== undefined &&
    (one['node'] === undefined) === (first['node'] === undefined) &&
    ['options', 'here', 'target', 'own'].every((part) => one[part] === first[part]);
  if (!calls.every(isSame)) return undefined;
  const { node, own, options = '', here, target = '' } = first;
  const words = options.split(/\s+/).filter((word) => word !== '');
  if (node === undefined && words.length > 0) return undefined;
  const [nodePath] = nodePaths;
  return { isNode: node !== undefined, own, options: words, target, isHere: here !== undefined, nodePath };
}

/** A newer npm that npm has installed for the user comes before the one of Node. */
async function chooseNpm(script: string, platform: Platform): Promise<string> {
  const { path } = platform;
  const folder = getSystemVariable(platform, 'APPDATA');
  if (folder === undefined) return script;
  const newer = path.join(folder, 'npm', 'node_modules', 'npm', 'bin', path.basename(script));
  try {
    await access(newer);
    return newer;
  } catch {
    return script;
  }
}
