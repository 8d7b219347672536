import { BinaryFileError } from './errors/binary-file-error.ts';
import { showPath } from './show-path.ts';
import { showSize } from './show-size.ts';

/** The refusal of a binary file where text is needed. */
export function binaryFile(given: string, size: number): BinaryFileError {
  const shown = showPath(given);
  const parent = shown.includes('/') ? shown.slice(0, shown.lastIndexOf('/')) || '/' : '.';
  return new BinaryFileError(`${shown} is binary (${showSize(size)}).`, [`<R:${parent}>`]);
}
