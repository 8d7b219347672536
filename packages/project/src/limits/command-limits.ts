import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResourceError, type Provision } from '@bae/core';
import { getWorkspace, WorkspaceRoot } from '@bae/workspace';
import { findIsolation, findProgram } from '../find-program.ts';
import { runProgram } from '../running-program.ts';
import type { Entrance, ProgramLimits } from '../supervise.ts';
import { Enclosure, LIMIT_TOOLS, type LimitTools } from './enclosure.ts';
import { findLimitedPlaces } from './limited-places.ts';

/** What commands of a model may do on this machine, where the system can limit them. */
export interface LimitOptions {
  /** False to run commands without limits. Default: true. */
  readonly limits?: boolean;
  /** True to let every command use the network of this machine. Default: only those that ask for it. */
  readonly network?: boolean;
  /** Files and folders outside of the workspace that commands may write: `~/.cache/tool`. Default: none. */
  readonly writable?: readonly string[];
}

/** Whether this machine can limit commands: the programs for it, or the reason why not, as a clause. */
export type LimitSupport = { readonly tools: LimitTools } | { readonly reason: string };

let support: Promise<LimitSupport> | undefined;

/** Finds out whether commands can be limited on this machine, which is tested once by trying. */
export function findLimits(): Promise<LimitSupport> {
  return (support ??= testMachine());
}

async function testMachine(): Promise<LimitSupport> {
  if ((await findIsolation()).type !== 'namespace') return { reason: 'this system offers no namespaces to bae' };
  const found = await Promise.all(LIMIT_TOOLS.map((name) => findProgram(name, { folder: process.cwd() })));
  const missing = LIMIT_TOOLS.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) return { reason: `${missing.join(', ')} of util-linux are not installed` };
  const tools = Object.fromEntries(LIMIT_TOOLS.map((name, index) => [name, found[index]!.path])) as LimitTools;
  const first = await tryLimits(tools);
  // Without limits because a machine was busy once would be dangerous.
  return 'reason' in first ? tryLimits(tools) : first;
}

async function tryLimits(tools: LimitTools): Promise<LimitSupport> {
  const folder = await mkdtemp(join(tmpdir(), 'bae-limits-'));
  try {
    using root = new WorkspaceRoot(folder);
    await using limits = new CommandLimits(root, {}, { tools });
    const { code, output, errors } = await runProgram(
      { command: '/bin/sh', args: ['-c', PROBE], folder: root.folder, inherits: 'basics', limits },
      AbortSignal.timeout(PATIENCE_MS),
    );
    return code === 0 ? { tools } : { reason: `a test failed: ${(errors || output).trim().split('\n')[0]}` };
  } catch (error) {
    return { reason: `a test failed: ${(error as Error).message.split('\n')[0]}` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const PATIENCE_MS = 30_000;
/** The workspace can be written and nothing else, and the only network is the loopback. */
const PROBE = `touch here || exit 1
test ! -w / || { echo / can be written; exit 1; }
test "$(grep -c : /proc/net/dev)" = 1 || { echo the network is there; exit 1; }
grep -q 'lo:' /proc/net/dev || exit 1`;

const limitsByWorkspace = new WeakMap<WorkspaceRoot, CommandLimits>();

/** Returns the limits of the commands in a workspace: one for all spaces, so that their commands reach each other. */
export function getCommandLimits(root: WorkspaceRoot): CommandLimits {
  const limits = limitsByWorkspace.get(root) ?? new CommandLimits(root);
  limitsByWorkspace.set(root, limits);
  return limits;
}

/**
 * Changes the limits of the commands that spaces run in a workspace:
 * `provide: [limitCommands(provideWorkspace('.'), { network: true })]`. Without it, the defaults apply.
 *
 * @param workspace what `provideWorkspace` returned
 * @returns the same
 */
export function limitCommands(workspace: Provision, options: LimitOptions): Provision {
  const root = getWorkspace(new Map([[workspace.token, workspace.value]]));
  limitsByWorkspace.set(root, new CommandLimits(root, options));
  return workspace;
}

/** Limits of the commands that a model runs in one workspace. */
export class CommandLimits implements ProgramLimits, AsyncDisposable {
  readonly #root: WorkspaceRoot;
  readonly #options: LimitOptions;
  readonly #support: LimitSupport | undefined;
  #enclosure: Promise<Enclosure> | undefined;

  /** @param support what this machine can do; default: what a test finds */
  constructor(root: WorkspaceRoot, options: LimitOptions = {}, support?: LimitSupport) {
    this.#root = root;
    this.#options = options;
    this.#support = support;
  }

  /** True if files outside of the workspace are read-only for commands. */
  async hold(): Promise<boolean> {
    return (await this.#findTools()) !== undefined;
  }

  /** True if commands have no network unless they ask for it. */
  async holdNetwork(): Promise<boolean> {
    return this.#options.network !== true && (await this.hold());
  }

  /**
   * Prepares the start of a program; undefined if there are no limits.
   *
   * @param network true if it may use the network of this machine
   * @throws ResourceError if this machine can set limits, but not now
   */
  async enter(folder: string, network = false): Promise<Entrance | undefined> {
    const tools = await this.#findTools();
    if (tools === undefined) return undefined;
    const building = (this.#enclosure ??= this.#build(tools));
    const enclosure = await building.catch((error: unknown) => {
      if (this.#enclosure === building) this.#enclosure = undefined;
      const cause = error instanceof Error ? error.message : String(error);
      const remedy = 'The user can turn them off: "commands": {"limits": false}';
      throw new ResourceError(`the limits of commands could not be set: ${cause}. ${remedy}`, [], error);
    });
    const fixed = await this.#root.listProtected();
    if (fixed.some(({ path, isHidden }) => isHidden && path === this.#root.folder)) {
      const fact = 'a rule restricts reading every file of this folder, so that no command can run in it.';
      throw new ResourceError(`${fact} The user can change that rule.`);
    }
    return enclosure.prepare(folder, fixed, network || this.#options.network === true);
  }

  /** Releases the namespaces; the next program gets new ones. */
  async close(): Promise<void> {
    // Several spaces close it at the same time.
    const building = this.#enclosure;
    this.#enclosure = undefined;
    (await building?.catch(() => undefined))?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #build(tools: LimitTools): Promise<Enclosure> {
    return Enclosure.build(tools, await findLimitedPlaces(this.#root, this.#options));
  }

  async #findTools(): Promise<LimitTools | undefined> {
    // The whole machine as a workspace leaves nothing to protect.
    if (this.#options.limits === false || this.#root.folder === '/') return undefined;
    const support = this.#support ?? (await findLimits());
    return 'tools' in support ? support.tools : undefined;
  }
}

// What stands between two words is bounded, since a program may print one endless line.
const NO_NETWORK =
  /\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND|EAI_NODATA|UnknownHostException|ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED)\b|[Nn]etwork is unreachable|[Tt]emporary failure (?:in name resolution|resolving)|[Cc]ould not resolve|unable to resolve host|[Nn]ame or service not known|[Nn]o route to host|no such host|Failed to connect to (?!localhost|127\.|::1)|dial (?:tcp|udp)[^\n]{0,200}(?:lookup|unreachable)/;
const READ_ONLY = /\bEROFS\b|[Rr]ead-only file ?system|read only file system|Device or resource busy|\bEBUSY\b/;

/** What else a failed command may have met, by what it printed. */
const OTHER_LIMITS: readonly (readonly [said: RegExp, limit: string])[] = [
  [
    /[Cc]annot connect to the (?:Docker|Podman)|(?:docker|podman)\.sock\b|\.s\.PGSQL\.\d+/,
    'limit: it reached no socket of a service of this machine. The user can add one: "commands": {"writable": ["/run/docker.sock"]}',
  ],
  [
    /\bENEEDAUTH\b|\bE401\b|Permission denied \(publickey|could not read Username|[Uu]nable to locate credentials|\/\.(?:npmrc|netrc|pypirc|ssh|aws|kube|docker)\b[^\n]{0,200}[Pp]ermission denied|(?:EACCES|[Pp]ermission denied)[^\n]{0,200}\/\.(?:npmrc|netrc|pypirc|ssh|aws|kube|docker)\b/,
    'limit: credentials in the home folder, such as ~/.npmrc and ~/.ssh, are hidden from it. The user can show one: "commands": {"writable": ["~/.npmrc"]}',
  ],
  [
    /no new privileges|effective (?:uid|user ID) is not 0|ptrace[^\n]{0,200}not permitted|mount: [^\n]{0,200}(?:permission denied|must be superuser)|unshare[^\n]{0,200}not permitted|No usable sandbox|Failed to move to new namespace/i,
    'limit: it can get no further rights: sudo, mount, ptrace, a sandbox of its own. The user can run it, or turn the limits off: "commands": {"limits": false}',
  ],
  [
    /\bENOSPC\b(?!: System limit)|[Nn]o space left on device/,
    'limit: /tmp and the home folder of the session have room for half of the memory. The user can add a folder on the disk: "commands": {"writable": ["~/.cache"]}',
  ],
];

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
    ...OTHER_LIMITS.flatMap(([said, limit]) => (said.test(output) ? [limit] : [])),
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
  'limit: it could write only the workspace without protected files and, until the session ends, /tmp and the home folder. The user can add a folder: "commands": {"writable": ["/srv/folder"]}';
