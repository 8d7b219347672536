import { DigestBuilder, type FileDigest } from './file-digest.ts';
import type { FileContent } from './open-file.ts';

/** Where a part of a file begins, and how much is wanted. Lines and columns are 1-based; characters are UTF-16 code units. */
export interface WindowRequest {
  readonly line: number;
  readonly column: number;
  /** Most characters to return. */
  readonly chars: number;
  /** True when the user has allowed to show a secret. */
  readonly secrets?: boolean | undefined;
}

/** A part of a text file, and what is known of the whole. */
export interface TextWindow extends FileDigest {
  /** From the place asked for, line breaks as they are in the file; bytes that are not UTF-8 read U+FFFD. */
  readonly text: string;
  /** True when the file goes on after `text`. */
  readonly cut: boolean;
  /** Characters of the first line wanted, without its line feed. */
  readonly lineLength: number;
}

/**
 * Reads a part of a file. The file passes by once in small pieces for its digest and is never held
 * as a whole; from the first line wanted on, at most `chars` characters are kept.
 */
export async function readTextWindow(content: FileContent, request: WindowRequest): Promise<TextWindow> {
  const { digest, offset, whole } = await locateLine(content, request.line);
  const builder = new WindowBuilder(request);
  if (offset !== undefined && !digest.binary) {
    // The mark at the start of a file is kept, so that what is shown is what is there.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const rest = whole === undefined ? content.chunks(offset) : [whole.subarray(offset)];
    for await (const chunk of rest) {
      if (!builder.add(decoder.decode(chunk, { stream: true }))) break;
    }
    builder.add(decoder.decode());
  }
  return { ...digest, ...builder.finish() };
}

interface LocatedLine {
  readonly digest: FileDigest;
  /** The byte the line begins at; absent when the file has fewer lines. */
  readonly offset?: number;
  /** All of the file, where it came in one piece. */
  readonly whole?: Uint8Array;
}

async function locateLine(content: FileContent, line: number): Promise<LocatedLine> {
  const builder = new DigestBuilder();
  let only: Uint8Array | undefined;
  let offset = line === 1 ? 0 : undefined;
  let position = 0;
  for await (const chunk of content.chunks()) {
    const before = builder.breaks;
    builder.add(chunk);
    if (offset === undefined && builder.breaks >= line - 1) {
      offset = position + endOfBreak(chunk, line - 1 - before);
    }
    only = position === 0 ? chunk : undefined;
    position += chunk.length;
  }
  const found = { ...(offset !== undefined && { offset }), ...(only !== undefined && { whole: only }) };
  return { digest: builder.finish(), ...found };
}

/** Index after the n-th line feed. */
function endOfBreak(bytes: Uint8Array, n: number): number {
  let index = 0;
  for (let seen = 0; seen < n; seen++) index = bytes.indexOf(10, index) + 1;
  return index;
}

/** Collects the characters of a window and measures its first line. */
class WindowBuilder {
  readonly #request: WindowRequest;
  #text = '';
  #lineLength = 0;
  #lineEnded = false;

  constructor(request: WindowRequest) {
    this.#request = request;
  }

  /** Takes the text that follows; returns whether more is needed. */
  add(piece: string): boolean {
    const { chars, column } = this.#request;
    let skipped = 0;
    if (!this.#lineEnded) {
      const end = piece.indexOf('\n');
      const inLine = end === -1 ? piece.length : end;
      skipped = Math.min(Math.max(column - 1 - this.#lineLength, 0), inLine);
      this.#lineLength += inLine;
      this.#lineEnded = end !== -1;
    }
    const room = chars + 1 - this.#text.length;
    if (room > 0) this.#text += piece.slice(skipped, skipped + room);
    return !this.#lineEnded || this.#text.length <= chars;
  }

  finish(): Pick<TextWindow, 'text' | 'cut' | 'lineLength'> {
    const { chars } = this.#request;
    const text = this.#text;
    const cut = text.length > chars;
    return { text: cut ? text.slice(0, endOfWhole(text, chars)) : text, cut, lineLength: this.#lineLength };
  }
}

/** `end`, or one less where a cut there would divide a surrogate pair. */
function endOfWhole(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
