import { FileNotFoundError, type WorkspaceRoot } from '@bae/workspace';
import { ResourceError } from '@bae/core';

/** The lists of a package.json, as they are called there. */
export const LISTS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

/** One package that is depended on. */
export interface ListedDependency {
  readonly list: (typeof LISTS)[number];
  readonly name: string;
  /** As in package.json: `^1.2.0`. */
  readonly wanted: string;
}

/** What a package.json says about dependencies. */
export interface DependencyManifest {
  readonly name: string;
  readonly packageManager: unknown;
  readonly dependencies: readonly ListedDependency[];
}

/**
 * Reads the dependencies of the package in a folder.
 *
 * @param folder below the root; empty for the root
 * @throws ResourceError when there is no package.json, or none that can be read
 */
export async function readDependencies(root: WorkspaceRoot, folder: string): Promise<DependencyManifest> {
  const manifest = await readManifest(root, folder);
  const dependencies = LISTS.flatMap((list) => {
    const entries = Object.entries((manifest[list] ?? {}) as Readonly<Record<string, unknown>>);
    return entries.map(([name, wanted]) => ({ list, name, wanted: String(wanted) }));
  });
  const { name, packageManager } = manifest;
  return { name: typeof name === 'string' ? name : root.name, packageManager, dependencies };
}

/** The version of a package that is installed; undefined when none is. */
export async function installedVersion(root: WorkspaceRoot, folder: string, name: string): Promise<string | undefined> {
  for (const place of folder === '' ? [''] : [`${folder}/`, '']) {
    try {
      const { text } = await root.readText(`${place}node_modules/${name}/package.json`);
      const { version } = JSON.parse(text) as { readonly version?: unknown };
      if (typeof version === 'string') return version;
    } catch {
      // Not there, or a link out of the project.
    }
  }
  return undefined;
}

async function readManifest(root: WorkspaceRoot, folder: string): Promise<Readonly<Record<string, unknown>>> {
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
