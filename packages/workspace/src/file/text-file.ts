import { isUtf8 } from 'node:buffer';
import { lstatSync } from 'node:fs';
import { BinaryFileError, FileError } from '../errors.ts';
import { formatPath, showSize } from '../path/show-path.ts';
import { DescriptorPin } from '../path/pinned-path.ts';
import { refuseSecret } from '../path/path-protection.ts';
import {
  createMissingError,
  describePath,
  resolveGivenPath,
  type PathInfo,
  type ResolvedPath,
} from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { takeFirstCharacters } from '../text/text-lines.ts';
import {
  isBinary,
  DigestBuilder,
  holdContent,
  openContent,
  readFileSnapshot,
  type FileDigest,
  type FileSnapshot,
  type FileContent,
} from './file-content.ts';

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

/** The start and the length of a part of a file. Lines and columns are 1-based; characters are UTF-16 code units. */
export interface WindowRequest {
  readonly line: number;
  readonly column: number;
  readonly chars: number;
  /** Lines that are read to their end even beyond `chars`, and up to how many characters. */
  readonly through?: { readonly lines: number; readonly chars: number } | undefined;
  readonly secrets?: boolean | undefined;
}

/** A part of a text file, and facts about the whole file. */
export interface TextWindow extends FileDigest {
  /**
   * Text from the requested position, with the line breaks of the file; invalid UTF-8 bytes are replaced with U+FFFD.
   */
  readonly text: string;
  /** True when the file continues after `text`. */
  readonly cut: boolean;
  /** Length of the first requested line, in characters, without its line feed. */
  readonly lineLength: number;
}

/** A path that was looked up and is pinned until it is disposed of: reads always refer to the file found then. */
export class FoundPath implements Disposable {
  readonly info: PathInfo;
  readonly #resolved: ResolvedPath;
  readonly #root: RootFolder;

  /** @throws PathError when the path leads out of the root; FileError when it cannot be followed */
  constructor(path: string, root: RootFolder) {
    this.#resolved = resolveGivenPath(path, root);
    this.#root = root;
    this.info = describePath(this.#resolved);
  }

  /** Returns false if nothing has another path that differs from this one in its last name. */
  mayHaveBeside(path: string): boolean {
    const { given, path: real, folder, stats } = this.#resolved;
    if (stats === undefined || given !== real || !(folder instanceof DescriptorPin) || this.#root.draft !== undefined)
      return true;
    try {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return lstatSync(folder.childAddress(name), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return true;
    }
  }

  /** Reads a part of the file, as `WorkspaceRoot.readWindow` does. */
  async readWindow(request: WindowRequest): Promise<TextWindow> {
    if (this.#resolved.stats === undefined) throw createMissingError(this.#resolved, this.#root);
    refuseSecret(this.#resolved, request.secrets);
    const unsaved = await readUnsavedText(this.#resolved, this.#root);
    await using content = unsaved === undefined ? await openContent(this.#resolved) : holdContent(unsaved);
    return await readTextWindow(content, request);
  }

  [Symbol.dispose](): void {
    this.#resolved[Symbol.dispose]();
  }
}

/** Number of bytes that are decoded at once. */
const PIECE = 32 * 1024;

/**
 * Reads a part of a file. A large file is read once in small chunks for its digest and is never held as a whole; from the
 * first requested line on, only the requested characters are kept.
 */
async function readTextWindow(content: FileContent, request: WindowRequest): Promise<TextWindow> {
  const digest = new DigestBuilder();
  let offset = request.line === 1 ? 0 : undefined;
  let position = 0;
  // The whole file, if it arrives in one chunk.
  let whole: Uint8Array | undefined;
  for await (const chunk of content.chunks()) {
    const breaksBefore = digest.breaks;
    digest.add(chunk);
    if (offset === undefined && digest.breaks >= request.line - 1) {
      offset = position + endOfBreak(chunk, request.line - 1 - breaksBefore);
    }
    whole = position === 0 ? chunk : undefined;
    position += chunk.length;
  }
  const facts = digest.finish();
  const window = new WindowBuilder(request);
  if (offset !== undefined && !facts.binary) {
    // The byte order mark is kept, so that the text shown is exactly the text of the file.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for await (const chunk of whole === undefined ? content.chunks(offset) : splitBytes(whole.subarray(offset))) {
      if (!window.add(decoder.decode(chunk, { stream: true }))) break;
    }
    window.add(decoder.decode());
  }
  return { ...facts, ...window.finish() };
}

/** Splits bytes, so that few are decoded that are not requested. */
function* splitBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += PIECE) yield bytes.subarray(offset, offset + PIECE);
}

function endOfBreak(bytes: Uint8Array, n: number): number {
  let index = 0;
  for (let count = 0; count < n; count++) index = bytes.indexOf(10, index) + 1;
  return index;
}

/** Collects the characters of a window and measures its first line. */
class WindowBuilder {
  readonly #request: WindowRequest;
  #text = '';
  #lineLength = 0;
  #lineEnded = false;
  #linesRead = 0;
  #endOfLines = 0;

  constructor(request: WindowRequest) {
    this.#request = request;
  }

  /** Adds a piece of text; returns true when more is needed. */
  add(piece: string): boolean {
    const { chars, column, through } = this.#request;
    let skipped = 0;
    if (!this.#lineEnded) {
      const end = piece.indexOf('\n');
      const inLine = end === -1 ? piece.length : end;
      skipped = Math.min(Math.max(column - 1 - this.#lineLength, 0), inLine);
      this.#lineLength += inLine;
      this.#lineEnded = end !== -1;
    }
    const room = (through?.chars ?? chars) + 1 - this.#text.length;
    if (room > 0) this.#text += piece.slice(skipped, skipped + room);
    return !this.#lineEnded || this.#text.length <= this.#countWanted();
  }

  /** Counts the characters that the window has at most: of lines that are read to their end, also the one after it. */
  #countWanted(): number {
    const { chars, through = { lines: 0, chars } } = this.#request;
    if (through.lines === Infinity) return through.chars;
    for (; this.#linesRead < through.lines; this.#linesRead++) {
      const end = this.#text.indexOf('\n', this.#endOfLines);
      if (end === -1) return through.chars;
      this.#endOfLines = end + 1;
    }
    return Math.min(Math.max(chars, this.#endOfLines + 1), through.chars);
  }

  finish(): Pick<TextWindow, 'text' | 'cut' | 'lineLength'> {
    const wanted = this.#countWanted();
    const text = takeFirstCharacters(this.#text, wanted);
    return { text, cut: this.#text.length > wanted, lineLength: this.#lineLength };
  }
}

/** Maximum size of a file for which an editor is asked, in bytes. */
const LARGEST = 4 * 1024 * 1024;

/**
 * Returns the unsaved text of an editor for a file on disk; undefined when the editor has no unsaved changes. The path
 * was checked before, so an editor is never asked for a file that the workspace would not read.
 */
export async function readUnsavedText(file: ResolvedPath, root: RootFolder): Promise<Uint8Array | undefined> {
  const { readUnsaved } = root;
  // Text written by a run block takes precedence over unsaved text of an editor.
  if (root.draft?.stampOf(file.path) !== undefined) return undefined;
  if (readUnsaved === undefined || file.stats?.isFile() !== true || file.stats.size > LARGEST) return undefined;
  const text = await readUnsaved(`${root.path}/${file.path}`).catch(() => undefined);
  if (text === undefined) return undefined;
  const saved = await readFileSnapshot(file, LARGEST);
  if (saved?.content === undefined || saved.binary) return undefined;
  return fold(text) === fold(Buffer.from(saved.content).toString('utf8')) ? undefined : Buffer.from(text);
}

/** Normalizes text for comparison: editors store line breaks and the byte order mark separately from the text. */
function fold(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
