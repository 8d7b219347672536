import { findNearestName, ResourceError } from '@bae/core';
import type { CommandAccess } from '@bae/project';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import { findFixedPart, findNearestTest, findTitle, splitTestPlace } from '../address/find-title.ts';
import type { CodeModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { explainOtherTests } from './other-tests.ts';
import type { WantedTests } from './run-tests.ts';
import type { TestName } from './test-names.ts';

/** Files that are tests by their names, except kept results of tests. */
const TEST_PATH =
  /^(?!(?:.*\/)?(?:tap-snapshots|__snapshots__)\/).*(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)__tests__\/.+\.[cm]?[jt]sx?)$/;
/** Files that may contain tests: those in folders for tests, or named after tests. */
const MAYBE = /(?:(?:^|\/)(?:tests?|specs?)\/.+|(?:^|\/)test|(?:^|\/)test-[^/]+|[-_](?:test|spec))\.[cm]?[jt]sx?$/;
/** A call that defines a test, or an import of a runner whose files may have no such call: they check when they load. */
const TESTING = [
  String.raw`(?:^|[^\w.])(?:t\.|tap\.|test\.)?(?:test|it|describe|suite)(?:\.\w+)*\s*\(`,
  String.raw`(?:\bfrom|\brequire\()\s*['"](?:tap|tape|ava|uvu|node:test)['"]`,
].join('|');

/** Words for all tests of a project. */
const ALL = /^(?:all|\*+)$/i;

/** Lists the test modules of a project: those named as tests, and modules in folders for tests that contain tests. */
async function listTestModules(base: CodeBase): Promise<readonly CodeModule[]> {
  const catalog = await base.catalog();
  const maybe = catalog.modules.filter(({ path, declares }) => !declares && !TEST_PATH.test(path) && MAYBE.test(path));
  const { files } = await base.grep(maybe, { pattern: TESTING, limit: 0 });
  const found = new Set(files.map(({ path }) => path));
  return catalog.modules.filter(({ path }) => TEST_PATH.test(path) || found.has(path));
}

/**
 * Finds the tests of a module, a folder or a path, the tests about a module, the tests with a title, or all tests.
 *
 * @param caller the tag that reads an address at the caller's location, and whether commands can be run
 * @throws ResourceError with the nearest module when the text refers to nothing
 */
export async function findTests(
  base: CodeBase,
  wanted: string,
  {
    tagOf = (address) => `<R:${address}>`,
    commands,
  }: {
    readonly tagOf?: (address: string) => string;
    readonly commands?: CommandAccess | undefined;
  } = {},
): Promise<WantedTests> {
  const modules = await listTestModules(base);
  const text = wanted
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '');
  if (text === '' || text === '.') return { modules, name: '', isAll: true };
  for (const isMeant of [isNamed, isInFolder, endsWithName, isAbout]) {
    const found = modules.filter((module) => isMeant(module, text));
    if (found.length > 0) return { modules: found, name: '' };
  }
  if (ALL.test(text)) return { modules, name: '', isAll: true };
  const matched = await matchTestPaths(base, text, modules);
  if (matched.length > 0) return { modules: matched, name: '' };
  const part = await findPartOfModule(base, text, modules);
  if (part !== undefined) return part;
  // A script that checks something with functions of its own is run when it is named.
  const scripts = (await base.catalog()).modules.filter((module) => MAYBE.test(module.path) && isNamed(module, text));
  if (scripts.length > 0) return { modules: scripts, name: '' };
  const titled = await findTitle(base, wanted, modules);
  const paths = new Set(titled.map(({ source }) => source.module.path));
  const found = modules.filter(({ path }) => paths.has(path));
  if (found.length > 0) return { modules: found, name: findFixedPart(wanted.trim()) };
  const { root, index } = base;
  const other = await explainOtherTests({ root, index, wanted, hasNone: modules.length === 0, commands });
  if (other !== undefined) throw other;
  const test = await findNearestTest(base, wanted, modules);
  const nearest = test?.title ?? findNearestTestModule(text, modules)?.name;
  const all = modules.length === 0 ? 'The project has none' : `There are ${modules.length}`;
  throw new ResourceError(`no test module or test '${formatPath(wanted)}'. ${all}.`, [tagOf(nearest ?? '')]);
}

/** Finds the test modules that a pattern of paths matches, as test scripts have them: `tests/*.js`. */
async function matchTestPaths(
  { root }: CodeBase,
  text: string,
  modules: readonly CodeModule[],
): Promise<readonly CodeModule[]> {
  // Titles have these characters, too, but seldom a path with them.
  if (!/[*{[]/.test(text) || !/[./]/.test(text) || /\s/.test(text)) return [];
  const paths = new Set(await root.glob({ pattern: text }).catch(() => []));
  return modules.filter(({ path }) => paths.has(path));
}

/** Finds the test at a line of a module, or with a title in it: `a.test.ts:11`, `a.test.ts#adds`, `a.test.ts > adds`. */
async function findPartOfModule(
  base: CodeBase,
  text: string,
  all: readonly CodeModule[],
): Promise<WantedTests | undefined> {
  const { place, part } = splitTestPlace(text);
  const modules = all.filter((module) => isNamed(module, place) || endsWithName(module, place));
  const [module] = modules;
  if (place === '' || module === undefined) return undefined;
  const line = /^L?(\d+)(?:-L?\d+|:\d+)?$/.exec(part)?.[1];
  if (line === undefined)
    return (await findTitle(base, part, modules)).length === 0 ? undefined : { modules, name: findFixedPart(part) };
  const names = await readTestNames(base.root, module);
  return { modules: [module], name: findFixedPart(findTitleAt(names, Number(line))) };
}

/** Reads the names of the tests of a module. The parser is loaded on first use, so that entering the space is fast. */
export async function readTestNames(root: WorkspaceRoot, { path }: CodeModule): Promise<readonly TestName[]> {
  const { listTestNames } = await import('./test-names.ts');
  return listTestNames((await root.readText(path)).text, path);
}

/** Returns the title of the test or group that a line belongs to; `''` before the first. */
function findTitleAt(names: readonly TestName[], line: number): string {
  const last = names.findLast((one) => one.line <= line);
  return last === undefined ? '' : findTitleAt(last.children, line) || last.title;
}

/** Finds the module that is spelt nearly as a path or an address is, or as the end of one. */
function findNearestTestModule(text: string, modules: readonly CodeModule[]): CodeModule | undefined {
  const parts = text.split('/').length;
  const namesOf = ({ name, path }: CodeModule) => {
    const file = path.split('/').slice(-parts).join('/');
    return [name, path, file, removeEnding(file), removeTestEnding(file)];
  };
  const nearest = findNearestName(text, modules.flatMap(namesOf));
  return nearest === undefined ? undefined : modules.find((module) => namesOf(module).includes(nearest));
}

function removeEnding(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}

function isNamed({ name, path }: CodeModule, text: string): boolean {
  return name === text || path === text || removeEnding(path) === text;
}

function isInFolder({ name, path }: CodeModule, text: string): boolean {
  return name.startsWith(`${text}.`) || path.startsWith(`${text}/`);
}

function endsWithName({ name, path }: CodeModule, text: string): boolean {
  return [path, removeEnding(path)].some((one) => one.endsWith(`/${text}`)) || name.endsWith(`.${text}`);
}

/** Returns true for tests of a module in another file: `queue.test` for `src/queue.ts`. */
function isAbout({ path }: CodeModule, text: string): boolean {
  const subject = (text.split('/').at(-1) ?? '')
    .replace(/\.[cm]?[jt]sx?$/, '')
    .split('.')
    .at(-1);
  return removeTestEnding(path.split('/').at(-1) ?? '') === subject;
}

/** Returns the subject of a file of tests: `queue` for `queue.test.ts`. */
function removeTestEnding(file: string): string {
  return removeEnding(file).replace(/[.\-_](?:test|spec)$|^test-/, '');
}
