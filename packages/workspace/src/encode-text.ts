import { FileError } from './errors/file-error.ts';
import { showPath } from './show-path.ts';

/**
 * The bytes of a text that is to be written.
 *
 * @throws FileError when it has half of a character somewhere, which a file cannot have
 */
export function encodeText(text: string, given: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const shown = showPath(given);
  throw new FileError(`${shown} is not written: the new text has half of a character in it. Send whole characters.`, [
    `<R:${shown}>`,
  ]);
}
