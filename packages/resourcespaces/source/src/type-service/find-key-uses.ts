import { escapePattern } from '@bae/workspace';
import { applyEdits, shiftOffset, type TextEdit } from '../language/outline.ts';
import type { SourceDiagnostic, TypeQuery } from './compiler-session.ts';
import type { Renamed } from './find-diagnostics.ts';
import { findOccurrences } from './identifier-name.ts';
import { LineIndex } from './module-files.ts';

/** The edits of one file, sorted; offsets refer to the text on disk. */
export interface FileEdits {
  readonly file: string;
  readonly edits: readonly TextEdit[];
}

/** What a rename changes so far. */
export interface KeyTrial {
  readonly renamed: Renamed;
  readonly edits: readonly FileEdits[];
  /** The files that may be changed. */
  readonly sources: ReadonlySet<string>;
}

/**
 * Finds the places that name a renamed member as a key, from the errors that its new name brings there: the `'name'` of
 * `Pick<User, 'name'>` and of a `keyof User`, and the keys of a `Record<keyof User, number>`. The compiler does not take
 * these for uses, but reports an error there.
 */
export async function findKeyUses(
  { texts }: TypeQuery,
  { renamed, edits, sources }: KeyTrial,
  errors: readonly SourceDiagnostic[],
): Promise<readonly FileEdits[]> {
  const found: FileEdits[] = [];
  for (const [file, own] of Map.groupBy(errors, (error) => error.file)) {
    if (!sources.has(file)) continue;
    const { text } = await texts.get(file);
    const made = edits.find((one) => one.file === file)?.edits ?? [];
    const after = applyEdits(text, made);
    const lines = new LineIndex(after);
    const open = new Map(listUnchanged(text, renamed, made).map((offset) => [shiftOffset(offset, made), offset]));
    const keys = own.flatMap((error) => {
      const at = lines.offsetAt({ line: error.line - 1, character: error.column - 1 });
      return listKeys(after, at, { error, renamed });
    });
    const fresh = keys.flatMap(({ at, text: key }) => {
      const start = open.get(at);
      return start === undefined ? [] : [[start, { start, end: start + renamed.from.length, text: key }] as const];
    });
    const unique = [...new Map(fresh).values()].toSorted((a, b) => a.start - b.start);
    if (unique.length > 0) found.push({ file, edits: unique });
  }
  return found;
}

/** Lists the offsets of a name that no edit changes. */
function listUnchanged(text: string, { from }: Renamed, edits: readonly TextEdit[]): readonly number[] {
  return findOccurrences(from, text).filter((offset) => !edits.some(({ start }) => start === offset));
}

interface Key {
  /** Offset of the name. */
  readonly at: number;
  readonly text: string;
}

/** Lists the keys at the place of an error. */
function listKeys(
  text: string,
  at: number,
  { error: { code, message }, renamed: { from, to } }: { readonly error: SourceDiagnostic; readonly renamed: Renamed },
): readonly Key[] {
  const rest = text.slice(at);
  const quoted = `(["'\`])${escapePattern(from)}\\1`;
  const take = (part: string, pattern: string): readonly Key[] =>
    Array.from(part.matchAll(new RegExp(pattern, 'g')), ({ index, 0: match }) => {
      return { at: at + index + match.length - from.length - 1, text: to };
    });
  // A single one, or several as a union: `Pick<User, 'id' | 'name'>`.
  const literals = /^(?:\s*\|?\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`\n]*`))+/.exec(rest)?.[0];
  if (literals !== undefined) return take(literals, quoted);
  const line = /^[^;\n]*/.exec(rest)![0];
  // `key === 'name'`
  if (code === 2367) return take(line, `[!=]==?\\s*${quoted}`).slice(0, 1);
  // `const key: keyof User = isNew ? 'name' : 'id'`, `return 'name'`
  if (code === 2322 && message.includes(`"${from}"`))
    return take(line, String.raw`(?:(?<![=!<>])=|\?|:|\|\||^return\b)\s*${quoted}`);
  if (!rest.startsWith(from) || !message.includes(`'${from}'`)) return [];
  const isMember = (code === 2339 || code === 2551) && /\.\s*$/.test(text.slice(Math.max(0, at - 20), at));
  if (isMember) return [{ at, text: to }];
  if (code !== 2353 && code !== 2561) return [];
  const isShorthand = /^\s*[,}]/.test(rest.slice(from.length));
  return [{ at, text: isShorthand ? `${to}: ${from}` : to }];
}

/** Types that take any key; the others are errors for a key that a type does not have. */
const LOOSE = /\b(?:Omit|Exclude|Extract)(?=\s*<)/g;

/** The same types, with names of the same length, which take only keys that there are. */
const STRICT = `
type Omi_<T, K extends keyof T> = [T, K];
type Exclud_<T, U extends T> = [T, U];
type Extrac_<T, U extends T> = [T, U];
`;

/** Finds the keys of a renamed member that bring no error, as in `Omit<User, 'name'>`, which takes any. */
export async function findLooseKeys(query: TypeQuery, trial: KeyTrial): Promise<readonly FileEdits[]> {
  const { session, files, texts, signal } = query;
  const { renamed, edits, sources } = trial;
  const made = new Map(edits.map(({ file, edits: own }) => [file, own]));
  const asked: string[] = [];
  const shown = { before: new Map<string, string>(), after: new Map<string, string>() };
  for (const file of new Set([...made.keys(), ...(await files.mentioning(renamed.from, signal))])) {
    const { text } = await texts.get(file);
    const own = made.get(file) ?? [];
    const isAsked = sources.has(file) && text.search(LOOSE) !== -1 && listUnchanged(text, renamed, own).length > 0;
    if (isAsked) asked.push(file);
    else if (own.length === 0) continue;
    const limit = (one: string): string =>
      isAsked ? one.replaceAll(LOOSE, (name) => `${name.slice(0, -1)}_`) + STRICT : one;
    shown.before.set(file, limit(text));
    shown.after.set(file, limit(applyEdits(text, own)));
  }
  if (asked.length === 0) return [];
  const findKeys = async (texts: ReadonlyMap<string, string>, how: KeyTrial): Promise<readonly FileEdits[]> => {
    session.show(texts);
    const errors = await Promise.all(asked.map((file) => session.errorsOf(file, signal)));
    return findKeyUses(
      query,
      how,
      errors.flatMap((all) => all?.filter(({ code }) => code === 2344) ?? []),
    );
  };
  // A key that is wrong before the change does not name this member.
  const before = await findKeys(shown.before, { ...trial, edits: [] });
  const after = await findKeys(shown.after, trial);
  session.show(new Map());
  return after.flatMap(({ file, edits: keys }) => {
    const known = before.find((one) => one.file === file)?.edits ?? [];
    const own = keys.filter(({ start }) => !known.some((one) => one.start === start));
    return own.length === 0 ? [] : [{ file, edits: own }];
  });
}

/** Adds the edits of some files to others. */
export function mergeEdits(edits: readonly FileEdits[], added: readonly FileEdits[]): readonly FileEdits[] {
  const all = Map.groupBy([...edits, ...added], ({ file }) => file);
  return [...all]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, own]) => ({ file, edits: own.flatMap((one) => one.edits).toSorted((a, b) => a.start - b.start) }));
}
