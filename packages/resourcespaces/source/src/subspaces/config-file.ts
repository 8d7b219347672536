import { nearestName, ResourceError } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import type { ConfigFormat } from './config-edit.ts';
import { readKeyPath } from './key-path.ts';

/** A settings file of a package. */
export interface ConfigFile {
  /** Without its last ending: `package`, `tsconfig.build`, `vitest.config`. */
  readonly name: string;
  /** Below the root of the project. */
  readonly path: string;
  /** Undefined for one that is code: it can be read only. */
  readonly format: ConfigFormat | undefined;
}

/** A settings file, and a key in it. */
export interface ConfigTarget {
  readonly file: ConfigFile;
  /** Empty for the whole file. */
  readonly key: readonly string[];
}

const DATA = /^(?:package|(?:ts|js)config(?:\..+)?)\.json$/;
const YAML = /^pnpm-workspace\.ya?ml$/;
const CODE = /\.config\.[cm]?[jt]s$/;

/**
 * The settings files in a folder, sorted by name.
 *
 * @param folder below the root; empty for the root
 */
export async function listConfigFiles(root: WorkspaceRoot, folder: string): Promise<readonly ConfigFile[]> {
  const names = await root.list(folder === '' ? '.' : folder);
  // Loaded when they are first needed, so that the space is there at once.
  const [{ JSON_FORMAT }, { YAML_FORMAT }] = await Promise.all([
    import('./json-format.ts'),
    import('./yaml-format.ts'),
  ]);
  return names.flatMap((name) => {
    const format = DATA.test(name) ? JSON_FORMAT : YAML.test(name) ? YAML_FORMAT : undefined;
    if (format === undefined && !CODE.test(name)) return [];
    return [{ name: name.replace(/\.[^.]+$/, ''), path: folder === '' ? name : `${folder}/${name}`, format }];
  });
}

/**
 * Finds the file and the key that `package.scripts.test` means; of several files that fit, the one with the longest
 * name is meant.
 *
 * @throws ResourceError when there is no such file
 */
export function findConfigTarget(files: readonly ConfigFile[], target: string): ConfigTarget {
  const fitting = files.filter(({ name }) => target === name || target.startsWith(`${name}.`));
  const file = fitting.toSorted((a, b) => b.name.length - a.name.length)[0];
  if (file !== undefined) return { file, key: readKeyPath(target.slice(file.name.length + 1)) };
  const names = files.map(({ name }) => name);
  const [wanted = ''] = target.split('.');
  const nearest = nearestName(target, names) ?? nearestName(wanted, names);
  const fact = `no settings file '${wanted}'. There is: ${names.join(', ') || 'none'}.`;
  throw new ResourceError(fact, [nearest === undefined ? '<R:>' : `<R:${nearest}>`]);
}
