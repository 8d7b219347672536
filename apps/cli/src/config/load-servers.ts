import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ConfigurationError, type SpaceSource } from '@bae/core';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { KnownServer, Login, LoginStore, ServerMemory, ServerOptions, ServerSettings } from '@bae/mcp';
import type { Trust, TrustSubject } from '@bae/plugins';
import { OWN_NAMES } from '../built-in-spaces.ts';
import { getPathKind, readTextFile, writeUserFile } from './disk.ts';

/** File with the servers of a project, in the format that most agents read. */
const PROJECT_FILE = '.mcp.json';

/** Time limit for learning the tools of unknown servers, in milliseconds. */
const LEARNING_MS = 15_000;

interface ServerRequest {
  readonly root: string;
  /** Servers of the settings, with the settings file. */
  readonly listed: unknown;
  readonly file: string | undefined;
  /** True if the user named the file; its servers then need no further trust. */
  readonly isNamed: boolean;
  readonly trust: Pick<Trust, 'stateOf'>;
  /** Folder with the user's data. */
  readonly userFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Time without a call after which a server is ended, in milliseconds. Default: it runs as long as its session. */
  readonly serverIdleMs?: number | undefined;
}

export interface LoadedServers {
  readonly spaces: readonly SpaceSource[];
  readonly found: readonly FoundServer[];
  readonly untrusted: readonly TrustSubject[];
  readonly notices: readonly string[];
}

/** Returns the file with the user's servers, which are available in every folder. */
export function locateUserServers(userFolder: string): string {
  return join(userFolder, 'mcp.json');
}

/** Returns true if a folder or its user has servers in addition to those of the settings. */
export function hasServers(root: string, userFolder: string): boolean {
  return [join(root, PROJECT_FILE), locateUserServers(userFolder)].some((file) => getPathKind(file) === 'file');
}

/** Configured server, and its state in bae. */
export interface FoundServer {
  readonly name: string;
  readonly file: string;
  readonly state: 'used' | 'not trusted' | 'refused' | 'changed' | 'disabled';
  /** Name of its place; absent if it is not used. */
  readonly place?: string;
  /** Number of tools at the last response; absent if it has never responded. */
  readonly tools?: number;
  /** Description of how it is reached, line by line. */
  readonly about: readonly string[];
  /** Returns the mount options of a used server. They are not shown, because the settings may contain keys. */
  readonly getOptions?: () => ServerOptions;
}

/** Finds a server by its name, otherwise by that of its place, which two servers of one name do not share. */
export function findFoundServer(name: string, servers: readonly FoundServer[]): FoundServer | undefined {
  return servers.find((one) => one.name === name) ?? servers.find(({ place }) => place === name);
}

/**
 * Loads the servers of the settings, the project and the user as places. A server is started when it is first entered,
 * and used only if the user trusts it in its current form: its command and arguments, or its address. Servers added by
 * the user are trusted. A file of servers that cannot be read, and a server whose entry is wrong, is a notice, because
 * the file may be somebody else's: everything else goes on.
 *
 * @param taken names of the other places
 * @throws ConfigurationError for a server of the settings whose entry is wrong
 */
export async function loadServers(request: ServerRequest, taken: ReadonlySet<string>): Promise<LoadedServers> {
  const { root, listed, file, isNamed, trust, userFolder, env, serverIdleMs: idleMs } = request;
  if (listed === undefined && !hasServers(root, userFolder))
    return { spaces: [], found: [], untrusted: [], notices: [] };
  const { describeServer, readServers } = await import('@bae/mcp');
  const own = locateUserServers(userFolder);
  const project = join(root, PROJECT_FILE);
  const problems: string[] = [];
  const report = (problem: string): void => void problems.push(`left out: ${problem}`);
  const readFile = (path: string) =>
    getPathKind(path) === 'file'
      ? (readOr(() => readServers(readJsonFile(path), path, report), report) ?? NO_SERVERS)
      : NO_SERVERS;
  const sources = [
    {
      file: file ?? '',
      isNamed,
      servers: listed === undefined ? NO_SERVERS : readServers({ mcpServers: listed }, file ?? ''),
    },
    { file: own, isNamed: true, servers: readFile(own) },
    { file: project, isNamed: false, servers: readFile(project) },
    // What the user has written themselves comes first: of two servers with the same name it keeps that name.
  ].toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed));
  const spaces: SpaceSource[] = [];
  const found: FoundServer[] = [];
  const untrusted: TrustSubject[] = [];
  const learning: Promise<string | undefined>[] = [];
  const used = new Set(taken);
  const all = sources.flatMap(({ servers, ...source }) => nameServers(servers, source));
  for (const { name: given, settings, ...source } of all) {
    const about = describeServer(settings);
    const subject = makeSubject(given, settings, { ...source, about });
    const state = source.isNamed ? 'trusted' : trust.stateOf(subject);
    const memory = rememberServer(join(userFolder, 'servers', `${subject.digest}.json`));
    const known = memory.read();
    const facts = { name: given, file: source.file, about, ...(known?.pin && { tools: known.tools.length }) };
    if (settings.disabled === true) {
      found.push({ ...facts, state: 'disabled' });
      continue;
    }
    if (state !== 'trusted') {
      untrusted.push(subject);
      found.push({ ...facts, state: state === 'unknown' ? 'not trusted' : state });
      continue;
    }
    const name = findFreeName(given, used);
    used.add(name);
    const first = found.find((one) => one.name === given && one.place !== undefined);
    if (first !== undefined)
      problems.push(`${given} of ${source.file} is ${name}() here: ${first.file} has one of that name`);
    // Tool annotations of a server from the project are not trusted.
    const trusted = source.file !== project;
    const login = (url: string) => openLogin(userFolder, url);
    const renewal = `bae trust ${first === undefined ? given : name}`;
    const options = {
      name,
      title: given,
      settings,
      place: { folder: root, env, login, idleMs },
      memory,
      trusted,
      renewal,
    };
    found.push({ ...facts, state: 'used', place: name, getOptions: () => options });
    spaces.push(await mountServer(options));
    if (known === undefined) learning.push(learnHidden(options));
  }
  const failures = (await Promise.all(learning)).filter((problem) => problem !== undefined);
  return { spaces, found, untrusted, notices: [...problems, ...failures] };
}

/**
 * Mounts servers provided by another program as places, by name. @throws ConfigurationError for one that is written
 * wrongly
 */
export async function mountServers(
  servers: readonly (readonly [name: string, settings: object])[],
  place: { readonly root: string; readonly env: ServerRequest['env'] },
): Promise<readonly SpaceSource[]> {
  if (servers.length === 0) return [];
  const { readServers } = await import('@bae/mcp');
  const used = new Set<string>(OWN_NAMES);
  const mounting = Array.from(
    readServers({ mcpServers: Object.fromEntries(servers) }, 'the editor'),
    ([given, settings]) => {
      const name = findFreeName(given, used);
      used.add(name);
      return mountServer({
        name,
        title: given,
        settings,
        place: { folder: place.root, env: place.env },
        trusted: true,
      });
    },
  );
  return Promise.all(mounting);
}

/** Creates the place of a server. Its secrets are hidden like those in the options of a package. */
async function mountServer(options: ServerOptions): Promise<SpaceSource> {
  const [{ listServerSecrets, mcpServer }, { hideSecrets }] = await Promise.all([
    import('@bae/mcp'),
    import('@bae/plugins'),
  ]);
  const { name, title = name, settings, place } = options;
  const listSecrets = () => listServerSecrets(title, settings, place);
  return { name, create: (session) => hideSecrets(session.create(mcpServer(options)), listSecrets) };
}

/** Asks an unknown server for its tools. @returns the reason why it did not answer, without its secrets */
async function learnHidden(options: ServerOptions): Promise<string | undefined> {
  const [{ learnTools, listServerSecrets }, { runHidden }] = await Promise.all([
    import('@bae/mcp'),
    import('@bae/plugins'),
  ]);
  const { name, title = name, settings, place } = options;
  const learn = () => learnTools({ ...options, signal: AbortSignal.timeout(LEARNING_MS) });
  return runHidden(learn, listServerSecrets(title, settings, place));
}

const NO_SERVERS: ReadonlyMap<string, ServerSettings> = new Map();

/** Returns a value, or undefined if it cannot be read, which is reported. */
export function readOr<T>(read: () => T, report: (problem: string) => void): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    report(error.message);
    return undefined;
  }
}

interface ServerSource {
  readonly file: string;
  readonly isNamed: boolean;
}

function nameServers(servers: ReadonlyMap<string, ServerSettings>, source: ServerSource) {
  return Array.from(servers, ([name, settings]) => ({ name, settings, ...source }));
}

function makeSubject(
  name: string,
  settings: ServerSettings,
  { file, about }: Pick<ServerSource, 'file'> & { readonly about: readonly string[] },
): TrustSubject {
  return { kind: 'server', name, path: `${file}#${name}`, digest: hashSettings(settings), about };
}

function hashSettings(settings: ServerSettings): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}

/** Names of built-in places, and names with another meaning. */
const RESERVED: ReadonlySet<string> = new Set([
  'home',
  'back',
  'up',
  'nav',
  'help',
  'go',
  'group',
  'result',
  'filesystem',
  'read',
  'write',
  'edit',
  'glob',
  'grep',
]);

/** Returns an identifier for a server that no other place has. */
function findFreeName(given: string, used: ReadonlySet<string>): string {
  const plain = given.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replace(/^(?=[^A-Za-z_])/, '_');
  let name = RESERVED.has(plain.toLowerCase()) || used.has(plain) ? `mcp_${plain}` : plain;
  for (let count = 2; used.has(name); count++) name = `mcp_${plain}_${count}`;
  return name;
}

/** Remembers facts about a server in a file of the user. A damaged file is ignored. */
function rememberServer(file: string): ServerMemory {
  return {
    read: () => {
      try {
        const known = JSON.parse(readTextFile(file)) as KnownServer;
        return Array.isArray(known.tools) && typeof known.pin === 'string' ? known : undefined;
      } catch {
        return undefined;
      }
    },
    write: (known) => writeUserFile(file, JSON.stringify(known)),
  };
}

/** Opens the stored login at a server, in a file that no other user can read. */
export function openLogin(userFolder: string, url: string): LoginStore {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 32);
  const file = join(userFolder, 'logins', `${name}.json`);
  return {
    read: () => {
      try {
        const login = JSON.parse(readTextFile(file)) as Login;
        return login.url === url ? login : undefined;
      } catch {
        return undefined;
      }
    },
    write: (login) => {
      if (!writeUserFile(file, `${JSON.stringify(login)}\n`))
        throw new ConfigurationError(`${file} cannot be written.`, ['make its folder writable, or set BAE_HOME']);
    },
  };
}

/**
 * Reads the value in a JSON file, with the comments and trailing commas that editors write. @throws ConfigurationError
 * when it cannot be read
 */
export function readJsonFile(file: string): unknown {
  const text = readOrThrow(file);
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return value;
  const line = text.slice(0, first.offset).split('\n').length;
  throw createUnreadableError(file, `${printParseErrorCode(first.error)} in line ${line}`);
}

function readOrThrow(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    throw createUnreadableError(file, (error as Error).message, error);
  }
}

function createUnreadableError(file: string, why: string, cause?: unknown): ConfigurationError {
  const example = '{"mcpServers": {"github": {"command": "npx", "args": ["-y", "PACKAGE"]}}}';
  return new ConfigurationError(`${file}: cannot be read: ${why}.`, [example], cause);
}
