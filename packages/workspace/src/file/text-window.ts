import { DigestBuilder, type FileDigest } from './file-digest.ts';
import { takeFirstCharacters } from '../text/text-lines.ts';
import type { FileContent } from './open-file.ts';

/** Where a part of a file begins, and how much is wanted. Lines and columns are 1-based; characters are UTF-16 code units. */
export interface WindowRequest {
  readonly line: number;
  readonly column: number;
  readonly chars: number;
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
  const digest = new DigestBuilder();
  let offset = request.line === 1 ? 0 : undefined;
  let position = 0;
  // All of the file, where it comes in one piece.
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
    // The mark at the start of a file is kept, so that what is shown is what is there.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for await (const chunk of whole === undefined ? content.chunks(offset) : [whole.subarray(offset)]) {
      if (!window.add(decoder.decode(chunk, { stream: true }))) break;
    }
    window.add(decoder.decode());
  }
  return { ...facts, ...window.finish() };
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

  constructor(request: WindowRequest) {
    this.#request = request;
  }

  /** Returns whether more is needed. */
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
    const text = takeFirstCharacters(this.#text, chars);
    return { text, cut: this.#text.length > chars, lineLength: this.#lineLength };
  }
}
