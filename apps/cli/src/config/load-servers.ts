import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ConfigurationError, type SpaceSource } from '@bae/core';
import type { KnownServer, ServerMemory, ServerSettings } from '@bae/mcp';
import type { Trust, TrustSubject } from '@bae/plugins';
import { getPathKind, readTextFile, writeUserFile } from './disk.ts';

/** Servers of a project, in the form that most agents read. */
const PROJECT_FILE = '.mcp.json';

/** Longest wait for the tools of servers that nothing is known about. */
const LEARNING_MS = 15_000;

interface ServerRequest {
  readonly root: string;
  /** The servers of the settings, and the file they are in. */
  readonly listed: unknown;
  readonly file: string | undefined;
  /** True when the user named the file: its servers need no further trust. */
  readonly isNamed: boolean;
  readonly trust: Pick<Trust, 'stateOf'>;
  /** Where the data of the user is. */
  readonly userFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface LoadedServers {
  readonly spaces: readonly SpaceSource[];
  readonly untrusted: readonly TrustSubject[];
  readonly notices: readonly string[];
}

/**
 * The servers of the settings and of the project as places. A server is not started before it is entered, and not used
 * before the user trusts it as it is: its command and arguments, or its address.
 *
 * @param taken names of the other places
 * @throws ConfigurationError for a file that cannot be read
 */
export async function loadServers(request: ServerRequest, taken: ReadonlySet<string>): Promise<LoadedServers> {
  const { root, listed, file, isNamed, trust, userFolder, env } = request;
  const project = join(root, PROJECT_FILE);
  const isProject = getPathKind(project) === 'file';
  if (listed === undefined && !isProject) return { spaces: [], untrusted: [], notices: [] };
  const { learnTools, mcpServer, describeServer, readServers } = await import('@bae/mcp');
  const found = [
    ...(listed === undefined
      ? []
      : listServers(readServers({ mcpServers: listed }, file ?? ''), { file: file ?? '', isNamed })),
    ...(isProject ? listServers(readServers(readJson(project), PROJECT_FILE), { file: project, isNamed: false }) : []),
  ];
  const spaces: SpaceSource[] = [];
  const learning: Promise<string | undefined>[] = [];
  const untrusted: TrustSubject[] = [];
  const used = new Set(taken);
  for (const { name: given, settings, ...source } of found) {
    if (settings.disabled === true) continue;
    const subject = makeSubject(given, settings, { ...source, about: describeServer(settings) });
    const state = source.isNamed ? 'trusted' : trust.stateOf(subject);
    if (state !== 'trusted') {
      untrusted.push(subject);
      continue;
    }
    const name = findFreeName(given, used);
    used.add(name);
    const memory = rememberServer(join(userFolder, 'servers', `${subject.digest}.json`));
    // What a project ships says nothing for itself.
    const trusted = source.file !== project;
    const options = { name, settings, place: { folder: root, env }, memory, trusted };
    spaces.push(mcpServer(options));
    if (memory.read() === undefined)
      learning.push(learnTools({ ...options, signal: AbortSignal.timeout(LEARNING_MS) }));
  }
  const notices = (await Promise.all(learning)).filter((problem) => problem !== undefined);
  return { spaces, untrusted, notices };
}

interface ServerSource {
  readonly file: string;
  readonly isNamed: boolean;
}

function listServers(servers: ReadonlyMap<string, ServerSettings>, source: ServerSource) {
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

/** Names of places that bae has, or that mean something else. */
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

/** An identifier for a server that no other place has. */
function findFreeName(given: string, used: ReadonlySet<string>): string {
  const plain = given.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replace(/^(?=[^A-Za-z_])/, '_');
  let name = RESERVED.has(plain.toLowerCase()) || used.has(plain) ? `mcp_${plain}` : plain;
  for (let count = 2; used.has(name); count++) name = `mcp_${plain}_${count}`;
  return name;
}

/** What is known about a server, in a file of the user's own. A damaged one counts as nothing. */
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

function readJson(file: string): unknown {
  try {
    return JSON.parse(readTextFile(file));
  } catch (error) {
    throw new ConfigurationError(
      `${PROJECT_FILE}: cannot be read: ${(error as Error).message}.`,
      ['{"mcpServers": {"github": {"command": "npx", "args": ["-y", "PACKAGE"]}}}'],
      error,
    );
  }
}
