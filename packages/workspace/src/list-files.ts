import { readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { callbackify } from 'node:util';
import type { FileSystemAdapter } from 'fast-glob';
import type { IgnoreRules } from './ignore-rules.ts';

/** Where to look, and what to leave out. */
export interface FileListing {
  /** Absolute path of the workspace. */
  readonly root: string;
  /** Folder to look in, below the root and without links; `''` for the root. */
  readonly folder: string;
  /** Most levels to go down. Default: all. */
  readonly depth?: number | undefined;
  /** Names of folders that are not entered. */
  readonly skipped: readonly string[];
  /** Leaves out what these rules exclude. */
  readonly rules?: IgnoreRules | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The regular files below a folder, as paths from there, in no order. Links are not followed. */
export async function* listFiles(listing: FileListing): AsyncGenerator<string> {
  const { root, folder, depth, skipped, rules, signal } = listing;
  const { default: fastGlob } = await import('fast-glob');
  const stream = fastGlob.stream('**', {
    cwd: join(root, folder),
    dot: true,
    followSymbolicLinks: false,
    suppressErrors: true,
    ignore: skipped.map((name) => `**/${name}/**`),
    ...(depth !== undefined && { deep: depth }),
    ...(rules !== undefined && { fs: { readdir: readdirWithout(rules, root) } }),
  });
  for await (const path of stream) {
    signal?.throwIfAborted();
    yield String(path);
  }
}

type Readdir = NonNullable<FileSystemAdapter['readdir']>;
type ReaddirDone = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/** fast-glob's way into folders, without the entries that are ignored: an ignored folder is never entered. */
function readdirWithout(rules: IgnoreRules, root: string): Readdir {
  const entriesOf = callbackify(async (folder: string) => {
    const entries = await readdir(folder, { withFileTypes: true });
    return withoutIgnored(entries, relative(root, folder), rules);
  });
  const read = (folder: string, _options: object, done: ReaddirDone): void => entriesOf(folder, done);
  return read as unknown as Readdir;
}

async function withoutIgnored(entries: Dirent[], folder: string, rules: IgnoreRules): Promise<Dirent[]> {
  const kept: Dirent[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (!(await rules.ignoresEntry(entry.isDirectory() ? `${path}/` : path))) kept.push(entry);
  }
  return kept;
}
