import type { FilePosition } from './compiler-session.ts';
import { editsThatSee } from './edits-that-see.ts';
import { findIntroduced } from './find-introduced.ts';
import type { FoundSymbol } from './find-symbol.ts';
import { fileOf } from './language-protocol.ts';
import { LineIndex } from './line-index.ts';
import type { Question } from './question.ts';
import type { FileEdits, Names } from './rename-edits.ts';
import type { SourceDiagnostic } from './source-diagnostic.ts';
import type { TextCache } from './text-cache.ts';
import { applyEdits, shiftOffset } from '../language/text-spans.ts';

/** A renaming that is to be tried. */
export interface RenameTrial {
  readonly symbol: FoundSymbol;
  readonly names: Names;
  readonly edits: readonly FileEdits[];
  readonly texts: TextCache;
}

/** What trying it showed. */
export interface RenameVerdict {
  /** New errors. */
  readonly introduced: readonly SourceDiagnostic[];
  /** Files in which a use would become a use of something else, or the other way round. */
  readonly captured: readonly string[];
  /** Changed files that see the symbol only by what was built of it: they can be checked after the next build. */
  readonly unchecked: readonly string[];
}

/** Shows the compiler a renaming as if it were done, and finds out what that breaks. */
export async function checkRename(question: Question, trial: RenameTrial): Promise<RenameVerdict> {
  const { session, signal } = question;
  const { symbol, texts } = trial;
  const seeing = await editsThatSee(question, symbol.at.file, trial.edits);
  const files = new Set(seeing.map(({ file }) => file));
  const before = await countReferences(question, symbol.at, files);
  const changes = await Promise.all(
    seeing.map(async ({ file, edits }) => ({ file, after: applyEdits((await texts.get(file)).text, edits) })),
  );
  const { introduced, fixed } = await findIntroduced(question, { changes });
  const after = await countReferences(question, await shifted(trial), files);
  signal.throwIfAborted();
  session.show(new Map());
  return {
    introduced: withoutSame(introduced, fixed, trial.names),
    captured: [...files].filter((file) => before.get(file) !== after.get(file)),
    unchecked: trial.edits.map(({ file }) => file).filter((file) => !files.has(file)),
  };
}

async function countReferences(
  { session, signal }: Question,
  at: FilePosition,
  files: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const places = new Set<string>();
  for (const { uri, range } of await session.references(at, signal)) {
    places.add(`${range.start.line}:${range.start.character}:${fileOf(uri)}`);
  }
  const counts = new Map<string, number>();
  for (const place of places) {
    const file = place.replace(/^\d+:\d+:/, '');
    if (files.has(file)) counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return counts;
}

/** Where the declaration is once the edits are done. */
async function shifted({ symbol: { at }, edits, texts }: RenameTrial): Promise<FilePosition> {
  const own = edits.find(({ file }) => file === at.file)?.edits ?? [];
  const { text, lines } = await texts.get(at.file);
  const offset = shiftOffset(lines.offsetAt(at.position), own);
  return { file: at.file, position: new LineIndex(applyEdits(text, own)).positionAt(offset) };
}

/** Errors that were there before, and only name the symbol, are not new. */
function withoutSame(
  introduced: readonly SourceDiagnostic[],
  fixed: readonly SourceDiagnostic[],
  { oldName, newName }: Names,
): readonly SourceDiagnostic[] {
  const keyOf = ({ file, line, code, message }: SourceDiagnostic): string =>
    `${file}:${line}:${code}:${message.replaceAll(newName, oldName)}`;
  const known = new Set(fixed.map(keyOf));
  return introduced.filter((diagnostic) => !known.has(keyOf(diagnostic)));
}
