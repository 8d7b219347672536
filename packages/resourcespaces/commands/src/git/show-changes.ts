import type { ToolOutput } from '@bae/core';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import type { Git } from './run-git.ts';

/** Options of everything that shows differences: no programs, no other names than those that are looked at. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--no-renames', '--relative'] as const;

export interface ChangesRequest {
  readonly root: WorkspaceRoot;
  readonly git: Git;
  /** The command of git with its options. */
  readonly command: readonly [string, ...string[]];
  /** Revisions, as they were given. */
  readonly revisions: readonly string[];
  /** Files and folders; none for all of the workspace. */
  readonly paths: readonly string[];
}

/** Shows differences, without those in files that may hold secrets. */
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

/** Those of the files whose content is shown only with consent. */
export async function listSecrets(root: WorkspaceRoot, names: readonly string[]): Promise<readonly string[]> {
  const secret: string[] = [];
  for (const name of new Set(names.filter((one) => one !== ''))) {
    const info = await root.info(name).catch(() => undefined);
    if (info === undefined || info.secrecy !== undefined) secret.push(name);
  }
  return secret;
}

/** Paths as git takes them, each as it is; all of the workspace for none. */
export function toPathspecs(paths: readonly string[], hidden: readonly string[] = []): readonly string[] {
  const shown = paths.length === 0 ? ['.'] : paths.map((path) => `:(literal)${path}`);
  return [...shown, ...hidden.map((path) => `:(exclude,literal)${path}`)];
}
