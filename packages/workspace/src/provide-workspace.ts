import { mkdirSync } from 'node:fs';
import { ConfigurationError, type Provision } from '@bae/core';
import { type WorkspaceOptions, WorkspaceRoot } from './workspace-root.ts';

/** The token by which a resourcespace gets the user's files: `@inject(WORKSPACE_ROOT) root: WorkspaceRoot`. */
export const WORKSPACE_ROOT = Symbol.for('bae.workspace-root');

/**
 * Gives the spaces of an agent a folder to work in: `createAgent({ provide: [provideWorkspace('.')] })`.
 *
 * @throws ConfigurationError when it is no folder
 */
export function provideWorkspace(folder: string, options: WorkspaceOptions = {}): Provision {
  const root = new WorkspaceRoot(folder, options);
  return { token: WORKSPACE_ROOT, value: root, createDraft: () => root.createDraft() };
}

/**
 * The workspace among what an application provides, for a function that makes spaces:
 * `spaces = (options, provided) => notes(getWorkspace(provided))`.
 *
 * @param provided values by token
 * @throws ConfigurationError when there is none
 */
export function getWorkspace(provided: ReadonlyMap<symbol | string, unknown> = new Map()): WorkspaceRoot {
  const root = provided.get(WORKSPACE_ROOT);
  if (root !== undefined) return root as WorkspaceRoot;
  throw new ConfigurationError('no workspace is provided. Provide one where the agent is created.', [
    "provide: [provideWorkspace('.')]",
  ]);
}

/** The token of the folder in which a package keeps what it needs in this workspace. */
const DATA_FOLDER = Symbol.for('bae.data-folder');

/**
 * Gives spaces a folder for what they keep, where they are not spaces of a package that a configuration names.
 *
 * @param folder absolute; it is made when a space asks for it
 */
export function provideDataFolder(folder: string): Provision {
  return { token: DATA_FOLDER, value: folder };
}

/**
 * The folder of a package for what it keeps: caches, tokens, an index. It is the user's own, outside of the workspace,
 * another one for each workspace, and only the user can read it.
 *
 * @param provided values by token
 * @returns its absolute path; it is made when it is not there
 * @throws ConfigurationError when the application provides none
 */
export function getDataFolder(provided: ReadonlyMap<symbol | string, unknown> = new Map()): string {
  const folder = provided.get(DATA_FOLDER);
  if (typeof folder !== 'string') {
    throw new ConfigurationError('no data folder is provided: only packages that a configuration names have one.', [
      "provide: [provideDataFolder('/absolute/path')]",
    ]);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
