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

  /**
   * Returns the folder of a session, and creates it if it does not exist yet.
   *
   * @throws ConfigurationError when it no longer exists; ApiError when it is no longer offered
   */
  async open({ id, workspace }: Pick<Session, 'id' | 'workspace'>): Promise<string> {
    await this.check(workspace);
    if (workspace.type === 'git') return this.git.open(id, workspace);
    if (workspace.type === 'none') {
      const empty = join(this.#data, 'empty', id);
      mkdirSync(empty, { recursive: true, mode: 0o700 });
      return realpathSync(empty);
    }
    const folder = this.#folders.get(workspace.name)!;
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(folder);
    throw new ConfigurationError(`the folder ${workspace.name} does not exist on this machine.`);
  }
}
