import { access, readFile } from 'node:fs/promises';
import { type Find, type Platform, getSystemVariable, type ShimTarget } from './platform.ts';

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
export async function readShim(file: string, { platform, find }: Surroundings): Promise<ShimTarget | undefined> {
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
