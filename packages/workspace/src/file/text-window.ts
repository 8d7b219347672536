import { DigestBuilder, type FileContent, type FileDigest, openContent } from './open-file.ts';
import { refuseSecret } from '../path/path-protection.ts';
import {
  type PathInfo,
  type ResolvedPath,
  createMissingError,
  describePath,
  resolveGivenPath,
} from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { takeFirstCharacters } from '../text/text-lines.ts';

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

/** A path that was looked up, pinned until it is disposed of: what is read is what it led to then. */
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

  /** Reads a part of the file, as `WorkspaceRoot.readWindow` does. */
  async readWindow(request: WindowRequest): Promise<TextWindow> {
    if (this.#resolved.stats === undefined) throw createMissingError(this.#resolved, this.#root);
    refuseSecret(this.#resolved, request.secrets);
    await using content = await openContent(this.#resolved);
    return await readTextWindow(content, request);
  }

  [Symbol.dispose](): void {
    this.#resolved[Symbol.dispose]();
  }
}
