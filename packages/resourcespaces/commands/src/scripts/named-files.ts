import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path/posix';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import type { Script } from './script.ts';

/** What a script runs besides its own text. */
export interface ScriptIdentity {
  /** Changes with the file of the script, and with the given files that scripts in it name. */
  readonly digest: string;
  /** Those files, relative to the root. */
  readonly files: readonly string[];
}

const MOST_SHOWN = 12;

/**
 * Identifies what a script runs: `node scripts/build.js` runs what the file contains, which a tool may have written. The
 * files that all scripts of its file name are included, because one script may run another.
 *
 * @param written files that tools have changed, relative to the root
 */
export async function identifyScript(
  root: WorkspaceRoot,
  {
    script,
    all,
    written,
  }: { readonly script: Script; readonly all: readonly Script[]; readonly written: readonly string[] },
): Promise<ScriptIdentity> {
  if (written.length === 0) return { digest: script.fingerprint, files: [] };
  const texts = all.filter(({ file }) => file === script.file).flatMap(({ steps }) => steps.map(({ text }) => text));
  const words = texts.flatMap((text) => text.split(/[\s"'`;&|()<>=,]+/)).filter((word) => word !== '');
  const named = new Set(words.map((word) => join(dirname(script.file), word)));
  const files = written.filter((path) => named.has(path)).toSorted();
  if (files.length === 0) return { digest: script.fingerprint, files };
  const hashes = await Promise.all(
    files.map(async (path) => (await root.exists(path)) && (await root.digest(path)).hash),
  );
  const digest = createHash('sha256')
    .update(JSON.stringify([script.fingerprint, files, hashes]))
    .digest('hex');
  return { digest: digest.slice(0, 16), files };
}

/** Names the files that a session has changed, for a person who is asked; those that scripts name first. */
export function renderChangedFiles(
  changed: readonly string[] | undefined,
  named: readonly string[],
): readonly string[] {
  if (changed === undefined) return ['changed in this session: not known, since programs ran in the background'];
  if (changed.length === 0) return [];
  const run = changed.filter((path) => named.includes(path));
  const others = changed.filter((path) => !named.includes(path));
  const all = [...run.map((path) => `${formatPath(path)} (named by a script)`), ...others.map(formatPath)];
  const more = all.length > MOST_SHOWN ? ` +${all.length - MOST_SHOWN}` : '';
  return [`changed in this session: ${all.slice(0, MOST_SHOWN).join(', ')}${more}`];
}
