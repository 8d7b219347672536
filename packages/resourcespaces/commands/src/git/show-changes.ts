import type { ToolOutput } from '@bae/core';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import type { Git } from './run-git.ts';

/** Options for all commands that show diffs: no external programs, and no renames, so that each path is checked. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--no-renames', '--relative'] as const;

export interface ChangesRequest {
  readonly root: WorkspaceRoot;
  readonly git: Git;
  /** Git command with its options. */
  readonly command: readonly [string, ...string[]];
  /** Revisions as given by the caller. */
  readonly revisions: readonly string[];
  /** Files and folders; empty for the whole workspace. */
  readonly paths: readonly string[];
}

/** Shows diffs, without those of files that may hold secrets. */
export async function showChanges(request: ChangesRequest, signal: AbortSignal): Promise<ToolOutput> {
  const { git, root, command, revisions, paths } = request;
  const run = (options: readonly string[], hidden: readonly string[] = []) =>
    git.run({
      args: [...command, ...PLAIN, ...options, '--end-of-options', ...revisions, '--', ...toPathspecs(paths, hidden)],
      signal,
    });
  const names = (await run(['--name-only', '--format=', '-z'])).split('\0').map((name) => name.trim());
  const secret = await listSecrets(root, names);
  const text = await run(['--patch', '--stat'], secret);
  const note = secret.map((name) => `not shown, because it may hold secrets: ${formatPath(name)}`);
  return { text: [text.trimEnd(), ...note].filter((part) => part !== '').join('\n'), format: 'diff' };
}

/** Selects the files whose content is shown only with consent. */
export async function listSecrets(root: WorkspaceRoot, names: readonly string[]): Promise<readonly string[]> {
  const secret: string[] = [];
  for (const name of new Set(names.filter((one) => one !== ''))) {
    const info = await root.info(name).catch(() => undefined);
    if (info === undefined || info.secrecy !== undefined) secret.push(name);
  }
  return secret;
}

/** Converts paths to literal pathspecs for git; the whole workspace if there are none. */
export function toPathspecs(paths: readonly string[], hidden: readonly string[] = []): readonly string[] {
  const shown = paths.length === 0 ? ['.'] : paths.map((path) => `:(literal)${path}`);
  return [...shown, ...hidden.map((path) => `:(exclude,literal)${path}`)];
}
