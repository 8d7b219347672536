import { applyEdits, shiftOffset, type TextEdit } from '../language/outline.ts';
import type { FilePosition, FoundSymbol, SourceDiagnostic, SymbolPlace, TypeQuery } from './compiler-session.ts';
import { findIntroduced } from './find-diagnostics.ts';
import { findCommonJsUses } from './find-common-js-uses.ts';
import { findCandidates, findNamedSymbol, findUsesElsewhere } from './find-references.ts';
import { checkName, findOccurrences } from './identifier-name.ts';
import { LineIndex, TextCache } from './module-files.ts';
import { isRefused, toFile, toPlaceKey } from './language-protocol.ts';
import { listReferencedProjects } from './project-facts.ts';

/** The edits of one file, sorted; offsets are those of the text on disk. */
interface FileEdits {
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
  const edits = (await collectEdits(query, { symbol, newName, texts })).filter(({ file }) => sources.has(file));
  if (edits.length === 0) return refuseRename(`${oldName} cannot be renamed`);
  const taken = await findTakenName(query, { symbol, newName, texts });
  if (taken !== undefined) return refuseRename(`${newName} is used already in ${taken}`);
  const { introduced, captured, unchecked } = await checkRename(query, { symbol, newName, edits, texts });
  if (introduced.length + captured.length > 0) return { type: 'breaking', introduced, captured };
  return { type: 'edits', oldName, files: edits, unchecked };
}

function refuseRename(reason: string): RenamePlan {
  return { type: 'refused', reason };
}

/**
 * All edits, by file; none when the compiler refuses. It keeps the outer name of a re-export, `export { fresh as old
 * }`, and of an import. Here the name changes everywhere, so each place that re-exports it needs a request of its own.
 */
async function collectEdits(
  query: TypeQuery,
  { symbol, newName, texts }: Omit<RenameTrial, 'edits'>,
): Promise<readonly FileEdits[]> {
  const { session, signal } = query;
  const { name: oldName } = symbol;
  const found = new Map<string, Map<number, TextEdit>>();
  const follow = async (first: FilePosition): Promise<void> => {
    const queue = [first];
    for (const at of queue) {
      const { changes = {} } = await session.rename(at, newName, signal);
      for (const [uri, edits] of Object.entries(changes)) {
        const file = toFile(uri);
        const { text, lines } = await texts.get(file);
        const own = found.get(file) ?? new Map<number, TextEdit>();
        for (const { range, newText } of edits) {
          const start = lines.offsetAt(range.start);
          // Where a built file led to a source, the place may be wrong.
          if (!text.startsWith(oldName, start) || own.has(start)) continue;
          found.set(file, own);
          const isReexport = newText === `${newName} as ${oldName}`;
          if (isReexport) queue.push({ file, position: range.start });
          const isPlain = isReexport || newText === `${oldName} as ${newName}`;
          own.set(start, { start, end: start + oldName.length, text: isPlain ? newName : newText });
        }
      }
    }
  };
  const candidates = await findCandidates(query, symbol, texts);
  try {
    await follow(symbol.at);
  } catch (error) {
    if (isRefused(error)) return [];
    throw error;
  }
  const isKnown = ({ file, offset }: SymbolPlace): boolean => found.get(file)?.has(offset) ?? false;
  for await (const { at } of findUsesElsewhere(query, { symbol, candidates, texts, isKnown })) await follow(at);
  for (const { file, offset: start } of (await findCommonJsUses(query, symbol, texts)).named) {
    const own = found.get(file) ?? new Map<number, TextEdit>();
    found.set(file, own.set(start, { start, end: start + oldName.length, text: newName }));
  }
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, edits]) => ({ file, edits: [...edits.values()].toSorted((a, b) => a.start - b.start) }));
}

/**
 * The CommonJS module in which the new name occurs already, if any, as a path below the workspace: whether it would mean
 * something else there is not known before the code runs.
 */
async function findTakenName(
  query: TypeQuery,
  { symbol, newName, texts }: Omit<RenameTrial, 'edits'>,
): Promise<string | undefined> {
  const { named } = await findCommonJsUses(query, symbol, texts);
  for (const file of new Set(named.map((use) => use.file))) {
    if (findOccurrences(newName, (await texts.get(file)).text).length > 0) return query.files.pathOf(file);
  }
  return undefined;
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
  const { symbol, texts, newName, edits } = trial;
  const seeing = await filterSeeing(query, symbol.at.file, edits);
  const files = new Set(seeing.map(({ file }) => file));
  const countReferences = async (at: FilePosition) => {
    const byFile = Map.groupBy(await session.references(at, signal), ({ uri }) => toFile(uri));
    return (file: string) => new Set(byFile.get(file)?.map(toPlaceKey)).size;
  };
  const before = await countReferences(symbol.at);
  const changes = await Promise.all(
    seeing.map(async ({ file, edits }) => ({ file, after: applyEdits((await texts.get(file)).text, edits) })),
  );
  const { introduced, fixed } = await findIntroduced(query, { changes });
  const after = await countReferences(await shiftPosition(trial));
  signal.throwIfAborted();
  session.show(new Map());
  // Errors that existed before and only name the symbol are not new.
  const keyOf = ({ file, line, code, message }: SourceDiagnostic): string =>
    `${file}:${line}:${code}:${message.replaceAll(newName, symbol.name)}`;
  const known = new Set(fixed.map(keyOf));
  return {
    introduced: introduced.filter((diagnostic) => !known.has(keyOf(diagnostic))),
    captured: [...files].filter((file) => before(file) !== after(file)),
    unchecked: edits.map(({ file }) => file).filter((file) => !files.has(file)),
  };
}

/** The edits of files that see the source of a symbol, not only its build output. */
async function filterSeeing(
  { session, files, signal }: TypeQuery,
  source: string,
  edits: readonly FileEdits[],
): Promise<readonly FileEdits[]> {
  const own = await session.configOf(source, signal);
  const canSee = async (config: string | undefined): Promise<boolean> => {
    if (config === own || config === undefined) return true;
    for (const project of [config, ...(await listReferencedProjects(config, files))]) {
      if ((await session.factsOf(project, signal)).files.includes(source)) return true;
    }
    return false;
  };
  const seeing: FileEdits[] = [];
  for (const edit of edits) if (await canSee(await session.configOf(edit.file, signal))) seeing.push(edit);
  return seeing;
}

/** Where the declaration is after the edits. */
async function shiftPosition({ symbol: { at }, edits, texts }: RenameTrial): Promise<FilePosition> {
  const own = edits.find(({ file }) => file === at.file)?.edits ?? [];
  const { text, lines } = await texts.get(at.file);
  const offset = shiftOffset(lines.offsetAt(at.position), own);
  return { file: at.file, position: new LineIndex(applyEdits(text, own)).positionAt(offset) };
}
