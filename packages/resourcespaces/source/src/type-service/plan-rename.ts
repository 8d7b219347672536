import type { TextEdit } from '../language/text-spans.ts';
import { checkRename, type FileEdits, type RenameNames, type RenameVerdict } from './check-rename.ts';
import type { FilePosition, TypeQuery } from './compiler-session.ts';
import {
  findCandidates,
  findNamedSymbol,
  findUsesElsewhere,
  type FoundSymbol,
  type SymbolPlace,
} from './find-references.ts';
import { checkName } from './identifier-name.ts';
import { TextCache } from './indexed-text.ts';
import { toFile, type WorkspaceEdit } from './language-protocol.ts';
import { isRefused } from './type-service-error.ts';

export interface RenameRequest extends SymbolPlace {
  readonly newName: string;
}

/** The edits of a renaming, or why it is refused. */
export type RenamePlan =
  | {
      readonly type: 'edits';
      readonly oldName: string;
      readonly files: readonly FileEdits[];
      /** Changed files that can be checked only after the next build of the package they use. */
      readonly unchecked: readonly string[];
    }
  /** The reason is one sentence without a full stop. */
  | { readonly type: 'refused'; readonly reason: string }
  | ({ readonly type: 'breaking' } & Pick<RenameVerdict, 'introduced' | 'captured'>);

/** Plans to rename a symbol in all projects of the workspace. Nothing is written. */
export async function planSymbolRename(query: TypeQuery, request: RenameRequest): Promise<RenamePlan> {
  const { session, files } = query;
  const texts = new TextCache(files);
  const refuse = (reason: string): RenamePlan => ({ type: 'refused', reason });
  session.show(new Map());
  const symbol = await findNamedSymbol(query, request, texts);
  if (symbol === undefined) return refuse('there is no name at this place');
  const names = { oldName: symbol.name, newName: request.newName };
  const problem = checkName(names.newName, names.oldName);
  if (problem !== undefined) return refuse(problem);
  const sources = new Set(await files.sources());
  if (!sources.has(symbol.at.file)) return refuse(`${names.oldName} is declared outside of the sources`);
  const collected = await collectEdits(query, symbol, new RenameEdits(names, texts));
  const edits = collected.filter(({ file }) => sources.has(file));
  if (edits.length === 0) return refuse(`${names.oldName} cannot be renamed`);
  const { introduced, captured, unchecked } = await checkRename(query, { symbol, names, edits, texts });
  if (introduced.length + captured.length > 0) return { type: 'breaking', introduced, captured };
  return { type: 'edits', oldName: names.oldName, files: edits, unchecked };
}

/** All edits; none when the compiler refuses. */
async function collectEdits(query: TypeQuery, symbol: FoundSymbol, edits: RenameEdits): Promise<readonly FileEdits[]> {
  const { texts } = edits;
  const candidates = await findCandidates(query, symbol, texts);
  try {
    await edits.follow(query, symbol.at);
  } catch (error) {
    if (isRefused(error)) return [];
    throw error;
  }
  const isKnown = ({ file, offset }: SymbolPlace): boolean => edits.has(file, offset);
  for await (const { at } of findUsesElsewhere(query, { symbol, candidates, texts, isKnown })) {
    await edits.follow(query, at);
  }
  return edits.list();
}

/** Collects the edits of a renaming, which take several requests. */
class RenameEdits {
  readonly texts: TextCache;
  readonly #names: RenameNames;
  readonly #edits = new Map<string, Map<number, TextEdit>>();

  constructor(names: RenameNames, texts: TextCache) {
    this.#names = names;
    this.texts = texts;
  }

  has(file: string, offset: number): boolean {
    return this.#edits.get(file)?.has(offset) ?? false;
  }

  /** Adds the edits for the name at a place, and at all places that re-export it. */
  async follow({ session, signal }: TypeQuery, start: FilePosition): Promise<void> {
    const queue = [start];
    for (const at of queue) queue.push(...(await this.#add(await session.rename(at, this.#names.newName, signal))));
  }

  list(): readonly FileEdits[] {
    const files = [...this.#edits].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return files.map(([file, edits]) => ({ file, edits: [...edits.values()].toSorted((a, b) => a.start - b.start) }));
  }

  /**
   * Adds the edits of a response.
   *
   * The compiler keeps the outer name of a re-export, `export { fresh as old }`, and of an import,
   * `import { old as fresh }`. Here the name changes everywhere, so both become `fresh`.
   *
   * @returns the places that re-export the name, each of which needs a request of its own
   */
  async #add({ changes = {} }: WorkspaceEdit): Promise<readonly FilePosition[]> {
    const { oldName, newName } = this.#names;
    const reexports: FilePosition[] = [];
    for (const [uri, edits] of Object.entries(changes)) {
      const file = toFile(uri);
      const { text, lines } = await this.texts.get(file);
      for (const { range, newText } of edits) {
        const start = lines.offsetAt(range.start);
        // Where a built file led to a source, the place may be wrong.
        if (!text.startsWith(oldName, start) || this.has(file, start)) continue;
        const isReexport = newText === `${newName} as ${oldName}`;
        if (isReexport) reexports.push({ file, position: range.start });
        const isPlain = isReexport || newText === `${oldName} as ${newName}`;
        const own = this.#edits.get(file) ?? new Map<number, TextEdit>();
        own.set(start, { start, end: start + oldName.length, text: isPlain ? newName : newText });
        this.#edits.set(file, own);
      }
    }
    return reexports;
  }
}
