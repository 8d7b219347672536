import { isUtf8 } from 'node:buffer';
import { binaryFile } from './binary-refusal.ts';
import { FileError } from './errors/file-error.ts';
import type { FileContent } from './file-content.ts';
import { digestOf, type FileDigest } from './file-digest.ts';
import { showPath } from './show-path.ts';
import { showSize } from './show-size.ts';

/** How a file is read. */
export interface ReadOptions {
  /** True when the user has allowed to show a secret. */
  readonly secrets?: boolean | undefined;
  /** True when code is to have the text; nothing is to be changed then. Default: false. */
  readonly forCode?: boolean | undefined;
}

/** The whole of a text file. */
export interface TextFile extends FileDigest {
  /** Exactly the file's characters: line breaks and a byte order mark are kept. */
  readonly text: string;
}

const NOT_CHANGED = 'It is not changed, to keep them.';
const NOT_FOR_CODE =
  'Code gets only what it could write back, so no line with such bytes; a tag outside a run block shows them as \ufffd.';

/** Files above this many bytes are read in windows only. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Reads the content of a file as text, without repairing anything.
 *
 * @throws FileError when it is larger than 64 MB or not UTF-8; BinaryFileError when it is binary
 */
export async function readTextFile(
  content: FileContent,
  given: string,
  { forCode = false }: Pick<ReadOptions, 'forCode'> = {},
): Promise<TextFile> {
  const shown = showPath(given);
  if (content.size > LARGEST) throw tooLarge(shown, content.size);
  const pieces: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of content.chunks()) {
    total += chunk.length;
    if (total > LARGEST) throw tooLarge(shown, total);
    pieces.push(Buffer.from(chunk));
  }
  const bytes = Buffer.concat(pieces);
  const digest = digestOf(bytes);
  if (digest.binary) throw binaryFile(given, digest.size);
  if (!isUtf8(bytes)) {
    const line = invalidLine(bytes);
    const fact = `${shown} is not UTF-8: line ${line} has bytes that are no characters.`;
    throw new FileError(`${fact} ${forCode ? NOT_FOR_CODE : NOT_CHANGED}`, [`<R:${shown}:${line}>`]);
  }
  return { ...digest, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
}

function tooLarge(shown: string, size: number): FileError {
  return new FileError(`${shown} is too large to edit (${showSize(size)}; at most ${showSize(LARGEST)}).`, [
    `<R:${shown}:1-40>`,
  ]);
}

function invalidLine(bytes: Buffer): number {
  let start = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(10, start);
    // A line feed is never part of another character, so each line can be judged by itself.
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}
