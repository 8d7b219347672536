import { applyEdits, shiftOffset, type TextEdit } from '../language/outline.ts';
import type { FoundSymbol, SourceDiagnostic, SymbolPlace, TypeQuery } from './compiler-session.ts';
import { findIntroduced } from './find-diagnostics.ts';
import {
  describeReferences,
  findCandidates,
  findCommonJsNames,
  findNamedSymbol,
  findUsesElsewhere,
  type Reference,
} from './find-references.ts';
import { type FileEdits, findKeyUses, findLooseKeys, mergeEdits } from './find-key-uses.ts';
import { checkName, findOccurrences } from './identifier-name.ts';
import { LineIndex, type TextCache } from './module-files.ts';
import { type FilePosition, isRefused, toPlaceKey } from './language-protocol.ts';
import { listReferencedProjects } from './project-facts.ts';
import type { ComponentScripts } from '../language/component-outline.ts';

export interface RenameRequest extends SymbolPlace {
  readonly newName: string;
  /** Texts of files that do not exist on disk: the scripts of a component that declares the symbol. */
  readonly shown?: ReadonlyMap<string, string>;
}

/** The edits of a rename, or the reason why it is refused. */
export type RenamePlan =
  | {
      readonly type: 'edits';
      readonly oldName: string;
      readonly files: readonly FileEdits[];
      /** Changed files that import the symbol from build output: they can be checked after the next build. */
      readonly unchecked: readonly string[];
      /** Changed components that import the symbol under its old name, since their templates use it. */
      readonly keeping: readonly string[];
      /** Places of CommonJS that may name the symbol, since nothing in the code identifies their objects; not changed. */
      readonly possible: readonly Reference[];
    }
  /** The reason is one sentence without a full stop. */
  | { readonly type: 'refused'; readonly reason: string }
  | {
      readonly type: 'breaking';
      readonly introduced: readonly SourceDiagnostic[];
      /** Files in which a use of the symbol would refer to another, or a use of another to this one. */
      readonly captured: readonly string[];
    };

/** Plans to rename a symbol in all projects of the workspace. Nothing is written. */
export async function planSymbolRename(query: TypeQuery, request: RenameRequest): Promise<RenamePlan> {
  const { session, files, texts } = query;
  session.show(request.shown ?? new Map());
  const symbol = await findNamedSymbol(query, request);
  if (symbol === undefined) return refuseRename('there is no name at this place');
  const { newName } = request;
  const { name: oldName } = symbol;
  const problem = checkName(newName, oldName);
  if (problem !== undefined) return refuseRename(problem);
  const components = await files.components(oldName, query.signal);
  const sources = new Set([...(await files.sources()), ...components.keys()]);
  if (!sources.has(symbol.at.file)) return refuseRename(`${oldName} is declared outside of the sources`);
  const { all, named, possible } = await collectEdits(query, symbol, newName);
  const keeping = new Set<string>();
  const edits = all.flatMap((one) => {
    if (!sources.has(one.file)) return [];
    const scripts = components.get(one.file);
    const kept = scripts && isNamedOutside(scripts, oldName) && keepLocalName(scripts.text, oldName, one.edits);
    if (!kept) return [one];
    keeping.add(one.file);
    return [{ ...one, edits: kept }];
  });
  if (edits.length === 0) return refuseRename(`${oldName} cannot be renamed`);
  // In a CommonJS module, the meaning of a name is unknown before the code runs.
  for (const { file } of named) {
    if (findOccurrences(newName, (await texts.get(file)).text).length > 0)
      return refuseRename(`${newName} is already used in ${files.pathOf(file)}`);
  }
  const plan = await checkWithKeys(query, { symbol, newName, edits, keeping }, sources);
  return plan.type === 'edits' ? { ...plan, possible: await describeReferences(query, symbol, possible) } : plan;
}

function refuseRename(reason: string): RenamePlan {
  return { type: 'refused', reason };
}

/**
 * Collects all edits, by file; none when the compiler refuses. The compiler keeps the outer name of a re-export,
 * `export { fresh as old }`, and of an import. Here the name changes everywhere, so each place that re-exports it needs
 * a request of its own.
 */
async function collectEdits(query: TypeQuery, symbol: FoundSymbol, newName: string) {
  const { session, texts, signal } = query;
  const { name: oldName } = symbol;
  const found = new Map<string, Map<number, TextEdit>>();
  const replace = (file: string, start: number, text: string): void => {
    const own = found.get(file) ?? new Map<number, TextEdit>();
    found.set(file, own.set(start, { start, end: start + oldName.length, text }));
  };
  const isKnown = ({ file, offset }: SymbolPlace): boolean => found.get(file)?.has(offset) ?? false;
  const follow = async (first: FilePosition): Promise<void> => {
    const queue = [first];
    for (const at of queue) {
      for (const { newText, ...place } of await session.rename(at, newName, signal)) {
        const { file } = place;
        const { text, lines } = await texts.get(file);
        const offset = lines.offsetAt(place.position);
        // If a built file led to a source, the place may be wrong.
        if (!text.startsWith(oldName, offset) || isKnown({ file, offset })) continue;
        const isReexport = newText === `${newName} as ${oldName}`;
        if (isReexport) queue.push(place);
        const isPlain = isReexport || newText === `${oldName} as ${newName}`;
        replace(file, offset, isPlain ? newName : newText);
      }
    }
  };
  const candidates = await findCandidates(query, symbol);
  try {
    await follow(symbol.at);
  } catch (error) {
    if (isRefused(error)) return { all: [], named: [], possible: [] };
    throw error;
  }
  for await (const { at } of findUsesElsewhere(query, symbol, { candidates, isKnown })) await follow(at);
  const { names: named, possible } = await findCommonJsNames(query, symbol, newName);
  for (const { file, position, newText } of named)
    replace(file, (await texts.get(file)).lines.offsetAt(position), newText);
  const all = [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, edits]) => ({ file, edits: [...edits.values()].toSorted((a, b) => a.start - b.start) }));
  return { all, named, possible };
}

interface RenameTrial {
  readonly symbol: FoundSymbol;
  readonly newName: string;
  readonly edits: readonly FileEdits[];
  /** Components that go on with the old name. */
  readonly keeping: ReadonlySet<string>;
}

/** Number of checks after which no further key is looked for: keys of one type may in turn name keys of another. */
const MOST_CHECKS = 6;

/** Checks a rename, and also renames the keys that are found to name the symbol. */
async function checkWithKeys(query: TypeQuery, first: RenameTrial, sources: ReadonlySet<string>): Promise<RenamePlan> {
  const { symbol, newName } = first;
  let { edits } = first;
  let plan = await checkRename(query, first);
  for (let count = 1; count < MOST_CHECKS; count++) {
    const trial = { renamed: { from: symbol.name, to: newName }, edits, sources };
    const found =
      plan.type === 'breaking' ? await findKeyUses(query, trial, plan.introduced) : await findLooseKeys(query, trial);
    if (found.length === 0) break;
    edits = mergeEdits(edits, found);
    plan = await checkRename(query, { ...first, edits });
  }
  return plan;
}

/** Time after which no further file is checked, in milliseconds. */
const BUDGET_MS = 20_000;

/** Determines the problems that a rename would cause: the compiler checks the new texts, which are not written. */
async function checkRename(query: TypeQuery, trial: RenameTrial): Promise<RenamePlan> {
  const { session, texts, signal } = query;
  const { symbol, newName, edits, keeping } = trial;
  const seeing = await filterSeeing(query, symbol.at.file, edits);
  const files = new Set(seeing.map(({ file }) => file));
  const countReferences = async (at: FilePosition) => {
    const byFile = Map.groupBy(await session.references(at, signal), ({ file }) => file);
    return (file: string) => new Set(byFile.get(file)?.map(toPlaceKey)).size;
  };
  const before = await countReferences(symbol.at);
  const changes = await Promise.all(
    seeing.map(async ({ file, edits }) => {
      const { text } = await texts.get(file);
      return { file, before: text, after: applyEdits(text, edits) };
    }),
  );
  const renamed = { from: symbol.name, to: newName };
  const { introduced } = await findIntroduced(query, { changes, budgetMs: BUDGET_MS, projectsOnly: false, renamed });
  const after = await countReferences(await shiftPosition(trial, texts));
  signal.throwIfAborted();
  session.show(new Map());
  // An import with two names is one more reference.
  const captured = [...files].filter((file) => !keeping.has(file) && before(file) !== after(file));
  if (introduced.length + captured.length > 0) return { type: 'breaking', introduced, captured };
  const changed = edits.map(({ file }) => file);
  return {
    type: 'edits',
    oldName: symbol.name,
    files: edits,
    unchecked: changed.filter((file) => !files.has(file)),
    keeping: changed.filter((file) => keeping.has(file)),
    possible: [],
  };
}

/** Returns the edits of files that import the source of a symbol, not only its build output. */
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

async function shiftPosition({ symbol: { at }, newName, edits }: RenameTrial, texts: TextCache): Promise<FilePosition> {
  const own = edits.find(({ file }) => file === at.file)?.edits ?? [];
  const { text, lines } = await texts.get(at.file);
  const start = lines.offsetAt(at.position);
  // A variable that is taken from a member gets a name of its own: `{ old: fresh }`.
  const renamed = own.find((edit) => edit.start === start)?.text ?? '';
  const behind = renamed.endsWith(`: ${newName}`) ? renamed.length - newName.length : 0;
  const offset = shiftOffset(start, own) + behind;
  return { file: at.file, position: new LineIndex(applyEdits(text, own)).positionAt(offset) };
}

/** Tests whether a component uses a name where the compiler cannot see it: in its template, or as a store of Svelte. */
export function isNamedOutside({ text, rest }: ComponentScripts, name: string): boolean {
  // The tag of a component of Vue, or its directive: `<my-card>`, `v-my-focus`.
  const tag = name.replaceAll(/(?<=[^A-Z])(?=[A-Z])/g, '-').toLowerCase();
  if (tag.includes('-') && rest.includes(tag)) return true;
  const store = `$${name}`;
  return [...findOccurrences(name, rest), ...findOccurrences(store, rest + text)].length > 0;
}

/** Names in the braces of an import. */
const IMPORTED = /\bimport\b[^;'"]*?\{([^{}]*)\}\s*from\b/dg;

/**
 * Turns the edits of a renaming into those that import the symbol under its old name, `{ fresh as old }`, so that the
 * rest of the module stays as it is; undefined when the module does not import it by its name.
 */
function keepLocalName(text: string, oldName: string, edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
  const imported = Array.from(text.matchAll(IMPORTED), ({ indices }) => indices![1]!);
  const isImport = ({ start }: TextEdit): boolean => imported.some(([from, to]) => start >= from && start < to);
  const hasAlias = ({ end }: TextEdit): boolean => /^\s+as\b/.test(text.slice(end, end + 20));
  const isMember = ({ start }: TextEdit): boolean => /\.\s*$/.test(text.slice(Math.max(0, start - 20), start));
  if (!edits.some((edit) => isImport(edit) && !hasAlias(edit))) return undefined;
  return edits.flatMap((edit) => {
    if (!isImport(edit)) return isMember(edit) ? [edit] : [];
    return hasAlias(edit) ? [edit] : [{ ...edit, text: `${edit.text} as ${oldName}` }];
  });
}
