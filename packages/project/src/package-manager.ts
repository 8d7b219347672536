import { posix } from 'node:path';
import type { WorkspaceRoot } from '@bae/workspace';
import { isInstalledWithRoot, readFields } from './find-packages.ts';

type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The package manager of a project, or of a package that is installed by itself. */
export interface PackageManager {
  readonly name: ManagerName;
  readonly version: string | undefined;
  /** Path of its lockfile relative to the root; the file may not exist yet. */
  readonly lockfile: string;
  /** True for a package that is not installed together with the root. */
  readonly isAlone?: boolean;
}

const LOCKFILES: readonly (readonly [file: string, name: ManagerName])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
];

const DECLARED = /^(npm|pnpm|yarn|bun)@([\w.-]+)/;

/**
 * Finds the package manager of a project: the one named in its package.json, otherwise the one whose lockfile exists.
 */
export async function findPackageManager(root: WorkspaceRoot, declared: unknown): Promise<PackageManager> {
  const [, named, version] = DECLARED.exec(typeof declared === 'string' ? declared : '') ?? [];
  const candidates = LOCKFILES.filter(([, owner]) => named === undefined || owner === named);
  for (const [lockfile, name] of candidates) if (await root.exists(lockfile)) return { name, version, lockfile };
  const isPnpm = named === undefined && (await root.exists('pnpm-workspace.yaml'));
  const [lockfile, name] = isPnpm ? LOCKFILES[0]! : named === undefined ? LOCKFILES.at(-1)! : candidates[0]!;
  return { name, version, lockfile };
}

/**
 * Finds the package manager of a package: that of the project where it installs both together. Otherwise the package may
 * have one of its own, and has its lockfile.
 *
 * @param folder relative to the root
 */
export async function findManagerOf(root: WorkspaceRoot, folder: string): Promise<PackageManager> {
  const shared = await findPackageManager(root, await readDeclared(root, ''));
  if (await isInstalledWithRoot(root, folder, shared.name)) return shared;
  const declared = await readDeclared(root, folder);
  const has = await Promise.all(LOCKFILES.map(([file]) => root.exists(posix.join(folder, file))));
  const [, named, version] = DECLARED.exec(typeof declared === 'string' ? declared : '') ?? [];
  const found = LOCKFILES.find(([, owner], index) => has[index] && (named === undefined || owner === named));
  const name = (named as ManagerName | undefined) ?? found?.[1] ?? shared.name;
  const [file] = found ?? LOCKFILES.find(([, owner]) => owner === name)!;
  const own = name === shared.name ? (version ?? shared.version) : version;
  return { name, version: own, lockfile: posix.join(folder, file), isAlone: true };
}

async function readDeclared(root: WorkspaceRoot, folder: string): Promise<unknown> {
  return (await readFields(root, posix.join(folder, 'package.json')))['packageManager'];
}

type ListSettings = (text: string) => readonly string[] | Promise<readonly string[]>;

/** Keys of npm that name a program or code, and keys that are written in an unusual way. */
const NPM_KEYS =
  /^\s*(?:script-shell|shell|node-options|git|node-gyp|(?:global-)?pnpmfile)\s*=|^\s*[^#;\s=][^=]*[^\w@.:/\s=-][^=]*=/;

/** Files whose settings can name a program or code. */
const SETTING_FILES: readonly (readonly [file: string, list: ListSettings])[] = [
  ['.npmrc', pickSettingLines(NPM_KEYS)],
  ['.yarnrc', pickSettingLines(/yarn-path|script-shell/)],
  ['bunfig.toml', pickSettingLines(/preload|shell|\\/)],
  ['.yarnrc.yml', pickSettingKeys(['yarnPath', 'plugins', 'injectEnvironmentFiles'])],
  [
    'pnpm-workspace.yaml',
    pickSettingKeys(['scriptShell', 'nodeOptions', 'pnpmfile', 'globalPnpmfile', 'configDependencies']),
  ],
  ['.pnpmfile.cjs', () => ['loaded by pnpm']],
  ['.pnpmfile.mjs', () => ['loaded by pnpm']],
];

function pickSettingLines(pattern: RegExp): ListSettings {
  return (text) => text.split(/[\r\n]+/).flatMap((line) => (pattern.test(line) ? [line.trim()] : []));
}

function pickSettingKeys(keys: readonly string[]): ListSettings {
  return async (text) => {
    const fields = Object((await import('yaml')).parse(text)) as Readonly<Record<string, unknown>>;
    return keys.flatMap((key) => (key in fields ? [`${key}: ${JSON.stringify(fields[key])}`] : []));
  };
}

/**
 * Lists what makes package managers run programs or code of the project in addition to what they are asked to run, as
 * `file: setting`: the shell for scripts, modules that are loaded first.
 *
 * @param folders paths relative to the root
 */
export async function listManagerPrograms(root: WorkspaceRoot, folders: readonly string[]): Promise<readonly string[]> {
  const places = [...new Set(folders.map((folder) => posix.normalize(folder)))];
  const found = places.flatMap((folder) =>
    SETTING_FILES.map(async ([file, list]) => {
      const path = posix.join(folder, file);
      try {
        if (!(await root.exists(path))) return [];
        const settings = await list((await root.readText(path, { secrets: true })).text);
        return settings.map((setting) => `${path}: ${setting}`);
      } catch {
        return [`${path}: cannot be read`];
      }
    }),
  );
  return (await Promise.all(found)).flat();
}
