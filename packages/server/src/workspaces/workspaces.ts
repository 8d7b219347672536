import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Session, Workspace } from '@bae/client';
import { ConfigurationError } from '@bae/core';
import { ApiError } from '../http/api-error.ts';
import { GitWorkspaces, type GitOptions } from './git-workspaces.ts';

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
