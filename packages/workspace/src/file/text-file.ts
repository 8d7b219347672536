import { isUtf8 } from 'node:buffer';
import { BinaryFileError, FileError } from '../errors.ts';
import { type FileDigest, type FileSnapshot, isBinary } from './file-content.ts';
import { formatPath, showSize } from '../path/show-path.ts';

export interface ReadOptions {
  /** True when the user has allowed a secret to be shown. */
  readonly secrets?: boolean | undefined;
  /** True when the text is for code; then nothing may be changed. Default: false. */
  readonly forCode?: boolean | undefined;
}

/** A complete text file. */
export interface TextFile extends FileDigest {
  /** The exact characters of the file: line breaks and a byte order mark are kept. */
  readonly text: string;
}

const NOT_CHANGED = 'It is not changed, to keep them.';
const NOT_FOR_CODE =
  'Code gets only what it could write back, so no line with such bytes; a tag outside a run block shows them as \ufffd.';
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Maximum size of a file that is read as a whole, in bytes; larger files are read in windows only. */
export const LARGEST_WHOLE = 64 * 1024 * 1024;

/** Decodes the content of a file as text, without repairing anything. */
export function decodeFile(
  { content, mode: _mode, ...digest }: FileSnapshot,
  given: string,
  forCode = false,
): TextFile {
  if (content === undefined) throw createTooLargeError(given, digest.size);
  if (digest.binary) throw createBinaryFileError(given, digest.size);
  const text = decodeText(content);
  if (text !== undefined) return { ...digest, text };
  const line = findInvalidLine(Buffer.from(content));
  const name = formatPath(given);
  const fact = `${name} is not UTF-8: line ${line} has bytes that are not characters.`;
  throw new FileError(`${fact} ${forCode ? NOT_FOR_CODE : NOT_CHANGED}`, [`<R:${name}:${line}>`]);
}

/** Decodes text without repairing anything; returns undefined for bytes that are not text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  return isBinary(bytes) || !isUtf8(bytes) ? undefined : DECODER.decode(bytes);
}

export function encodeText(text: string, given: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const name = formatPath(given);
  throw new FileError(`${name} is not written: the new text has half of a character in it. Send whole characters.`, [
    `<R:${name}>`,
  ]);
}

export function stripByteOrderMark(bytes: Uint8Array): Uint8Array {
  return BYTE_ORDER_MARK.equals(bytes.subarray(0, 3)) ? bytes.subarray(3) : bytes;
}

export function createBinaryFileError(given: string, size: number): BinaryFileError {
  const name = formatPath(given);
  const parent = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) || '/' : '.';
  return new BinaryFileError(`${name} is binary (${showSize(size)}).`, [`<R:${parent}>`]);
}

export function createTooLargeError(given: string, size: number): FileError {
  const name = formatPath(given);
  return new FileError(`${name} is too large to edit (${showSize(size)}; at most ${showSize(LARGEST_WHOLE)}).`, [
    `<R:${name}:1-40>`,
  ]);
}

function findInvalidLine(bytes: Buffer): number {
  let start = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(10, start);
    // A line feed is never part of another character, so each line can be checked by itself.
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}
