import { EditError, showPath } from '@bae/workspace';
import type { FileTarget } from './file-target.ts';

/**
 * The path of a file that is to be written as a whole.
 *
 * @throws EditError when only some of its lines were meant
 */
export function wholeFile({ path, range }: FileTarget): string {
  if (range === undefined) return path;
  const shown = showPath(path);
  const lines = `${range[0]}-${range[1] ?? ''}`;
  throw new EditError(`write replaces the whole file. Give a line range to edit: <E:${shown}:${lines}>`, [
    `<E:${shown}:${lines}>`,
    `<W:${shown}>`,
  ]);
}
