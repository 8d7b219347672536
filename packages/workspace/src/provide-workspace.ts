import { mkdirSync } from 'node:fs';
import { ConfigurationError, type Provision } from '@bae/core';
import { createSearchArgument } from './search/search-argument.ts';
import { makeConfine, type WorkspaceOptions, WorkspaceRoot } from './workspace-root.ts';

/** Token by which a resourcespace gets the user's files: `@inject(WORKSPACE_ROOT) root: WorkspaceRoot`. */
export const WORKSPACE_ROOT = Symbol.for('bae.workspace-root');

/**
 * Provides the spaces of an agent with a folder to work in: `createAgent({ provide: [provideWorkspace('.')] })`. The folder
 * is held open until the result is disposed of, or is no longer used; a process with many agents disposes of each one's
 * after its `close()`.
 *
 * @throws ConfigurationError when it is not a folder
 */
export function provideWorkspace(folder: string, options: WorkspaceOptions = {}): Provision & Disposable {
  const root = new WorkspaceRoot(folder, options);
  return {
    token: WORKSPACE_ROOT,
    value: root,
    createDraft: () => root.createDraft(),
    restrict: (rules) => root.restrict(rules),
    confine: makeConfine(root),
    findLines: (text, search) => findMatchingLines(root, text, search),
    [Symbol.dispose]: () => root[Symbol.dispose](),
  };
}

type FindLines = NonNullable<Provision['findLines']>;

/** Searches a text that is no file with the engine, and the reading of the argument, of searches in files. */
async function findMatchingLines(
  root: WorkspaceRoot,
  text: string,
  { argument, ...search }: Parameters<FindLines>[1],
): ReturnType<FindLines> {
  const { pattern, none, withoutFlags } = createSearchArgument({ argument, path: '' }, () => false);
  const find = async (sought: string) =>
    (await root.grep({ ...search, pattern: sought, text, limit: Infinity })).rows.map(({ line }) => line);
  const lines = await find(pattern);
  if (lines.length > 0 || withoutFlags === undefined) return { lines, none };
  return { lines: await find(withoutFlags.pattern), none };
}

/**
 * Returns the workspace from the values that an application provides, for functions that create spaces:
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

/** Token of the folder in which a package stores its data for this workspace. */
const DATA_FOLDER = Symbol.for('bae.data-folder');

/**
 * Provides a data folder for spaces that do not belong to a package named in a configuration.
 *
 * @param folder absolute path; it is created when a space requests it
 */
export function provideDataFolder(folder: string): Provision {
  return { token: DATA_FOLDER, value: folder };
}

/**
 * Returns the folder in which a package stores its data: caches, tokens, an index. It belongs to the user, is outside
 * of the workspace and separate for each workspace, and only the user can read it.
 *
 * @param provided values by token
 * @returns its absolute path; the folder is created when it does not exist
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
