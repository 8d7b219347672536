import { basename } from 'node:path';
import { checkRename, type RenameVerdict } from './check-rename.ts';
import { findSymbol, type FoundSymbol, type SymbolPlace } from './find-symbol.ts';
import { nameProblem } from './identifier-name.ts';
import { findCandidates, usesElsewhere, type Candidates } from './other-projects.ts';
import type { Question } from './question.ts';
import { RenameEdits, type FileEdits, type Names } from './rename-edits.ts';
import { RpcError } from './rpc-connection.ts';
import type { SourceDiagnostic } from './source-diagnostic.ts';
import { TextCache } from './text-cache.ts';

/** The symbol at a place, and what it is to be called. */
export interface RenameQuery extends SymbolPlace {
  readonly newName: string;
}

/** What to change for a renaming, or why it is not to be done. */
export type RenamePlan =
  | {
      readonly type: 'edits';
      readonly oldName: string;
      readonly files: readonly FileEdits[];
      /** Changed files that can be checked only once the package they use is built again. */
      readonly unchecked: readonly string[];
    }
  | {
      readonly type: 'refused';
      /** One sentence without a full stop. */
      readonly reason: string;
      /** The errors that it would bring, where that is the reason. */
      readonly introduced: readonly SourceDiagnostic[];
      /** Files in which the new name means something else already, where that is the reason. */
      readonly captured: readonly string[];
    };

/** Plans to call a symbol something else, in all projects of the workspace. Nothing is written. */
export async function planRename(question: Question, query: RenameQuery): Promise<RenamePlan> {
  const { session, files } = question;
  const texts = new TextCache(files);
  session.show(new Map());
  const symbol = await findSymbol(question, query, texts);
  if (symbol === undefined) return refused('there is no name at this place');
  const names = { oldName: symbol.name, newName: query.newName };
  const problem = nameProblem(names.newName, names.oldName);
  if (problem !== undefined) return refused(problem);
  const sources = new Set(await files.sources());
  if (!sources.has(symbol.at.file)) return refused(`${names.oldName} is declared outside of the sources`);
  const collected = await collect(question, { symbol, names, texts });
  const edits = collected.filter(({ file }) => sources.has(file));
  if (edits.length === 0) return refused(`${names.oldName} cannot be renamed`);
  const verdict = await checkRename(question, { symbol, names, edits, texts });
  const objection = objectionTo(verdict, names);
  const { introduced, captured } = verdict;
  if (objection !== undefined) return { type: 'refused', reason: objection, introduced, captured };
  return { type: 'edits', oldName: names.oldName, files: edits, unchecked: verdict.unchecked };
}

interface Renaming {
  readonly symbol: FoundSymbol;
  readonly names: Names;
  readonly texts: TextCache;
}

/** Every place that has to change; none when the compiler refuses. */
async function collect(question: Question, renaming: Renaming): Promise<readonly FileEdits[]> {
  const { symbol, names, texts } = renaming;
  const candidates = await findCandidates(question, symbol, texts);
  const edits = new RenameEdits(names, texts);
  try {
    await follow(question, { edits, newName: names.newName, start: symbol.at });
  } catch (error) {
    if (error instanceof RpcError) return [];
    throw error;
  }
  await followElsewhere(question, { ...renaming, candidates, edits });
  return edits.finish();
}

/** Asks for the changes at a place, and at all places that pass the name on. */
async function follow(
  { session, signal }: Question,
  { edits, newName, start }: { edits: RenameEdits; readonly newName: string; readonly start: FoundSymbol['at'] },
): Promise<void> {
  const queue = [start];
  for (const at of queue) queue.push(...(await edits.take(await session.rename(at, newName, signal))));
}

async function followElsewhere(
  question: Question,
  { symbol, names, texts, candidates, edits }: Renaming & { candidates: Candidates; edits: RenameEdits },
): Promise<void> {
  const known = ({ file, offset }: SymbolPlace): boolean => edits.has(file, offset);
  const search = { symbol, candidates, texts, known };
  for await (const { at } of usesElsewhere(question, search)) {
    await follow(question, { edits, newName: names.newName, start: at });
  }
}

function objectionTo({ introduced, captured }: RenameVerdict, { newName }: Names): string | undefined {
  const [first] = introduced;
  if (first !== undefined) {
    const count = introduced.length === 1 ? '1 new error' : `${introduced.length} new errors`;
    return `it would bring ${count}, the first in ${basename(first.file)} line ${first.line}: ${first.message}`;
  }
  if (captured.length === 0) return undefined;
  return `${newName} means something else already in ${captured.map((file) => basename(file)).join(', ')}`;
}

function refused(reason: string): RenamePlan {
  return { type: 'refused', reason, introduced: [], captured: [] };
}
