import { findNearestName, ResourceError } from '@bae/core';
import { formatPath } from '@bae/workspace';
import { findTitle } from '../address/find-by-name.ts';
import type { CodeModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';

/** Files that are tests by their names. */
const TEST_PATH = /(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)__tests__\/.+\.[cm]?[jt]sx?)$/;
/** Files that are tests if there are tests in them: in folders for tests, or named after them. */
const MAYBE = /(?:(?:^|\/)(?:tests?|specs?)\/.+|(?:^|\/)test|(?:^|\/)test-[^/]+|[-_](?:test|spec))\.[cm]?[jt]sx?$/;
const TEST_CALL = String.raw`(?:^|[^\w.])(?:t\.|tap\.|test\.)?(?:test|it|describe|suite)(?:\.\w+)*\s*\(`;

/** The test modules of a project: by their names, and those of folders for tests that have tests in them. */
async function listTestModules(base: CodeBase): Promise<readonly CodeModule[]> {
  const catalog = await base.catalog();
  const maybe = catalog.modules.filter(({ path, declares }) => !declares && !TEST_PATH.test(path) && MAYBE.test(path));
  const paths = new Set(maybe.map(({ path }) => path));
  const search = { pattern: TEST_CALL, only: (path: string) => paths.has(path), all: true, limit: 1 };
  const found = new Set(maybe.length === 0 ? [] : (await base.root.grep(search)).files.map(({ path }) => path));
  return catalog.modules.filter(({ path }) => TEST_PATH.test(path) || found.has(path));
}

/** The tests that are meant: their modules, and the name of one of them where a title was given. */
export interface WantedTests {
  readonly modules: readonly CodeModule[];
  readonly name: string;
}

/**
 * The tests of a module, a folder or a path, of the module that they are about, of a title, or all.
 *
 * @param tagOf the tag that reads an address at the caller's location
 * @throws ResourceError with the nearest module when nothing is meant by the text
 */
export async function findTests(
  base: CodeBase,
  wanted: string,
  tagOf = (address: string) => `<R:${address}>`,
): Promise<WantedTests> {
  const modules = await listTestModules(base);
  const text = wanted
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '');
  if (text === '' || text === '.') return { modules, name: '' };
  for (const isMeant of [isNamed, isInFolder, endsWithName, isAbout]) {
    const found = modules.filter((module) => isMeant(module, text));
    if (found.length > 0) return { modules: found, name: '' };
  }
  const titled = await findTitle(base, wanted);
  const paths = new Set(titled.flatMap((target) => (target.kind === 'module' ? [target.source.module.path] : [])));
  const found = modules.filter(({ path }) => paths.has(path));
  if (found.length > 0) return { modules: found, name: wanted.trim() };
  const names = modules.flatMap(({ name, path }) => [name, path]);
  const nearest = findNearestName(text, names);
  const known = nearest === undefined ? undefined : modules.find((one) => one.name === nearest || one.path === nearest);
  const all = modules.length === 0 ? 'The project has none' : `There are ${modules.length}`;
  throw new ResourceError(`no test module or test '${formatPath(wanted)}'. ${all}.`, [tagOf(known?.name ?? '')]);
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

/** True for the tests of a module that has another file: `queue.test` of `src/queue.ts`. */
function isAbout({ path }: CodeModule, text: string): boolean {
  const subject = (text.split('/').at(-1) ?? '')
    .replace(/\.[cm]?[jt]sx?$/, '')
    .split('.')
    .at(-1);
  const own = removeEnding(path.split('/').at(-1) ?? '').replace(/[.\-_](?:test|spec)$|^test-/, '');
  return own === subject;
}
