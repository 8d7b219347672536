import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nearestName } from '@bae/core';
import { FileNotFoundError } from './errors/file-not-found-error.ts';
import { findInside, type Place } from './place.ts';
import type { RootFolder } from './root-folder.ts';
import { showPath } from './show-path.ts';

/** The error for a place where nothing is, naming the sibling that was probably meant. */
export async function missingFile(place: Pick<Place, 'given' | 'path'>, root: RootFolder): Promise<FileNotFoundError> {
  const shown = showPath(place.given);
  const { folder, suggestion } = await nearestPath(place.path, root);
  if (suggestion === undefined) {
    return new FileNotFoundError(`${shown} does not exist.`, [`<R:${showPath(folder || '.')}>`]);
  }
  return new FileNotFoundError(`${shown}. Did you mean ${showPath(suggestion)}?`, [`<R:${showPath(suggestion)}>`]);
}

interface Nearest {
  /** The deepest folder of the path that is there. */
  readonly folder: string;
  readonly suggestion?: string;
}

/** Replaces the first part of the path that is missing by the name most like it, and keeps the rest if that is there. */
async function nearestPath(path: string, root: RootFolder): Promise<Nearest> {
  const parts = path.split('/');
  let folder = '';
  for (const [index, part] of parts.entries()) {
    const next = join(folder, part);
    if (isThere(next, root)) {
      folder = next;
      continue;
    }
    const near = nearestName(part, await namesIn(folder, root));
    if (near === undefined) return { folder };
    const whole = join(folder, near, ...parts.slice(index + 1));
    return { folder, suggestion: isThere(whole, root) ? whole : join(folder, near) };
  }
  return { folder };
}

function isThere(path: string, root: RootFolder): boolean {
  try {
    using place = findInside(path, root);
    return place.stats !== undefined;
  } catch {
    return false;
  }
}

async function namesIn(folder: string, root: RootFolder): Promise<readonly string[]> {
  using place = findInside(folder, root);
  if (place.target === undefined) return [];
  const names: string[] = await readdir(place.target.address).catch(() => []);
  return names.toSorted();
}
