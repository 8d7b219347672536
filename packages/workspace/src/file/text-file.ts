import { isUtf8 } from 'node:buffer';
import { BinaryFileError, FileError } from '../errors.ts';
import { type FileDigest, isBinary } from './file-digest.ts';
import { type FileSnapshot, readSnapshot } from './open-file.ts';
import type { Place } from '../path/resolve-path.ts';
import { showPath, showSize } from '../path/show-path.ts';

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
export const LARGEST_WHOLE = 64 * 1024 * 1024;

/** The content of a file that is there, and its text. */
interface ReadText {
  readonly snapshot: FileSnapshot;
  readonly file: TextFile;
}

/**
 * Reads a file that is there as text, without repairing anything.
 *
 * @throws FileError when it is larger than 64 MB or not UTF-8; BinaryFileError when it is binary
 */
export async function readTextFile(place: Place, { forCode = false }: ReadOptions = {}): Promise<ReadText> {
  const { given, stats } = place;
  const shown = showPath(given);
  if (stats?.isFile() === true && stats.size > LARGEST_WHOLE) throw tooLarge(shown, stats.size);
  const snapshot = (await readSnapshot(place, LARGEST_WHOLE))!;
  const { content, mode: _, ...digest } = snapshot;
  if (content === undefined) throw tooLarge(shown, snapshot.size);
  if (digest.binary) throw binaryFile(given, digest.size);
  if (!isUtf8(content)) {
    const line = invalidLine(Buffer.from(content));
    const fact = `${shown} is not UTF-8: line ${line} has bytes that are no characters.`;
    throw new FileError(`${fact} ${forCode ? NOT_FOR_CODE : NOT_CHANGED}`, [`<R:${shown}:${line}>`]);
  }
  return { snapshot, file: { ...digest, text: decode(content) } };
}

/** The text of bytes; undefined when they are no text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  return isBinary(bytes) || !isUtf8(bytes) ? undefined : decode(bytes);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The refusal of a file that is too large to be read as a whole. */
export function tooLarge(shown: string, size: number): FileError {
  return new FileError(`${shown} is too large to edit (${showSize(size)}; at most ${showSize(LARGEST_WHOLE)}).`, [
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

/** The refusal of a binary file where text is needed. */
export function binaryFile(given: string, size: number): BinaryFileError {
  const shown = showPath(given);
  const parent = shown.includes('/') ? shown.slice(0, shown.lastIndexOf('/')) || '/' : '.';
  return new BinaryFileError(`${shown} is binary (${showSize(size)}).`, [`<R:${parent}>`]);
}

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

const MARK = Buffer.from('\ufeff');

/** A text's bytes without the mark that says that they are UTF-8. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  return MARK.equals(bytes.subarray(0, MARK.length)) ? bytes.subarray(MARK.length) : bytes;
}
