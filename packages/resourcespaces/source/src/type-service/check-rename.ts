import { applyEdits, shiftOffset, type TextEdit } from '../language/text-spans.ts';
import type { FilePosition, SourceDiagnostic, TypeQuery } from './compiler-session.ts';
import { findIntroduced } from './find-introduced.ts';
import type { FoundSymbol } from './find-references.ts';
import { LineIndex, type TextCache } from './indexed-text.ts';
import { toFile, toPlaceKey } from './language-protocol.ts';
import { listReferencedProjects } from './project-facts.ts';

/** The edits of one file, sorted; offsets are those of the text on disk. */
export interface FileEdits {
  readonly file: string;
  readonly edits: readonly TextEdit[];
}

export interface RenameNames {
  readonly oldName: string;
  readonly newName: string;
}

interface RenameTrial {
  readonly symbol: FoundSymbol;
  readonly names: RenameNames;
  readonly edits: readonly FileEdits[];
  readonly texts: TextCache;
}

/** The effects of a renaming. */
export interface RenameVerdict {
  /** New errors. */
  readonly introduced: readonly SourceDiagnostic[];
  /** Files in which a use of the symbol would refer to another, or a use of another to this one. */
  readonly captured: readonly string[];
  /** Changed files that import the symbol from build output: they can be checked after the next build. */
  readonly unchecked: readonly string[];
}

/** Finds out what a renaming would break: the compiler checks the new texts, which are not written. */
export async function checkRename(query: TypeQuery, trial: RenameTrial): Promise<RenameVerdict> {
  const { session, signal } = query;
  const { symbol, texts, names } = trial;
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
    `${file}:${line}:${code}:${message.replaceAll(names.newName, names.oldName)}`;
  const known = new Set(fixed.map(keyOf));
  return {
    introduced: introduced.filter((diagnostic) => !known.has(keyOf(diagnostic))),
    captured: [...files].filter((file) => before.get(file) !== after.get(file)),
    unchecked: trial.edits.map(({ file }) => file).filter((file) => !files.has(file)),
  };
}

/** The edits of files that see the source of a symbol, not only its build output. */
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

/** The number of references in each of some files. */
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
