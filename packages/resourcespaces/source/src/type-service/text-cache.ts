import { LineIndex } from './line-index.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** The text of a file, and its lines. */
export interface IndexedText {
  readonly text: string;
  readonly lines: LineIndex;
}

/** Texts of files, each read once while one question is answered. */
export class TextCache {
  readonly #files: WorkspaceFiles;
  readonly #texts = new Map<string, IndexedText>();

  constructor(files: WorkspaceFiles) {
    this.#files = files;
  }

  /** The text of a file as it is on disk; empty when it cannot be read. */
  async get(file: string): Promise<IndexedText> {
    const known = this.#texts.get(file);
    if (known !== undefined) return known;
    const text = (await this.#files.read(file)) ?? '';
    const read = { text, lines: new LineIndex(text) };
    this.#texts.set(file, read);
    return read;
  }
}
