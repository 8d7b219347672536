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
