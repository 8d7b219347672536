import { posix } from 'node:path';
import type { WorkspaceRoot } from '@bae/workspace';

type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The package manager of a project. */
export interface PackageManager {
  readonly name: ManagerName;
  readonly version: string | undefined;
  /** Path of its lockfile relative to the root; the file may not exist yet. */
  readonly lockfile: string;
}

const LOCKFILES: readonly (readonly [file: string, name: ManagerName])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
];

/**
 * Finds the package manager of a project: the one named in its package.json, otherwise the one whose lockfile exists.
 */
export async function findPackageManager(root: WorkspaceRoot, declared: unknown): Promise<PackageManager> {
  const [, named, version] = /^(npm|pnpm|yarn|bun)@([\w.-]+)/.exec(typeof declared === 'string' ? declared : '') ?? [];
  const candidates = LOCKFILES.filter(([, owner]) => named === undefined || owner === named);
  for (const [lockfile, name] of candidates) if (await root.exists(lockfile)) return { name, version, lockfile };
  const isPnpm = named === undefined && (await root.exists('pnpm-workspace.yaml'));
  const [lockfile, name] = isPnpm ? LOCKFILES[0]! : named === undefined ? LOCKFILES.at(-1)! : candidates[0]!;
  return { name, version, lockfile };
}

/** Lines of settings that name a program or code, and keys that are written in an unusual way. */
const SETTING_LINES: readonly (readonly [file: string, pattern: RegExp])[] = [
  [
    '.npmrc',
    /^\s*(?:script-shell|shell|node-options|git|node-gyp|(?:global-)?pnpmfile)\s*=|^\s*[^#;\s=][^=]*[^\w@.:/\s=-][^=]*=/,
  ],
  ['.yarnrc', /yarn-path|script-shell/],
  ['bunfig.toml', /preload|shell|\\/],
];

/** Keys of settings that name a program or code. */
const SETTING_KEYS: readonly (readonly [file: string, keys: readonly string[]])[] = [
  ['.yarnrc.yml', ['yarnPath', 'plugins', 'injectEnvironmentFiles']],
  ['pnpm-workspace.yaml', ['scriptShell', 'nodeOptions', 'pnpmfile', 'globalPnpmfile', 'configDependencies']],
];

const CODE_FILES = ['.pnpmfile.cjs', '.pnpmfile.mjs'];

/**
 * Lists what makes package managers run programs or code of the project in addition to what they are asked to run, as
 * `file: setting`: the shell for scripts, modules that are loaded first.
 *
 * @param folders paths relative to the root
 */
export async function listManagerPrograms(root: WorkspaceRoot, folders: readonly string[]): Promise<readonly string[]> {
  const inEach = <T>(files: readonly T[], list: (folder: string, file: T) => Promise<readonly string[]>) =>
    [...new Set(folders.map(posix.normalize))].flatMap((folder) => files.map((file) => list(folder, file)));
  const found = await Promise.all([
    ...inEach(SETTING_LINES, async (folder, [file, pattern]) => {
      const path = posix.join(folder, file);
      if (!(await root.exists(path))) return [];
      const { text } = await root.readText(path, { secrets: true });
      return text.split(/[\r\n]+/).flatMap((line) => (pattern.test(line) ? [`${path}: ${line.trim()}`] : []));
    }),
    ...inEach(SETTING_KEYS, async (folder, [file, keys]) => {
      const path = posix.join(folder, file);
      if (!(await root.exists(path))) return [];
      const { text } = await root.readText(path, { secrets: true });
      const fields = Object((await import('yaml')).parse(text)) as Readonly<Record<string, unknown>>;
      return keys.flatMap((key) => (key in fields ? [`${path}: ${key}: ${JSON.stringify(fields[key])}`] : []));
    }),
    ...inEach(CODE_FILES, async (folder, file) => {
      const path = posix.join(folder, file);
      return (await root.exists(path)) ? [`${path}: loaded by pnpm`] : [];
    }),
  ]);
  return found.flat();
}
