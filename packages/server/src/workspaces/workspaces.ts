import { mkdirSync, realpathSync, statSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import type { Session, Workspace } from '@bae/client';
import { ConfigurationError } from '@bae/core';
import { LONGEST_OUTPUT, startProgram } from '@bae/project';
import { ApiError } from '../http/api-error.ts';

export interface WorkspacesOptions extends GitOptions {
  /** Folders that sessions may work in, by name; absolute. All workers have the same folders under the same names. */
  readonly folders: ReadonlyMap<string, string>;
}

/** The folders that sessions work in: those that the operator offers, and those created for one session. */
export class Workspaces {
  readonly #folders: WorkspacesOptions['folders'];
  readonly #data: string;
  readonly git: GitWorkspaces;

  constructor({ folders, data, ...git }: WorkspacesOptions) {
    this.#folders = folders;
    this.#data = data;
    this.git = new GitWorkspaces({ data, ...git });
  }

  /** Refuses a workspace that the operator does not offer. @throws ApiError */
  readonly check = async (workspace: Workspace): Promise<void> => {
    if (workspace.type === 'git') this.git.check(workspace);
    if (workspace.type === 'folder' && !this.#folders.has(workspace.name))
      throw new ApiError('invalid', `workspace.name: this server offers ${[...this.#folders.keys()].join(', ')}.`);
  };

  /** Says why this process cannot work on a session: a worker may have other folders than its servers. */
  readonly findObstacle = ({ workspace }: Pick<Session, 'workspace'>): ConfigurationError | undefined => {
    if (workspace.type === 'none') return undefined;
    if (workspace.type === 'git') return this.#findGitObstacle(workspace);
    const folder = this.#folders.get(workspace.name);
    const hints = [`name it for this process: --folders ${workspace.name}=PATH`];
    if (folder === undefined) return new ConfigurationError(`this process has no folder ${workspace.name}.`, hints);
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    return isThere
      ? undefined
      : new ConfigurationError(`the folder ${workspace.name} does not exist on this machine.`, hints);
  };

  /**
   * Returns the folder of a session, and creates it if it does not exist yet.
   *
   * @throws ConfigurationError when this process does not have it
   */
  async open(session: Pick<Session, 'id' | 'workspace'>): Promise<string> {
    const obstacle = this.findObstacle(session);
    if (obstacle !== undefined) throw obstacle;
    const { id, workspace } = session;
    if (workspace.type === 'git') return this.git.open(id, workspace);
    if (workspace.type === 'folder') return realpathSync(this.#folders.get(workspace.name)!);
    const empty = join(this.#data, 'empty', id);
    mkdirSync(empty, { recursive: true, mode: 0o700 });
    return realpathSync(empty);
  }

  #findGitObstacle(workspace: Extract<Workspace, { type: 'git' }>): ConfigurationError | undefined {
    try {
      this.git.check(workspace);
      return undefined;
    } catch (error) {
      return new ConfigurationError((error as Error).message, ['--git-hosts HOST'], error);
    }
  }
}

interface GitOptions {
  /** Hosts whose repositories sessions may work on, with the port if it is not the usual one. */
  readonly gitHosts: readonly string[];
  /** File with settings for git, such as a credential helper; git does not read any other. */
  readonly gitConfig?: string | undefined;
  /** Absolute path of the folder for repositories and worktrees. Workers that share sessions share it. */
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type GitWorkspace = Extract<Workspace, { type: 'git' }>;

/** Matches branches, tags and commits, but nothing that git would read as an option or a range. */
const REF = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._/-]*$/;

/**
 * Options that keep code of a repository from running: no hooks, no submodules, no filters (git only reads the settings
 * in the operator's file), no transports except https and ssh, no redirects to other hosts.
 */
const SAFE = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.ssh.allow=always',
  'http.followRedirects=false',
  'transfer.fsckObjects=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'diff.external=',
].flatMap((setting) => ['-c', setting]);

/** Time limit of one git command, in milliseconds. */
const GIT_MS = 600_000;

/** Worktrees of repositories: each session has its own, and its changes are exported as a patch or a branch. */
export class GitWorkspaces {
  readonly #options: GitOptions;
  /** Pending fetches by repository. They run one after the other, because git locks the repository. */
  readonly #lanes = new Map<string, Promise<unknown>>();

  constructor(options: GitOptions) {
    this.#options = options;
  }

  /** @throws ApiError for an address or a ref that is not offered */
  check({ repository, ref }: GitWorkspace): void {
    const { gitHosts } = this.#options;
    const url = URL.canParse(repository) ? new URL(repository) : undefined;
    if (url === undefined || !['https:', 'ssh:'].includes(url.protocol))
      throw new ApiError('invalid', 'workspace.repository: expected an address that begins with https:// or ssh://.');
    if (!gitHosts.includes(url.host) || url.hostname.startsWith('-'))
      throw new ApiError('invalid', `workspace.repository: this server offers ${gitHosts.join(', ') || 'no hosts'}.`);
    // The rights of a token are compared with the address as it is written.
    if (url.href !== repository && url.href !== `${repository}/`)
      throw new ApiError('invalid', `workspace.repository: expected the address as it is without detours: ${url.href}`);
    if (url.password !== '' || (url.protocol === 'https:' && url.username !== '') || url.search + url.hash !== '')
      throw new ApiError('invalid', 'workspace.repository: expected an address without a password, ? and #.');
    if (ref !== undefined && !REF.test(ref))
      throw new ApiError('invalid', 'workspace.ref: expected the name of a branch or a tag, or a commit.');
  }

  /** Returns the worktree of a session, created on first use. @throws ConfigurationError with the error of git */
  async open(session: string, workspace: GitWorkspace): Promise<string> {
    const worktree = this.#locateWorktree(session);
    if (hasFolder(worktree)) return worktree;
    return this.#inLane(workspace.repository, async (store) => {
      const base = `refs/bae/${session}`;
      const fetch = ['fetch', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
      if (!hasFolder(store)) await this.#git(['init', '--quiet', '--bare', '--template=', store]);
      await this.#git([...fetch, workspace.repository, `+${workspace.ref ?? 'HEAD'}:${base}`], { store });
      mkdirSync(join(this.#options.data, 'worktrees'), { recursive: true, mode: 0o700 });
      // Use a temporary name until it is complete.
      const draft = `${worktree}.part`;
      rmSync(draft, { recursive: true, force: true });
      await this.#git(['worktree', 'prune'], { store });
      await this.#git(['worktree', 'add', '--quiet', '--detach', draft, base], { store });
      await this.#git(['worktree', 'move', draft, worktree], { store });
      return worktree;
    });
  }

  /** All changes of a session, new files included, as a patch for `git apply`. */
  async makePatch(session: string, workspace: GitWorkspace): Promise<string> {
    const { tree, store } = await this.#writeTree(session, workspace);
    const diff = ['diff', '--binary', '--no-ext-diff', '--no-textconv', '--no-color', `refs/bae/${session}`, tree];
    const patch = await this.#git(diff, { store });
    if (patch.length < LONGEST_OUTPUT) return patch;
    throw new ApiError('too_large', 'the changes are too long for a patch.', { hint: 'POST …/branch' });
  }

  /**
   * Commits the changes of a session to the branch `bae/SESSION` of its repository, and pushes it.
   *
   * @throws ApiError when nothing was changed
   * @returns the commit
   */
  async pushBranch(
    session: string,
    workspace: GitWorkspace,
    message: string,
  ): Promise<{ branch: string; commit: string }> {
    const { tree, store } = await this.#writeTree(session, workspace);
    const before = (await this.#git(['rev-parse', `refs/bae/${session}^{tree}`], { store })).trim();
    if (tree === before) throw new ApiError('conflict', 'the session has changed nothing in its repository.');
    const who = ['-c', 'user.name=bae', '-c', 'user.email=bae@localhost'];
    const commitTree = [...who, 'commit-tree', tree, '-p', `refs/bae/${session}`, '-m', message];
    const commit = (await this.#git(commitTree, { store })).trim();
    const branch = `bae/${session}`;
    await this.#git(['push', '--no-verify', workspace.repository, `+${commit}:refs/heads/${branch}`], { store });
    return { branch, commit };
  }

  /** Writes everything in the worktree as a tree, using a separate index. */
  async #writeTree(
    session: string,
    workspace: GitWorkspace,
  ): Promise<{ readonly tree: string; readonly store: string }> {
    const worktree = this.#locateWorktree(session);
    if (!hasFolder(worktree)) throw new ApiError('not_found', 'the session has not worked on its repository yet.');
    const store = this.#locateStore(workspace.repository);
    const index = { store, worktree, index: join(store, `bae-index-${session}`) };
    await this.#git(['read-tree', `refs/bae/${session}`], index);
    // Files that the session itself stores there do not belong to the repository.
    await this.#git(['add', '--all', '--force', '--', '.', ':(exclude,top).bae'], index);
    return { tree: (await this.#git(['write-tree'], index)).trim(), store };
  }

  #locateWorktree(session: string): string {
    return join(this.#options.data, 'worktrees', session);
  }

  #locateStore(repository: string): string {
    return join(this.#options.data, 'repositories', `${createHash('sha256').update(repository).digest('hex')}.git`);
  }

  #inLane<T>(repository: string, work: (store: string) => Promise<T>): Promise<T> {
    mkdirSync(join(this.#options.data, 'repositories'), { recursive: true, mode: 0o700 });
    const before = this.#lanes.get(repository) ?? Promise.resolve();
    const result = before.then(() => work(this.#locateStore(repository)));
    this.#lanes.set(
      repository,
      result.catch(() => undefined),
    );
    return result;
  }

  async #git(
    args: readonly string[],
    { store, worktree, index }: { readonly store?: string; readonly worktree?: string; readonly index?: string } = {},
  ): Promise<string> {
    const { data, gitConfig, env } = this.#options;
    const running = await startProgram({
      command: 'git',
      args: [
        ...SAFE,
        ...(store === undefined ? [] : [`--git-dir=${store}`]),
        ...(worktree ? [`--work-tree=${worktree}`] : []),
        ...args,
      ],
      folder: worktree ?? data,
      inherits: 'basics',
      environment: {
        ...(env['SSH_AUTH_SOCK'] !== undefined && { SSH_AUTH_SOCK: env['SSH_AUTH_SOCK'] }),
        GIT_CONFIG_GLOBAL: gitConfig ?? '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_TERMINAL_PROMPT: '0',
        GIT_ASKPASS: '/bin/false',
        GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
        GIT_LFS_SKIP_SMUDGE: '1',
        ...(index !== undefined && { GIT_INDEX_FILE: index }),
      },
    });
    const timer = setTimeout(() => void running.stop(), GIT_MS);
    const { code, output, errors } = await running.ended;
    clearTimeout(timer);
    if (code === 0) return output;
    // The reason of ssh comes before four lines of advice.
    const reason = errors.trim().split(/\n+/).slice(-5).join(' ') || 'it was stopped';
    throw new ConfigurationError(`git ${args.find((arg) => !arg.startsWith('-'))}: ${reason}`);
  }
}

function hasFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
