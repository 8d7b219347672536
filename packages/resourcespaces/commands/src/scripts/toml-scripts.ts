import { dirname } from 'node:path/posix';
import { findEnvironmentRunner, findPytest } from '@bae/project';
import type { WorkspaceRoot } from '@bae/workspace';
import { makeFingerprint, type Script } from './script.ts';

/** Table of a pyproject.toml in which a program for tasks looks for them. */
interface TaskTable {
  readonly table: string;
  readonly command: readonly [string, ...string[]];
  /** True if the program is installed in the environment of the project, so that uv or Poetry starts it. */
  readonly isInstalledThere?: boolean;
}

const TASK_TABLES: readonly TaskTable[] = [
  { table: 'tool.poe.tasks', command: ['poe'], isInstalledThere: true },
  { table: 'tool.taskipy.tasks', command: ['task'], isInstalledThere: true },
  { table: 'tool.pdm.scripts', command: ['pdm', 'run'] },
  { table: 'tool.hatch.envs.default.scripts', command: ['hatch', 'run'] },
  { table: 'tool.rye.scripts', command: ['rye', 'run'] },
];

/** Lists the tasks in a pyproject.toml: of Poe, taskipy, PDM, Hatch and Rye. */
export async function listPythonScripts(root: WorkspaceRoot, file: string): Promise<readonly Script[]> {
  const text = await readIfPresent(root, file);
  if (text === undefined) return [];
  const scripts: Script[] = [];
  for (const { table, command, isInstalledThere } of TASK_TABLES) {
    const entries = listTomlEntries(text, table);
    const isRun = isInstalledThere === true && entries.length > 0;
    const runner = isRun ? await findEnvironmentRunner(root, dirname(file)) : undefined;
    const words = [...(runner ?? []), ...command] as [string, ...string[]];
    for (const [name, runs] of entries)
      scripts.push({
        name,
        file,
        steps: [{ name, text: runs }],
        fingerprint: makeFingerprint(file, text),
        command: [...words, name],
      });
  }
  return scripts;
}

/** Lists the tests of a folder for pytest, which need no task to be run. */
export async function listPytest(root: WorkspaceRoot, folder: string): Promise<readonly Script[]> {
  const tests = await findPytest(root, folder);
  if (tests === undefined) return [];
  const { file, text, command, packages } = tests;
  const script = makeCommandScript('pytest', command, { file, fingerprint: makeFingerprint(file, text) });
  return [packages === undefined ? script : { ...script, pythonPath: packages }];
}

/** Commands that Go has for every module. */
const GO_COMMANDS = ['build', 'vet', 'test'];

/** Lists what Go runs in a module. */
export async function listGoScripts(root: WorkspaceRoot, file: string): Promise<readonly Script[]> {
  const text = await readIfPresent(root, file);
  if (text === undefined) return [];
  const fingerprint = makeFingerprint(file, text);
  return GO_COMMANDS.map((name) => makeCommandScript(name, ['go', name, './...'], { file, fingerprint }));
}

function makeCommandScript(
  name: string,
  command: Script['command'],
  source: Pick<Script, 'file' | 'fingerprint'>,
): Script {
  return { name, ...source, steps: [{ name, text: command.join(' ') }], command };
}

/** Commands that Cargo has for every package. */
const CARGO_COMMANDS = ['build', 'test', 'check'];

/** Lists what Cargo runs in a package: its own commands, those of tools that the package has settings for, aliases. */
export async function listCargoScripts(root: WorkspaceRoot, file: string): Promise<readonly Script[]> {
  const text = await readIfPresent(root, file);
  if (text === undefined) return [];
  const at = (name: string): string => (dirname(file) === '.' ? name : `${dirname(file)}/${name}`);
  const config = at('.cargo/config.toml');
  const aliases = (await readIfPresent(root, config)) ?? '';
  const isThere = async (...names: readonly string[]): Promise<boolean> =>
    (await Promise.all(names.map((name) => root.exists(at(name))))).includes(true);
  const hasFormat = await isThere('rustfmt.toml', '.rustfmt.toml');
  const hasClippy = /^\[(?:workspace\.)?lints\.clippy\]/m.test(text) || (await isThere('clippy.toml', '.clippy.toml'));
  const fingerprint = makeFingerprint(file, `${text}\0${aliases}`);
  const make = (name: string, args: readonly string[]): Script =>
    makeCommandScript(name, ['cargo', ...args], { file, fingerprint });
  return [
    ...(hasFormat ? [make('fmt-check', ['fmt', '--check'])] : []),
    ...(hasClippy ? [make('clippy', ['clippy'])] : []),
    ...CARGO_COMMANDS.map((name) => make(name, [name])),
    ...listTomlEntries(aliases, 'alias', ' ').map(([name, runs]) => ({
      ...make(name, [name]),
      file: config,
      steps: [{ name, text: `cargo ${runs}` }],
    })),
  ];
}

async function readIfPresent(root: WorkspaceRoot, file: string): Promise<string | undefined> {
  return (await root.exists(file)) ? (await root.readText(file)).text.replaceAll('\r\n', '\n') : undefined;
}

const ENTRY = /^(?<name>[\w-]+|"[^"\n]+"|'[^'\n]+')\s*=\s*(?<value>.*)$/;

/**
 * Lists the entries of a table of a TOML file, and the tables below it, as names with texts for people: a string as it
 * is, a list joined, and anything else as it is written.
 */
function listTomlEntries(text: string, table: string, joint = ' && '): readonly (readonly [string, string])[] {
  const entries: [string, string][] = [];
  let below: string | undefined;
  let isInside = false;
  const lines = text.split('\n');
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const header = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line)?.[1];
    if (header !== undefined) {
      isInside = header === table;
      below = header.startsWith(`${table}.`) ? readTomlString(header.slice(table.length + 1)) : undefined;
      if (below !== undefined) entries.push([below, '']);
      continue;
    }
    const { name, value = '' } = ENTRY.exec(line.trim())?.groups ?? {};
    if (name === undefined || (!isInside && below === undefined)) continue;
    const whole = takeWhole(value, lines);
    if (isInside) entries.push([readTomlString(name), renderTomlValue(whole, joint)]);
    else entries.at(-1)![1] += `${entries.at(-1)![1] && ', '}${name} = ${putOnOneLine(whole)}`;
  }
  return entries;
}

/** Takes the lines of a value that goes on: a list, or a text in three quotes. */
function takeWhole(value: string, lines: string[]): string {
  let whole = value;
  while (isUnfinished(whole) && lines.length > 0) whole += `\n${lines.shift()!.trim()}`;
  return whole;
}

function isUnfinished(text: string): boolean {
  const quotes = /^(?:"""|''')/.exec(text)?.[0];
  if (quotes !== undefined) return !text.slice(3).includes(quotes);
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '');
  return /^[[{]/.test(bare) && countBrackets(bare, /[[{]/g) > countBrackets(bare, /[\]}]/g);
}

function countBrackets(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

const STRING = /"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g;

function renderTomlValue(value: string, joint: string): string {
  const strings = value.match(STRING) ?? [];
  const rest = value.replaceAll(STRING, '').replaceAll(/#.*$/gm, '').trim();
  if (/^[[\],\s]*$/.test(rest) && strings.length > 0) return strings.map(readTomlString).join(joint);
  return putOnOneLine(value);
}

function putOnOneLine(value: string): string {
  return value.replaceAll(/\s*\n\s*/g, ' ');
}

function readTomlString(text: string): string {
  const quotes = /^("""|'''|"|')/.exec(text)?.[0];
  if (quotes === undefined) return text;
  const inner = text.slice(quotes.length, -quotes.length).trim();
  return quotes.startsWith('"') ? inner.replaceAll(/\\(["\\])/g, '$1') : inner;
}
