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
