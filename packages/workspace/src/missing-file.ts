import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nearestName } from '@bae/core';
import type { RootNames } from './contain-path.ts';
import { FileNotFoundError } from './errors/file-not-found-error.ts';
import { findPlace, type Place } from './place.ts';
import { showPath } from './show-path.ts';

/** The error for a place where nothing is, naming the sibling that was probably meant. */
export async function missingFile(place: Place, names: RootNames): Promise<FileNotFoundError> {
  const shown = showPath(place.given);
  const { folder, suggestion } = await nearestPath(place, names);
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
async function nearestPath(place: Place, names: RootNames): Promise<Nearest> {
  const parts = place.path.split('/');
  let folder = '';
  for (const [index, part] of parts.entries()) {
    const next = join(folder, part);
    if ((await findPlace(next, names)).stats !== undefined) {
      folder = next;
      continue;
    }
    const near = nearestName(part, await namesIn(join(names.roots[0] as string, folder)));
    if (near === undefined) return { folder };
    const whole = join(folder, near, ...parts.slice(index + 1));
    const there = (await findPlace(whole, names).catch(() => undefined))?.stats !== undefined;
    return { folder, suggestion: there ? whole : join(folder, near) };
  }
  return { folder };
}

async function namesIn(absolute: string): Promise<readonly string[]> {
  const names: string[] = await readdir(absolute).catch(() => []);
  return names.toSorted();
}
