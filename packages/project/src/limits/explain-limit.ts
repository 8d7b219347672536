const NO_NETWORK =
  /\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND|EAI_NODATA)\b|[Nn]etwork is unreachable|[Tt]emporary failure in name resolution|[Cc]ould not resolve|[Nn]ame or service not known|[Nn]o route to host|no such host|Failed to connect to (?!localhost|127\.|::1)|dial (?:tcp|udp)[^\n]*(?:lookup|unreachable)/;
const READ_ONLY = /\bEROFS\b|[Rr]ead-only file ?system|read only file system|Device or resource busy[^\n]*|\bEBUSY\b/;
const NO_SOCKET = /[Cc]annot connect to the (?:Docker|Podman)|(?:docker|podman)\.sock\b|\.s\.PGSQL\.\d+/;

/** How a limited command was started, and what it printed. */
export interface LimitedRun {
  readonly output: string;
  /** False if it might use the network. */
  readonly hasNetwork: boolean;
  /** The call that runs it with the network; undefined if there is none. */
  readonly withNetwork?: string | undefined;
}

/** Says which limits a failed command may have met, in a line each, and what to type. */
export function explainLimits({ output, hasNetwork, withNetwork }: LimitedRun): readonly string[] {
  const instead =
    withNetwork === undefined
      ? 'The user can allow it: "commands": {"network": true}'
      : `If it needs more: ${withNetwork}`;
  return [
    ...(!hasNetwork && NO_NETWORK.test(output)
      ? [`limit: it had no network of this machine, only servers of this session. ${instead}`]
      : []),
    ...(READ_ONLY.test(output) ? [explainRepository(output) ?? READ_ONLY_LIMIT] : []),
    ...(NO_SOCKET.test(output) ? [SOCKET_LIMIT] : []),
  ];
}

/** A file of git that could not be created, in the folder of a repository that is named from the root. */
const REPOSITORY_FILE = /'(\/[^'\n]*\/\.git)\/[^'\n]*': Read-only file system/;

/** Explains why git cannot write; the repository stays closed, because a command could change what git runs there. */
function explainRepository(output: string): string | undefined {
  const [, folder] = REPOSITORY_FILE.exec(output) ?? [];
  if (folder === undefined) return undefined;
  return `limit: the repository above the workspace is read-only for commands. To commit: <git.commit:Message files=a.ts>. The user can open it, with its hooks and settings, which run programs: "commands": {"writable": [${JSON.stringify(folder)}]}`;
}

const READ_ONLY_LIMIT =
  'limit: it could write only the workspace without protected files, /tmp and caches. The user can add a folder: "commands": {"writable": ["~/folder"]}';
const SOCKET_LIMIT =
  'limit: it reached no socket of a service of this machine. The user can add one: "commands": {"writable": ["/run/docker.sock"]}';
