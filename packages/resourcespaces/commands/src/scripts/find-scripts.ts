import { basename, dirname } from 'node:path/posix';
import { ResourceError } from '@bae/core';
import { findPackageFolder, findPackageManager, findProgram, listManagerPrograms, readFields } from '@bae/project';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import { leaveOutCovered } from './check-plan.ts';
import { findMissing } from './missing-tools.ts';
import { isStuck } from './no-script.ts';
import { makeFingerprint, type Script, type ScriptStep } from './script.ts';
import { listMatched, splitIntoParts } from './script-parts.ts';
import { listRunnerScripts } from './task-runners.ts';
import { listCargoScripts, listGoScripts, listPytest, listPythonScripts } from './toml-scripts.ts';

const MAKEFILES = ['Makefile', 'makefile', 'GNUmakefile'];
const JUSTFILES = ['justfile', 'Justfile', '.justfile'];

/** Finds the scripts of a folder, those of its package first. */
export async function findScripts(root: WorkspaceRoot, folder: string): Promise<readonly Script[]> {
  const at = (file: string): string => (folder === '' ? file : `${folder}/${file}`);
  const lists = await Promise.all([
    listPackageScripts(root, at('package.json')),
    listComposerScripts(root, at('composer.json')),
    ...MAKEFILES.map((file) => listTargets(root, at(file), MAKE)),
    ...JUSTFILES.map((file) => listTargets(root, at(file), JUST)),
    listPythonScripts(root, at('pyproject.toml')),
    listPytest(root, folder),
    listCargoScripts(root, at('Cargo.toml')),
    listGoScripts(root, at('go.mod')),
    listRunnerScripts(root, folder),
  ]);
  const names = new Set<string>();
  return lists.flat().filter(({ name }) => !names.has(name) && names.add(name));
}

async function listPackageScripts(root: WorkspaceRoot, file: string): Promise<readonly Script[]> {
  const { scripts } = await readFields(root, file);
  const entries = listTextFields(scripts);
  if (entries.length === 0) return [];
  const { packageManager } = await readFields(root, 'package.json');
  const { name: manager } = await findPackageManager(root, packageManager);
  const isMissing = manager !== 'npm' && (await isOnlyNpmThere(root, manager));
  const settings = await listManagerPrograms(root, ['', dirname(file)]);
  const names = entries.map(([name]) => name);
  const read = entries.map(async ([name, own]): Promise<Script> => {
    const matched = (await listMatched(own, names)).filter((one) => one !== name);
    // Where a manager runs scripts in its own way, nothing else runs them.
    const parts = settings.length === 0 ? splitIntoParts(own) : [];
    const steps = ['pre', '', 'post']
      .flatMap((prefix) => entries.filter(([other]) => other === `${prefix}${name}`))
      .map(([step, text]) => ({ name: step, text }));
    const program = isMissing && !steps.some(({ text }) => MANAGER_CALL.test(text)) ? 'npm' : manager;
    return {
      name,
      file,
      steps,
      ...(steps.length === 1 && settings.length === 0 && { line: steps[0]!.text }),
      ...(parts.length > 0 && { parts }),
      ...(matched.length > 0 && { matched }),
      fingerprint: makeFingerprint(file, JSON.stringify([...entries, ...settings])),
      settings,
      // npm needs two dashes before the arguments of a script; the others would pass these on.
      command: [program, 'run', name, ...(program === 'npm' ? ['--'] : [])],
      ...(isMissing && { missing: manager }),
      ...(isMissing && program === manager && { called: listManaged(steps, entries) }),
    };
  });
  return Promise.all(read);
}

/** Matches a script that itself calls a package manager other than npm. */
const MANAGER_CALL = /(?:^|[^\w./@-])(?:pnpm|pnpx|yarn|bunx?|corepack)(?![\w./-])/;

/** Lists the scripts that steps call by a package manager and that call none themselves. */
function listManaged(
  steps: readonly ScriptStep[],
  entries: readonly (readonly [name: string, text: string])[],
): readonly string[] {
  const calls = steps.flatMap(({ text }) => [...text.matchAll(/\b(?:pnpm|yarn|bun)(?:\s+run)?\s+([\w:.-]+)/g)]);
  const called = new Set(calls.map(([, name]) => name));
  return entries.flatMap(([name, text]) => (called.has(name) && !MANAGER_CALL.test(text) ? [name] : []));
}

async function isOnlyNpmThere({ folder }: WorkspaceRoot, manager: string): Promise<boolean> {
  const [own, npm] = await Promise.all([manager, 'npm'].map((name) => findProgram(name, { folder })));
  return own === undefined && npm !== undefined;
}

async function listComposerScripts(root: WorkspaceRoot, file: string): Promise<readonly Script[]> {
  const { scripts } = await readFields(root, file);
  return Object.entries(Object(scripts) as object).map(([name, runs]) => ({
    name,
    file,
    steps: [{ name, text: [runs].flat().join(' && ') }],
    fingerprint: makeFingerprint(file, JSON.stringify(scripts)),
    command: ['composer', 'run-script', name, '--'],
  }));
}

/** A program, and the pattern of a target in its file, with its commands and, where known, what it needs before them. */
interface TargetFormat {
  readonly program: string;
  readonly pattern: RegExp;
}

const MAKE: TargetFormat = {
  program: 'make',
  pattern: /^(?<name>[A-Za-z][\w.-]*)\s*:(?![=:])(?<needs>.*)\n(?<body>(?:\t.*\n?)*)/gm,
};
/** Matches what changes how make runs every command. */
const CHANGES_COMMANDS = /^(?:export\b|SHELL\b|\.(?:EXPORT_ALL_VARIABLES|ONESHELL|SHELLFLAGS)\b)/m;

const JUST: TargetFormat = {
  program: 'just',
  // A default of a parameter may hold a colon: `serve at="localhost:80":`.
  pattern:
    /^@?(?<name>[A-Za-z][\w-]*)(?:[ \t](?:"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[^:\n"'`])*)?:(?!=).*\n(?<body>(?:[ \t]+.*\n?)*)/gm,
};

async function listTargets(
  root: WorkspaceRoot,
  file: string,
  { program, pattern }: TargetFormat,
): Promise<readonly Script[]> {
  if (!(await root.exists(file))) return [];
  const { text } = await root.readText(file);
  return Array.from(text.matchAll(pattern), ({ groups = {} }): Script => {
    const { name = '', body = '', needs } = groups;
    const commands = body
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    // A target without commands of its own stands for those that it needs.
    const targets = needs?.trim() ? `${program} ${needs.trim()}` : `what ${formatPath(file)} says`;
    const runs = commands.join(' && ') || targets;
    const fingerprint = makeFingerprint(file, text);
    const isLine = needs?.trim() === '' && commands.length === 1 && !CHANGES_COMMANDS.test(text);
    const line = isLine ? { line: commands[0]!.replace(/^[@+-]+/, '') } : {};
    const command = [program, name] as const;
    return { name, file, steps: [{ name, text: runs }], ...line, fingerprint, command, takesWords: false };
  });
}

function listTextFields(value: unknown): readonly (readonly [string, string])[] {
  return Object.entries(Object(value) as object).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
}

/** The checks that a call asks for, with all scripts of their package. */
interface NamedChecks {
  readonly folder: string;
  readonly scripts: readonly Script[];
  readonly checks: readonly Script[];
}

/**
 * Finds the checks of a package, or the one check with a name that no package has.
 *
 * @throws ResourceError if nothing has that name, or only a script that is no check
 */
export async function findNamedChecks(root: WorkspaceRoot, name: string): Promise<NamedChecks> {
  try {
    const folder = await findPackageFolder(root, name);
    const scripts = await findScripts(root, folder);
    const { able, checks } = await findAble(root, scripts);
    return { folder, scripts, checks: leaveOutCovered(checks, { all: scripts, able }) };
  } catch (error) {
    const scripts = await findScripts(root, '');
    const script = scripts.find((one) => one.name === name);
    if (script === undefined) throw error;
    const checks = chooseChecks([script]);
    if (checks.length > 0) return { folder: '', scripts, checks };
    throw new ResourceError(`'${name}' is a script and no check.`, [`<run_script:${name}>`, '<check:>']);
  }
}

/** Test files by their names, and those of projects that only have a folder for them. */
const TEST_FILES = [
  '**/*.{test,spec}.{js,mjs,cjs,jsx,ts,mts,cts,tsx}',
  '{test,tests,__tests__}/*.{js,mjs,cjs,ts,mts,cts}',
  '{test,tests}.{js,mjs,cjs,ts,mts,cts}',
];

/** Matches files that tests use and that are not tests. */
const TEST_PARTS = /(?:^|\/)(?:_|(?:fixtures?|helpers?|setup|utils?|index)\b)[^/]*$/;

/** Matches what test runners write beside tests. */
const WRITTEN = /snapshots?(?:__)?\//;

/** Finds a test file of JavaScript or TypeScript, the first by its path. */
export async function findTestFile(root: WorkspaceRoot): Promise<string | undefined> {
  for (const pattern of TEST_FILES) {
    const stamps = await root.stamps({ pattern, stamped: () => false });
    const paths = [...stamps.keys()].filter((path) => !WRITTEN.test(path));
    // A file that is named as a test is one, whatever it is about.
    const [first] = paths.filter((path) => pattern === TEST_FILES[0] || !TEST_PARTS.test(path)).toSorted();
    if (first !== undefined) return first;
  }
  return undefined;
}

/** Kinds of checks by the usual names of their scripts, in the order of running: quick ones first. */
const CHECKS: readonly RegExp[] = [
  /^(?:format|fmt|prettier)[:-]?(?:check|ci)$|^(?:check|test|lint)[:-]?(?:format|fmt|prettier)$/,
  /^(?:test[:-])?lint(?:[:-]check)?$|^(?:eslint|clippy|vet)$/,
  /^type-?check$|^(?:check|test|lint)[:-]?(?:types?|ts|typescript|tsc|tsd)$|^types?[:-]?(?:check|test)$|^(?:tsc|tsd|types)$/,
  /^(?:check|verify|validate)$/,
  /^(?:test(?:[:-]unit)?|tests|pytest)$/,
];

/** Returns true for a script that runs tests, by its name. */
export function runsTests({ name }: Pick<Script, 'name'>): boolean {
  return /^(?:tests?(?:[:-]|$)|pytest$)/.test(name);
}

/** Selects the scripts that check the project, the first of each kind: format, lint, types, tests. */
export function chooseChecks(scripts: readonly Script[]): readonly Script[] {
  return CHECKS.flatMap((kind) => scripts.find(({ name }) => kind.test(name)) ?? []);
}

/** Scripts that can run, and the program that is not installed for each of the others. */
interface AbleScripts {
  readonly able: readonly Script[];
  readonly missing: ReadonlyMap<Script, string>;
  /** Those that can run are chosen first. */
  readonly checks: readonly Script[];
}

/** Finds which scripts can run, and chooses the checks among them. */
export async function findAble(root: WorkspaceRoot, scripts: readonly Script[]): Promise<AbleScripts> {
  const missing = await findMissing(root, scripts);
  const able = scripts.filter((script) => !missing.has(script) && !isStuck(script));
  return { able, missing, checks: chooseChecks([...able, ...scripts]) };
}

const HARMFUL = new Set(
  'clean delete deploy destroy drop prune publish purge push release remove reset undeploy uninstall upload wipe'.split(
    ' ',
  ),
);

/** Selects the script to show: a check, or one whose name does not suggest that it removes or publishes something. */
export function chooseShownScript(scripts: readonly Script[]): Script | undefined {
  return chooseChecks(scripts)[0] ?? scripts.find(({ name }) => !splitName(name).some((word) => HARMFUL.has(word)));
}

function splitName(name: string): readonly string[] {
  return name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase()
    .split(/[^a-z\d]+/);
}

/** A script, and the words that it gets. */
interface CalledScript {
  readonly script: Script;
  readonly words: readonly string[];
}

/**
 * Finds the script that words call: by its name, or else by the command that is all it runs. Where `test` is `vitest
 * run`, the words `vitest run a.ts` are `test a.ts`.
 */
export function findCalledScript(scripts: readonly Script[], words: readonly string[]): CalledScript | undefined {
  const [called = '', ...others] = words;
  const named = scripts.find(({ name }) => name === called);
  if (named !== undefined) return { script: named, words: others };
  const same = scripts.flatMap((script): readonly CalledScript[] => {
    // What make and others get after a name is not for its commands.
    const { line = '', file } = script;
    if (basename(file) !== 'package.json' || !/^[\w./@:=-]+(?: [\w./@:=-]+)*$/.test(line)) return [];
    const own = line.split(' ');
    return own.every((word, index) => word === words[index]) ? [{ script, words: words.slice(own.length) }] : [];
  });
  return same.toSorted((a, b) => a.words.length - b.words.length)[0];
}
