import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AgentOptions, ConfigurationError, type Provision, type SpaceSource } from '@bae/core';
import type { Mount, PluginProcess, Trust, TrustStore, TrustSubject } from '@bae/plugins';
import { BUILT_IN, HOME, isOfUse, OWN_NAMES, SKILLS, TERMINAL } from '../built-in-spaces.ts';
import type { LiveSpaces } from '../dev/live-spaces.ts';
import { type BaeConfig, listRules } from './bae-config.ts';
import { getPathKind, readTextFile } from './disk.ts';
import { type FoundServer, hasServers, loadServers } from './load-servers.ts';
import { listCode, listLoadedPaths, listPackageCode } from './own-code.ts';
import { locateUserFolder } from '../user-key.ts';

/** Names of settings files. The first that exists is used, but code only if it is trusted. */
const NAMES = ['bae.config.ts', 'bae.config.js', 'bae.config.json'];

export interface ConfigPlace {
  readonly root: string;
  /** File given by `--config`, as an absolute path. */
  readonly file?: string | undefined;
  /** Environment, which locates the file with the user's trust decisions. Default: nothing is trusted. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** True to ignore everything in a folder that the user has not trusted, including harmless settings. */
  readonly trustedOnly?: boolean;
  /** Time without a call after which a mounted server is ended, in milliseconds. Default: none. */
  readonly serverIdleMs?: number | undefined;
}

/** Creates the spaces below home. `live` adopts those whose code can change. */
export type PlaceSpaces = (provide: readonly Provision[], live?: LiveSpaces) => readonly SpaceSource[];

export interface UsedPackage {
  readonly name: string;
  readonly folder: string;
  /** Where its code runs. */
  readonly process: PluginProcess;
}

export interface LoadedConfig {
  readonly config: Omit<BaeConfig, 'spaces' | 'discover' | 'mcpServers'>;
  /** Mounted servers, which are added to the other spaces. */
  readonly servers: readonly SpaceSource[];
  readonly foundServers: readonly FoundServer[];
  /** Absolute path; absent if there is no configuration. */
  readonly file?: string;
  /** Creates the spaces below home. Default: the built-in ones. */
  readonly spaces?: PlaceSpaces;
  /** Creates the hooks of the packages whose spaces are used. */
  readonly packageHooks?: (provide: readonly Provision[]) => NonNullable<AgentOptions['hooks']>;
  /** The trusted packages whose spaces are used, once for each space. */
  readonly packages?: readonly UsedPackage[];
  /**
   * Absolute paths of the code that decides what an agent may do: what the settings import, the installed packages that
   * are used, the packages that all of them load, and where these are looked up.
   */
  readonly ownCode?: readonly string[];
  /** Files and packages that are not used, or not fully, until a person trusts them. */
  readonly untrusted: readonly TrustSubject[];
  readonly notices: readonly string[];
}

/** Usable part of the settings files. */
type UsableConfig = Omit<LoadedConfig, 'config' | 'spaces' | 'servers' | 'foundServers'> & {
  readonly config: BaeConfig;
};

type Plugins = typeof import('@bae/plugins');

/**
 * Loads the settings of a folder, and finds the spaces that they name.
 *
 * Until the user trusts it, a file in the folder is used without its code and its dangerous settings. A file given by
 * `--config` is used completely. Packages must always be trusted.
 *
 * @throws ConfigurationError when a file cannot be read or is invalid
 */
export async function loadConfig({
  root,
  file,
  env,
  trustedOnly = false,
  serverIdleMs,
}: ConfigPlace): Promise<LoadedConfig> {
  const inFolder = NAMES.map((name) => join(root, name)).filter((path) => getPathKind(path) !== 'nothing');
  const userFolder = locateUserFolder(env ?? {});
  if (file === undefined && inFolder.length === 0 && !hasServers(root, userFolder))
    return { config: {}, servers: [], foundServers: [], untrusted: [], notices: [] };
  const plugins = await import('@bae/plugins');
  const trust = env === undefined ? NOBODY : loadTrust(env, plugins);
  const usable =
    file === undefined
      ? await loadUsable(inFolder, { trust, trustedOnly }, plugins)
      : { ...(await loadNamedFile(file, plugins)), file, untrusted: [], notices: [] };
  const withSpaces = await addSpaces(usable, { trust, root, env: env ?? {} }, plugins);
  const { spaces, found, untrusted, notices } = await loadServers(
    {
      root,
      listed: usable.config.mcpServers,
      file: usable.file,
      isNamed: file !== undefined,
      trust,
      userFolder,
      env: env ?? {},
      serverIdleMs,
    },
    new Set(OWN_NAMES),
  );
  const folders = withSpaces.packages?.map(({ folder }) => folder) ?? [];
  const ownCode = [...(usable.ownCode ?? []), ...listPackageCode(folders, trust)];
  const protectedCode = ownCode.length === 0 ? [] : listLoadedPaths(ownCode, root);
  const loaded = {
    ...withSpaces,
    ...(protectedCode.length > 0 && { ownCode: protectedCode }),
    servers: spaces,
    foundServers: found,
    untrusted: [...withSpaces.untrusted, ...untrusted],
    notices: [...withSpaces.notices, ...notices, ...explainUntrusted(untrusted)],
  };
  if (trust.problem === undefined) return loaded;
  // Do not ask for trust if the decision cannot be stored.
  return { ...loaded, untrusted: [], notices: [trust.problem, ...loaded.notices] };
}

/** Trust decisions of the user, and the reason if they cannot be read. */
type UserTrust = Trust & Pick<TrustStore, 'entries'> & { readonly problem?: string };

/** Trusts nothing, so that nothing is loaded. */
const NOBODY: UserTrust = {
  entries: () => [],
  stateOf: () => 'unknown',
  addWantedTo: (subject) => subject,
  loadsOf: () => undefined,
  addLoads: () => undefined,
  addWanted: () => undefined,
};

/** Loads the trust decisions. If their file is damaged, nothing is trusted. */
function loadTrust(env: NonNullable<ConfigPlace['env']>, { PluginError, TrustStore: Store }: Plugins): UserTrust {
  const trust = Store.ofUser(env);
  try {
    trust.entries();
    return trust;
  } catch (error) {
    if (error instanceof PluginError) return { ...NOBODY, problem: error.message };
    throw error;
  }
}

/** Finds the spaces named in a configuration, without running their code. */
async function addSpaces(
  usable: UsableConfig,
  {
    trust,
    root,
    env,
  }: { readonly trust: UserTrust; readonly root: string; readonly env: NonNullable<ConfigPlace['env']> },
  { placeHooks, placeMounts, resolveMounts }: Plugins,
): Promise<Omit<LoadedConfig, 'servers' | 'foundServers'>> {
  const { spaces: entries = [], discover = false, mcpServers: _, ...config } = usable.config;
  const { disabled = [] } = config;
  if (entries.length === 0 && !discover && disabled.length === 0) return { ...usable, config };
  const {
    mounts: found,
    untrusted,
    notices,
    problems,
  } = await resolveMounts({
    entries,
    discover,
    disabled: disabled.filter((name) => name !== HOME && name !== TERMINAL && name !== SKILLS),
    from: usable.file === undefined ? root : dirname(usable.file),
    trust,
    builtIn: BUILT_IN,
  });
  const mounts = found.filter(
    ({ thing, key }) => key !== undefined || thing.type !== 'source' || isOfUse(thing.name, root),
  );
  const file = basename(usable.file ?? '');
  if (problems.length > 0) throw new ConfigurationError(problems.map((problem) => `${file}: ${problem}`).join('\n'));
  const folder = usable.file === undefined ? root : dirname(usable.file);
  const pluginPlace = { env, folder, dataFolder: locatePluginData(root, env) };
  const packages = mounts.flatMap(({ thing }): readonly UsedPackage[] => {
    if (thing.type !== 'plugin') return [];
    const { plugin, process } = thing;
    return [{ name: plugin.name, folder: plugin.folder, process }];
  });
  return {
    ...usable,
    config,
    packages,
    spaces: (provide, live) => {
      const place: typeof placeMounts = (list, values) => placeMounts(list, values, pluginPlace);
      const adopt = (mount: Mount): Mount => live?.adopt(mount, { provide, place }) ?? mount;
      return place(mounts.map(adopt), provide);
    },
    packageHooks: (provide) => placeHooks(mounts, provide, pluginPlace),
    untrusted: [...usable.untrusted, ...untrusted],
    notices: [...usable.notices, ...notices, ...explainUntrusted(untrusted)],
  };
}

/** Returns the folder that contains a data folder for each package in a workspace. */
export function locatePluginData(root: string, env: NonNullable<ConfigPlace['env']>): string {
  const workspace = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(locateUserFolder(env), 'plugins', workspace);
}

function explainUntrusted(untrusted: LoadedConfig['untrusted']): readonly string[] {
  if (untrusted.length === 0) return [];
  const names = untrusted.map(({ name }) => name).join(', ');
  const [are, them] = untrusted.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return [`${names} ${are} not trusted and not used. To look at ${them} and trust ${them}: bae trust`];
}

/** Loads the first file that is trusted or harmless. Settings in JSON are used instead of untrusted code. */
async function loadUsable(
  files: readonly string[],
  { trust, trustedOnly }: { readonly trust: UserTrust; readonly trustedOnly: boolean },
  plugins: Plugins,
): Promise<UsableConfig> {
  const { configurationSubject } = plugins;
  const code = files.find(isCodeFile);
  const inert =
    code === undefined
      ? undefined
      : configurationSubject(code, ['settings in code, which runs whenever bae starts here']);
  const isTrusted = inert !== undefined && trust.stateOf(inert) === 'trusted';
  const config = isTrusted ? await tryReadTrusted(code!, { trust, subject: inert }, plugins) : undefined;
  if (config !== undefined) {
    const ownCode = listCode(plugins.listReachedFiles(code!), trust.loadsOf(inert!.path));
    return { config, file: code!, ownCode, untrusted: [], notices: [] };
  }
  const untrusted = inert ? [trust.addWantedTo(inert)] : [];
  const notices = untrusted.map(({ name }) =>
    isTrusted
      ? `${name} is not used: it loads code that you have not trusted, which was not run. ${explainTrust(name)}`
      : `${name} is code and was not run. ${explainTrust(name)}`,
  );
  const file = files.find((path) => !isCodeFile(path));
  if (file === undefined) return { config: {}, untrusted, notices };
  const whole = await readConfigFile(file);
  const part = restrictConfig(whole, basename(file));
  const subject = configurationSubject(file, [`settings: ${part.ignored.join(', ') || 'harmless ones'}`]);
  const isTrustNeeded = trustedOnly || part.ignored.length > 0;
  if (!isTrustNeeded || trust.stateOf(subject) === 'trusted') return { config: whole, file, untrusted, notices };
  if (trustedOnly)
    return {
      config: {},
      untrusted: [...untrusted, subject],
      notices: [
        ...notices,
        `${basename(file)} is not used, because it was only found here. ${explainTrust(basename(file))}`,
      ],
    };
  return { config: part.config, file, untrusted: [...untrusted, subject], notices: [...notices, ...part.notices] };
}

/** Reads settings that the user has named. They may load any code, which is the user's own then. */
async function loadNamedFile(file: string, plugins: Plugins): Promise<Pick<UsableConfig, 'config' | 'ownCode'>> {
  if (!isCodeFile(file)) return { config: await readConfigFile(file) };
  const loads = { files: {}, packages: {} };
  const trust: UserTrust = {
    ...NOBODY,
    addLoads: (_, { files, packages }) => {
      Object.assign(loads.files, files);
      Object.assign(loads.packages, packages);
    },
  };
  const code = { name: basename(file), path: file, files: new Map<string, string>(), trust, isNamed: true };
  const config = await readConfigFile(file, (url) => plugins.importTrusted(code, url));
  return { config, ownCode: listCode(plugins.listReachedFiles(file), loads) };
}

/** Runs a trusted settings file; undefined if it loads an untrusted file. */
async function tryReadTrusted(
  file: string,
  { trust, subject }: { readonly trust: Trust; readonly subject: TrustSubject },
  { hashCode, importTrusted, UntrustedFileError }: Plugins,
): Promise<BaeConfig | undefined> {
  const { digest, files } = hashCode(file);
  if (digest !== subject.digest) return undefined;
  try {
    return await readConfigFile(file, (url) =>
      importTrusted({ name: subject.name, path: subject.path, files, trust }, url),
    );
  } catch (error) {
    if (error instanceof ConfigurationError && error.cause instanceof UntrustedFileError) return undefined;
    throw error;
  }
}

function isCodeFile(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

type ImportModule = (url: string) => Promise<Readonly<Record<string, unknown>>>;

async function readConfigFile(path: string, importModule: ImportModule = (url) => import(url)): Promise<BaeConfig> {
  const name = basename(path);
  const value = await loadValue(path, importModule).catch((error: unknown) => {
    throw createReadError(name, error);
  });
  const { checkConfig } = await import('./check-config.ts');
  return checkConfig(value, name);
}

async function loadValue(path: string, importModule: ImportModule): Promise<unknown> {
  if (isCodeFile(path)) {
    const module = await importModule(pathToFileURL(resolve(path)).href);
    return module['default'] ?? module['config'];
  }
  const kind = getPathKind(path);
  // Reading a pipe or a device might never end.
  if (kind === 'folder' || kind === 'other') throw new Error('it is not a file');
  return JSON.parse(readTextFile(path)) as unknown;
}

function createReadError(name: string, error: unknown): ConfigurationError {
  const { message, code } = error as NodeJS.ErrnoException;
  const isMissing = code === 'ENOENT' || code === 'ERR_MODULE_NOT_FOUND';
  const reason = isMissing ? 'there is no such file' : message.split('\n')[0];
  const hints = ['a file like {"model": "ollama/NAME", "cap": 500}'];
  return new ConfigurationError(`${name}: cannot be read: ${reason}.`, hints, error);
}

/**
 * Removes the dangerous settings of a file that the user does not trust. It may deny calls but not allow them. It may
 * not send requests and keys to an address of its choice, even on this machine, add spaces or commands, or remove
 * sessions.
 *
 * @param name of the file, for messages
 */
export function restrictConfig(
  config: BaeConfig,
  name: string,
): { readonly config: BaeConfig; readonly ignored: readonly string[]; readonly notices: readonly string[] } {
  const { approve, baseUrl, spaces = [], discover = false, commands = false, keepSessions, ...harmless } = config;
  const rules = listRules(approve);
  const stricter = rules.filter(({ decision }) => decision !== 'allow');
  const kept = rules.length > 0 ? stricter : approve;
  const ignored = [
    ...(approve === 'all' ? ['approve: "all"'] : []),
    ...(stricter.length < rules.length ? ['what approve allows'] : []),
    ...(baseUrl === undefined ? [] : ['baseUrl']),
    ...(spaces.length > 0 ? ['spaces'] : []),
    ...(discover ? ['discover'] : []),
    ...(commands ? ['commands'] : []),
    ...(keepSessions === undefined ? [] : ['keepSessions']),
  ];
  const reason = `is not used, because the file was only found here. ${explainTrust(name)}`;
  return {
    config: {
      ...harmless,
      ...(kept !== undefined && kept !== 'all' && { approve: kept }),
    },
    ignored,
    notices: ignored.map((setting) => `${name}: ${setting} ${reason}`),
  };
}

function explainTrust(name: string): string {
  return `To use it: bae trust, or --config ${name}`;
}
