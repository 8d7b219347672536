import { applyEdits, shiftOffset, type TextEdit } from '../language/outline.ts';
import type { FilePosition, SourceDiagnostic, TypeQuery } from './compiler-session.ts';
import { findIntroduced } from './find-diagnostics.ts';
import {
  findCandidates,
  findNamedSymbol,
  findUsesElsewhere,
  type FoundSymbol,
  type SymbolPlace,
} from './find-references.ts';
import { checkName } from './identifier-name.ts';
import { LineIndex, TextCache } from './module-files.ts';
import { isRefused, toFile, toPlaceKey, type WorkspaceEdit } from './language-protocol.ts';
import { listReferencedProjects } from './project-facts.ts';

/** The edits of one file, sorted; offsets are those of the text on disk. */
export interface FileEdits {
  readonly file: string;
  readonly edits: readonly TextEdit[];
}

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
  session.show(new Map());
  const symbol = await findNamedSymbol(query, request, texts);
  if (symbol === undefined) return refuseRename('there is no name at this place');
  const { newName } = request;
  const { name: oldName } = symbol;
  const problem = checkName(newName, oldName);
  if (problem !== undefined) return refuseRename(problem);
  const sources = new Set(await files.sources());
  if (!sources.has(symbol.at.file)) return refuseRename(`${oldName} is declared outside of the sources`);
  const collected = await collectEdits(query, symbol, new RenameEdits({ oldName, newName }, texts));
  const edits = collected.filter(({ file }) => sources.has(file));
  if (edits.length === 0) return refuseRename(`${oldName} cannot be renamed`);
  const { introduced, captured, unchecked } = await checkRename(query, { symbol, newName, edits, texts });
  if (introduced.length + captured.length > 0) return { type: 'breaking', introduced, captured };
  return { type: 'edits', oldName, files: edits, unchecked };
}

function refuseRename(reason: string): RenamePlan {
  return { type: 'refused', reason };
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
  readonly #names: { readonly oldName: string; readonly newName: string };
  readonly #edits = new Map<string, Map<number, TextEdit>>();

  constructor(names: { readonly oldName: string; readonly newName: string }, texts: TextCache) {
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

interface RenameTrial {
  readonly symbol: FoundSymbol;
  readonly newName: string;
  readonly edits: readonly FileEdits[];
  readonly texts: TextCache;
}

interface RenameVerdict {
  readonly introduced: readonly SourceDiagnostic[];
  /** Files in which a use of the symbol would refer to another, or a use of another to this one. */
  readonly captured: readonly string[];
  /** Changed files that import the symbol from build output: they can be checked after the next build. */
  readonly unchecked: readonly string[];
}

/** Finds out what a renaming would break: the compiler checks the new texts, which are not written. */
async function checkRename(query: TypeQuery, trial: RenameTrial): Promise<RenameVerdict> {
  const { session, signal } = query;
  const { symbol, texts, newName } = trial;
  const seeing = await filterSeeing(query, symbol.at.file, trial.edits);
  const files = new Set(seeing.map(({ file }) => file));
  const before = await countReferences(query, symbol.at, files);
  const changes = await Promise.all(
    seeing.map(async ({ file, edits }) => ({ file, after: applyEdits((await texts.get(file)).text, edits) })),
  );
  const { introduced, fixed } = await findIntroduced(query, { changes });
  const after = await countReferences(query, await shiftPosition(trial), files);
  signal.throwIfAborted();
  session.show(new Map());
  // Errors that existed before and only name the symbol are not new.
  const keyOf = ({ file, line, code, message }: SourceDiagnostic): string =>
    `${file}:${line}:${code}:${message.replaceAll(newName, symbol.name)}`;
  const known = new Set(fixed.map(keyOf));
  return {
    introduced: introduced.filter((diagnostic) => !known.has(keyOf(diagnostic))),
    captured: [...files].filter((file) => before.get(file) !== after.get(file)),
    unchecked: trial.edits.map(({ file }) => file).filter((file) => !files.has(file)),
  };
}

async function filterSeeing(
  query: TypeQuery,
  source: string,
  edits: readonly FileEdits[],
): Promise<readonly FileEdits[]> {
  const { session, signal } = query;
  const own = await session.configOf(source, signal);
  const seeing: FileEdits[] = [];
  for (const edit of edits) {
    const config = await session.configOf(edit.file, signal);
    if (config === own || config === undefined || (await canSee(query, config, source))) seeing.push(edit);
  }
  return seeing;
}

async function canSee({ session, files, signal }: TypeQuery, config: string, source: string): Promise<boolean> {
  for (const project of [config, ...(await listReferencedProjects(config, files))]) {
    if ((await session.factsOf(project, signal)).files.includes(source)) return true;
  }
  return false;
}

async function countReferences(
  { session, signal }: TypeQuery,
  at: FilePosition,
  files: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const byFile = Map.groupBy(await session.references(at, signal), ({ uri }) => toFile(uri));
  return new Map(Array.from(files, (file) => [file, new Set(byFile.get(file)?.map(toPlaceKey)).size]));
}

/** Where the declaration is after the edits. */
async function shiftPosition({ symbol: { at }, edits, texts }: RenameTrial): Promise<FilePosition> {
  const own = edits.find(({ file }) => file === at.file)?.edits ?? [];
  const { text, lines } = await texts.get(at.file);
  const offset = shiftOffset(lines.offsetAt(at.position), own);
  return { file: at.file, position: new LineIndex(applyEdits(text, own)).positionAt(offset) };
}
