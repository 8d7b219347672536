import { ParameterError } from '@bae/core';

/** A package, and which of its versions. */
export interface Dependency {
  readonly name: string;
  /** `^1.2.0`, `latest`; undefined when none was asked for. */
  readonly version: string | undefined;
}

const NAME = String.raw`(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*`;
const DEPENDENCY = new RegExp(`^(${NAME})(?:@([\\w.^~<>=|* +-]+))?$`, 'i');
const LONGEST_NAME = 214;

/**
 * Reads `zod`, `zod@^4.0.0`, `@scope/name@latest`. Nothing else is taken: no addresses, no folders, and nothing that
 * a package manager would read as an option.
 *
 * @throws ParameterError for everything else
 */
export function readDependency(text: string): Dependency {
  const [, name, version] = DEPENDENCY.exec(text.trim()) ?? [];
  if (name === undefined || name.length > LONGEST_NAME) {
    const fact = `'${text.trim().slice(0, 60)}' is no package. A package is a name in the registry, perhaps with a version.`;
    throw new ParameterError(`${fact} Folders and addresses are added by hand.`, ['<W:zod>', '<W:zod@^4.0.0>']);
  }
  return { name, version: version?.trim() };
}

/** How a package manager is told: `zod@^4.0.0`. */
export function showDependency({ name, version }: Dependency): string {
  return version === undefined ? name : `${name}@${version}`;
}
