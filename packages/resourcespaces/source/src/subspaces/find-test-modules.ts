import { nearestName, ResourceError } from '@bae/core';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';

const TEST_PATH = /(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)__tests__\/.+\.[cm]?[jt]sx?)$/;

/** All test modules of a project. */
export function testModules({ modules }: CodeCatalog): readonly CodeModule[] {
  return modules.filter(({ path }) => TEST_PATH.test(path));
}

/**
 * The test modules of a name, of a folder, or all.
 *
 * @param tagOf how an address is read where it was asked for
 * @throws ResourceError when there are none, with the nearest name
 */
export function findTestModules(
  catalog: CodeCatalog,
  wanted: string,
  tagOf = (address: string) => `<R:${address}>`,
): readonly CodeModule[] {
  const modules = testModules(catalog);
  const exact = modules.filter(({ name }) => name === wanted);
  const found = exact.length > 0 ? exact : modules.filter(({ name }) => wanted === '' || name.startsWith(`${wanted}.`));
  if (found.length > 0 || wanted === '') return found;
  const names = modules.map(({ name }) => name);
  const nearest = names.includes(`${wanted}.test`) ? `${wanted}.test` : nearestName(wanted, names);
  throw new ResourceError(`no test module '${wanted}'.`, [tagOf(nearest ?? '')]);
}
