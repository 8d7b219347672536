import { ParameterError, ResourceError } from '@bae/core';
import { FileNotFoundError, type WorkspaceRoot } from '@bae/workspace';
import { readFields } from '../modules/find-packages.ts';

/** The lists of a package.json, by their keys. */
export const LISTS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

interface ListedDependency {
  readonly list: (typeof LISTS)[number];
  readonly name: string;
  /** As in package.json: `^1.2.0`. */
  readonly wanted: string;
}

/** The dependencies of a package.json. */
export interface DependencyManifest {
  readonly name: string;
  readonly packageManager: unknown;
  readonly dependencies: readonly ListedDependency[];
}

/**
 * Reads the dependencies of the package in a folder.
 *
 * @param folder below the root; empty for the root
 */
export async function readDependencies(root: WorkspaceRoot, folder: string): Promise<DependencyManifest> {
  const manifest = await readProjectManifest(root, folder);
  const dependencies = LISTS.flatMap((list) => {
    const entries = Object.entries((manifest[list] ?? {}) as Readonly<Record<string, unknown>>);
    return entries.map(([name, wanted]) => ({ list, name, wanted: String(wanted) }));
  });
  const { name, packageManager } = manifest;
  return { name: typeof name === 'string' ? name : root.name, packageManager, dependencies };
}

async function readProjectManifest(root: WorkspaceRoot, folder: string): Promise<Readonly<Record<string, unknown>>> {
  const path = folder === '' ? 'package.json' : `${folder}/package.json`;
  try {
    return JSON.parse((await root.readText(path)).text.replace(/^\uFEFF/, '')) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof FileNotFoundError) {
      const fact = 'this project has no package.json, so it has no dependencies.';
      throw new ResourceError(`${fact} Go home and write one: <W:package.json>{}</W>`, ['@home()'], error);
    }
    if (!(error instanceof SyntaxError)) throw error;
    const message = `package.json cannot be read: ${error.message}. Go home and mend it: <R:package.json>`;
    throw new ResourceError(message, ['@home()'], error);
  }
}

/** The version of a package that is installed; undefined when none is. */
export async function findInstalled(root: WorkspaceRoot, folder: string, name: string): Promise<string | undefined> {
  for (const place of folder === '' ? [''] : [`${folder}/`, '']) {
    const { version } = await readFields(root, `${place}node_modules/${name}/package.json`);
    if (typeof version === 'string') return version;
  }
  return undefined;
}

const NAME = String.raw`(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*`;
const DEPENDENCY = new RegExp(`^(${NAME})(?:@([\\w.^~<>=|* +-]+))?$`, 'i');
const LONGEST_NAME = 214;

/**
 * Parses `zod`, `zod@^4.0.0`, `@scope/name@latest`. Nothing else is accepted: no URLs, no folders, and nothing that a
 * package manager would take for an option.
 *
 * @returns the name, and both as a package manager takes them
 */
export function parseDependency(text: string): { readonly name: string; readonly spec: string } {
  const [, name, version] = DEPENDENCY.exec(text.trim()) ?? [];
  if (name === undefined || name.length > LONGEST_NAME) {
    const fact = `'${text.trim().slice(0, 60)}' is no package. A package is a name in the registry, perhaps with a version.`;
    throw new ParameterError(`${fact} Folders and addresses are added by hand.`, ['<W:zod>', '<W:zod@^4.0.0>']);
  }
  return { name, spec: version === undefined ? name : `${name}@${version.trim()}` };
}
