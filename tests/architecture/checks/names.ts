import type { Repository } from '../source/repository.ts';
import { modulesOf } from '../source/module.ts';
import type { Violation } from '../source/violation.ts';

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
const SAYS_NOTHING = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'manager',
  'base',
  'types',
  'shared',
]);

/** Files and folders are called by what is in them. */
export function checkNames(repository: Repository): readonly Violation[] {
  return modulesOf(repository).flatMap(({ path }) =>
    path.split('/').flatMap((part) => {
      const name = part.replace(/(\.(test|bench|config))?\.(ts|tsx|mts|mjs)$/, '');
      if (SAYS_NOTHING.has(name)) return [{ path, message: `'${name}' says nothing; call it by what is in it` }];
      return KEBAB.test(part) || part.startsWith('.') ? [] : [{ path, message: `'${part}' is not kebab-case` }];
    }),
  );
}
