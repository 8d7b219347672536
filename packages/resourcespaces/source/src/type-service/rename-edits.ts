import type { FilePosition } from './compiler-session.ts';
import { fileOf, type WorkspaceEdit } from './language-protocol.ts';
import type { TextCache } from './text-cache.ts';
import type { TextEdit } from '../language/text-spans.ts';

/** The replacements in one file, sorted; offsets are those of the text on disk. */
export interface FileEdits {
  readonly file: string;
  readonly edits: readonly TextEdit[];
}

/** The two names of a renaming. */
export interface Names {
  readonly oldName: string;
  readonly newName: string;
}

/** Gathers what the compiler wants to change for a renaming, asked at several places. */
export class RenameEdits {
  readonly #names: Names;
  readonly #texts: TextCache;
  readonly #edits = new Map<string, Map<number, TextEdit>>();

  constructor(names: Names, texts: TextCache) {
    this.#names = names;
    this.#texts = texts;
  }

  /** True when a place is to be changed. */
  has(file: string, offset: number): boolean {
    return this.#edits.get(file)?.has(offset) ?? false;
  }

  /**
   * Takes what the compiler answered.
   *
   * It keeps the outer name of what passes a module on, `export { fresh as old }`, and the outer name of what is
   * imported, `import { old as fresh }`. Here the name changes everywhere, so both become `fresh`.
   *
   * @returns the places that pass the name on, where the compiler has to be asked again for those who take it there
   */
  async take({ changes = {} }: WorkspaceEdit): Promise<readonly FilePosition[]> {
    const { oldName, newName } = this.#names;
    const passedOn: FilePosition[] = [];
    for (const [uri, edits] of Object.entries(changes)) {
      const file = fileOf(uri);
      const { text, lines } = await this.#texts.get(file);
      for (const { range, newText } of edits) {
        const start = lines.offsetAt(range.start);
        // Where a built file led to a source, the place may be off.
        if (!text.startsWith(oldName, start) || this.has(file, start)) continue;
        const outer = newText === `${newName} as ${oldName}`;
        if (outer) passedOn.push({ file, position: range.start });
        const plain = outer || newText === `${oldName} as ${newName}`;
        this.#put(file, { start, end: start + oldName.length, text: plain ? newName : newText });
      }
    }
    return passedOn;
  }

  /** All replacements, sorted by file. */
  finish(): readonly FileEdits[] {
    const files = [...this.#edits].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return files.map(([file, edits]) => ({ file, edits: [...edits.values()].toSorted((a, b) => a.start - b.start) }));
  }

  #put(file: string, edit: TextEdit): void {
    const edits = this.#edits.get(file) ?? new Map<number, TextEdit>();
    edits.set(edit.start, edit);
    this.#edits.set(file, edits);
  }
}
