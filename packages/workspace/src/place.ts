import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { outside, containPath, type RootNames } from './contain-path.ts';
import { FileError } from './errors/file-error.ts';
import { showPath } from './show-path.ts';
import { systemError } from './system-error.ts';

const MOST_LINKS = 40;

/** Where a path leads after every link was followed. */
export interface Place {
  /** As it was asked for. */
  readonly given: string;
  /** Path below the root without links, `''` for the root; of a missing file, the one it would get. */
  readonly path: string;
  readonly absolute: string;
  /** Absent when nothing is there. */
  readonly stats?: Stats;
}

/**
 * Follows a path from the root, component by component, so that no link leads out.
 *
 * @throws PathError when the path or a link on it leaves the root; FileError when links go round in circles
 *   or a folder on the way cannot be searched
 */
export async function findPlace(given: string, names: RootNames): Promise<Place> {
  const root = names.roots[0] as string;
  const pending = split(containPath(given, names));
  let found: string[] = [];
  for (let links = 0; pending.length > 0;) {
    const name = pending.shift() as string;
    if (name === '..') {
      if (found.pop() === undefined) throw leaves(given, given);
      continue;
    }
    const here = [...found, name];
    const there = await lstatOrNone(join(root, ...here), given);
    if (!there?.isSymbolicLink()) {
      found = here;
      continue;
    }
    if (++links > MOST_LINKS) throw new FileError(`${showPath(given)} leads through too many links.`, ['<R:.>']);
    const target = await readlink(join(root, ...here));
    if (target.startsWith('/')) found = [];
    pending.unshift(...linkParts(target, { names, given, link: here.join('/') }));
  }
  const absolute = join(root, ...found);
  const stats = await lstatOrNone(absolute, given);
  return { given, path: found.join('/'), absolute, ...(stats !== undefined && { stats }) };
}

interface LinkContext {
  readonly names: RootNames;
  readonly given: string;
  readonly link: string;
}

function linkParts(target: string, { names, given, link }: LinkContext): string[] {
  if (!target.startsWith('/')) return split(target);
  const root = names.roots.find((root) => target === root || target.startsWith(root === '/' ? root : `${root}/`));
  if (root === undefined) throw leaves(given, link);
  return split(target.slice(root.length));
}

function leaves(given: string, link: string) {
  return outside(given, `the link ${showPath(link)} leads out of it.`);
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

async function lstatOrNone(absolute: string, given: string): Promise<Stats | undefined> {
  try {
    return await lstat(absolute);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw systemError(error, given);
  }
}
