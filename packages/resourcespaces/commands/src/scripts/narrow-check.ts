import { delimiter, join, relative } from 'node:path';
import { BaeError } from '@bae/core';
import { findProgram, readFields } from '@bae/project';
import { parseGlob, type WorkspaceRoot } from '@bae/workspace';
import { splitCommand } from '../command-words.ts';
import { listPackagePrograms, type Script } from './script.ts';

/** A check that looks only at some files: the command of its script with these in place of what the script names. */
export interface NarrowRun {
  /** Tool and its arguments, the files last. */
  readonly words: readonly [string, ...string[]];
  /** Absolute path of the tool. */
  readonly program: string;
  /** Variables that a script would have. */
  readonly environment: Readonly<Record<string, string>>;
  /** Files, relative to the root of the workspace. */
  readonly files: readonly string[];
}

/** What is known of a tool whose arguments are files. An option that is not listed here may mean anything. */
interface FileTool {
  /** First word, for tools that do several things. */
  readonly verb?: RegExp;
  /** Pattern of the files that it looks at. */
  readonly files: string;
  /** Options without a value, and those whose value may be the next word; without dashes. */
  readonly flags: RegExp;
  readonly valued: RegExp;
  /** Options for files that are named but left out by the settings of the tool, as in a run over everything. */
  readonly added: readonly string[];
}

const SCRIPTS_OF_WEB = 'js,mjs,cjs,jsx,ts,mts,cts,tsx';

const TOOLS: Readonly<Record<string, FileTool>> = {
  oxlint: {
    files: `**/*.{${SCRIPTS_OF_WEB},vue,svelte,astro}`,
    flags: /^(?:quiet|silent|deny-warnings|type-aware|fix|[\w-]+-plugin|report-unused-disable-directives)$/,
    valued: /^(?:c|config|tsconfig|[ADW]|allow|deny|warn|f|format|max-warnings|threads|ignore-pattern)$/,
    added: ['--no-error-on-unmatched-pattern'],
  },
  oxfmt: {
    files: `**/*.{${SCRIPTS_OF_WEB},vue,json,jsonc,json5,css,scss,less,html,md,mdx,yaml,yml,toml,graphql}`,
    flags: /^(?:check|list-different|write)$/,
    valued: /^(?:c|config|threads)$/,
    added: ['--no-error-on-unmatched-pattern'],
  },
  eslint: {
    files: `**/*.{${SCRIPTS_OF_WEB},vue,svelte,astro}`,
    flags: /^(?:quiet|cache|fix|(?:no-)?color|no-inline-config|no-warn-ignored|report-unused-disable-directives)$/,
    valued: /^(?:c|config|max-warnings|f|format|cache-location|cache-strategy|concurrency|rule|flag)$/,
    added: ['--no-warn-ignored'],
  },
  prettier: {
    files: `**/*.{${SCRIPTS_OF_WEB},vue,json,jsonc,json5,css,scss,less,html,md,mdx,yaml,yml,graphql,gql,hbs}`,
    flags: /^(?:c|check|l|list-different|w|write|cache|u|ignore-unknown|(?:no-)?color|no-error-on-unmatched-pattern)$/,
    valued: /^(?:config|ignore-path|log-?level|cache-location|cache-strategy)$/,
    added: [],
  },
  biome: {
    verb: /^(?:check|lint|format|ci)$/,
    files: `**/*.{${SCRIPTS_OF_WEB},vue,svelte,astro,json,jsonc,css,html,graphql}`,
    flags: /^(?:error-on-warnings|write|fix|unsafe|no-errors-on-unmatched)$/,
    valued: /^(?:config-path|colors|max-diagnostics|diagnostic-level|reporter|only|skip)$/,
    added: ['--no-errors-on-unmatched'],
  },
  stylelint: {
    files: '**/*.{css,scss,sass,less,pcss,postcss,vue,svelte,astro,html}',
    flags: /^(?:fix|q|quiet|cache|allow-empty-input|(?:no-)?color)$/,
    valued: /^(?:c|config|f|formatter|max-warnings|mw|cache-location|cache-strategy)$/,
    added: ['--allow-empty-input'],
  },
  ruff: {
    verb: /^(?:check|format)$/,
    files: '**/*.{py,pyi,ipynb}',
    flags: /^(?:check|diff|fix|no-fix|q|quiet|n|no-cache|preview|force-exclude)$/,
    valued: /^(?:config|select|ignore|extend-select|extend-ignore|output-format|target-version|line-length|exclude)$/,
    added: ['--force-exclude'],
  },
};

/** Files that decide how other files are checked. */
const SETTINGS =
  /(?:^|\/)(?:package\.json|pyproject\.toml|tsconfig[^/]*\.json|\.?(?:oxlint|oxfmt|eslint|prettier|biome|stylelint|ruff|editorconfig|gitignore)[^/]*)$/;

/** More files than this are checked with all others. */
const MOST_FILES = 100;

interface NarrowRequest {
  readonly root: WorkspaceRoot;
  /** Folder of the script, relative to the root. */
  readonly folder: string;
  /** Files that the session has changed, relative to the root; undefined if they are not all known. */
  readonly changed: readonly string[] | undefined;
}

/**
 * Finds how a check runs only over the files that the session has changed: where its script is a single call of a known
 * tool, and the tool would give the same answer about these files. Returns undefined if it has to run as it is.
 */
export async function narrowCheck(
  script: Pick<Script, 'line' | 'file'>,
  { root, folder, changed = [] }: NarrowRequest,
): Promise<NarrowRun | undefined> {
  const call = changed.length === 0 ? undefined : await readToolCall(script.line ?? '');
  if (call === undefined || changed.some((path) => SETTINGS.test(path))) return undefined;
  const prefix = folder === '' ? '' : `${folder}/`;
  // Ignored files are not found: a run over everything leaves them out, but not one that names them.
  const known = await root.stamps({ pattern: `${prefix}${call.tool.files}`, stamped: () => false });
  const within = changed.filter((path) => known.has(path)).map((path) => path.slice(prefix.length));
  const files = within.filter((path) => call.covers(path));
  if (files.length === 0 || files.length > MOST_FILES || files.some((path) => path.startsWith('-'))) return undefined;
  const found = await findCheckTool(call.name, script.file.endsWith('package.json') ? { root, folder } : { root });
  if (found === undefined) return undefined;
  return { words: [call.name, ...call.options, ...files], files: files.map((path) => `${prefix}${path}`), ...found };
}

interface ToolCall {
  readonly name: string;
  readonly tool: FileTool;
  /** Its arguments without files. */
  readonly options: readonly string[];
  /** Tests whether the call looks at a file, by its path in the folder of the script. */
  readonly covers: (path: string) => boolean;
}

/** Reads a command line that is one call of a known tool, without shell syntax and with options that are known. */
async function readToolCall(line: string): Promise<ToolCall | undefined> {
  try {
    const [name = '', ...words] = splitCommand(line, '');
    return await parseToolCall(name, words);
  } catch (error) {
    if (BaeError.is(error)) return undefined;
    throw error;
  }
}

async function parseToolCall(name: string, given: readonly string[]): Promise<ToolCall | undefined> {
  const words = [...given];
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name]! : undefined;
  if (tool === undefined || (tool.verb !== undefined && !tool.verb.test(words[0] ?? ''))) return undefined;
  const options = tool.verb === undefined ? [] : words.splice(0, 1);
  const places: string[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, option, value] = /^--?([^=]+)(=.*)?$/.exec(word) ?? [];
    if (option === undefined) places.push(word);
    else if (tool.flags.test(option) && value === undefined) options.push(word);
    else if (!tool.valued.test(option)) return undefined;
    else options.push(word, ...(value === undefined ? words.splice(0, 1) : []));
  }
  const tests = await Promise.all(places.map(makePlaceTest));
  if (tests.some((test) => test === undefined)) return undefined;
  const covers = (path: string): boolean => tests.length === 0 || tests.some((test) => test!(path));
  return { name, tool, options: [...options, ...tool.added.filter((word) => !options.includes(word))], covers };
}

/** Returns a test for the files of a path or pattern of a command line; undefined if it leads out of the folder. */
async function makePlaceTest(place: string): Promise<((path: string) => boolean) | undefined> {
  const path = place.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  if (path === '' || path === '.') return () => true;
  if (/^[!~/]|(?:^|\/)\.\.(?:\/|$)/.test(path)) return undefined;
  if (!/[*?[{]/.test(path)) return (file) => file === path || file.startsWith(`${path}/`);
  const { base, matches } = await parseGlob(path);
  const prefix = base === '' ? '' : `${base}/`;
  return (file) => file.startsWith(prefix) && matches(file.slice(prefix.length));
}

/** Finds a tool as a script of a package does: in the packages of its folder and those above, then on the PATH. */
async function findCheckTool(
  name: string,
  { root, folder }: { readonly root: WorkspaceRoot; readonly folder?: string },
): Promise<Pick<NarrowRun, 'program' | 'environment'> | undefined> {
  const places = folder === undefined ? [] : listPackagePrograms(root, folder);
  for (const place of places) {
    const found = await findProgram(join(place, name), { folder: root.folder });
    if (found === undefined) continue;
    if (name === 'eslint' && !(await isFlat(root, places))) return undefined;
    return { program: found.path, environment: { PATH: [...places, process.env['PATH'] ?? ''].join(delimiter) } };
  }
  const found = name === 'eslint' ? undefined : await findProgram(name, { folder: root.folder });
  return found && { program: found.path, environment: {} };
}

/** Tests for an ESLint that knows which files its settings leave out, even if they are named: version 9 and later. */
async function isFlat(root: WorkspaceRoot, places: readonly string[]): Promise<boolean> {
  for (const place of places) {
    const { version } = await readFields(root, relative(root.folder, join(place, '../eslint/package.json')));
    if (typeof version === 'string') return Number.parseInt(version, 10) >= 9;
  }
  return false;
}
