import { findLastAtMost } from '../language/text-spans.ts';
import type { Position } from './language-protocol.ts';
import type { ModuleFiles } from './module-files.ts';

/** Converts between offsets in a text and lines with columns, all in UTF-16 and from 0. */
export class LineIndex {
  readonly #text: string;
  readonly #starts: number[];

  constructor(text: string) {
    this.#text = text;
    // The compiler does not count a byte order mark.
    this.#starts = [text.startsWith('\uFEFF') ? 1 : 0];
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) this.#starts.push(index + end.length);
  }

  /** The offset of a position; that of the nearest one when there is no such position. */
  offsetAt({ line, character }: Position): number {
    const start = this.#starts[line];
    if (start === undefined) return this.#text.length;
    return Math.min(start + character, this.#starts[line + 1] ?? this.#text.length);
  }

  positionAt(offset: number): Position {
    const line = Math.max(0, findLastAtMost(this.#starts, offset));
    return { line, character: Math.max(0, offset - (this.#starts[line] as number)) };
  }

  /** A line without its line break; empty when there is no such line. */
  lineText(line: number): string {
    const start = this.#starts[line];
    if (start === undefined) return '';
    return this.#text.slice(start, this.#starts[line + 1] ?? this.#text.length).replace(/[\r\n]+$/, '');
  }
}

/** Texts of files, each read once during one query. */
export class TextCache {
  readonly #files: ModuleFiles;
  readonly #texts = new Map<string, { readonly text: string; readonly lines: LineIndex }>();

  constructor(files: ModuleFiles) {
    this.#files = files;
  }

  /** The text of a file as it is on disk; empty when it cannot be read. */
  async get(file: string) {
    const known = this.#texts.get(file);
    if (known !== undefined) return known;
    const text = (await this.#files.read(file)) ?? '';
    const indexed = { text, lines: new LineIndex(text) };
    this.#texts.set(file, indexed);
    return indexed;
  }
}
