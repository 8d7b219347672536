import type { FoundSymbol, SymbolPlace, TypeQuery } from './compiler-session.ts';
import { findLinks, findModuleUses, IMPORTS, isCommonJs } from './common-js/find-module-uses.ts';
import { findNameAt, findOccurrences } from './identifier-name.ts';
import { type FilePosition, toPlaceKey } from './language-protocol.ts';

/** A place that names a symbol. The file is an absolute path; lines count from 1. */
export interface Reference {
  readonly file: string;
  readonly start: number;
  readonly line: number;
  /** The whole line, without its indentation. */
  readonly text: string;
  readonly isDefinition: boolean;
}

interface FoundReferences {
  readonly references: readonly Reference[];
  /** Members of that name in CommonJS modules, of objects that nothing in the code identifies. */
  readonly possible: readonly Reference[];
}

/** Finds all places that name the symbol at a place, in all projects of the workspace, sorted by file. */
export async function findReferences(query: TypeQuery, place: SymbolPlace): Promise<FoundReferences> {
  const { session, signal } = query;
  session.show(new Map());
  const symbol = await findNamedSymbol(query, place);
  if (symbol === undefined) return { references: [], possible: [] };
  const candidates = await findCandidates(query, symbol);
  const found = [...(await session.references(symbol.at, signal))];
  const searched = new Set<string>();
  const isKnown = (_: unknown, config: string): boolean => searched.has(config);
  for await (const { at, config } of findUsesElsewhere(query, symbol, { candidates, isKnown })) {
    found.push(...(await session.references(at, signal)));
    searched.add(config);
  }
  const { named, renamed } = await findCommonJsUses(query, symbol);
  // For a member that is assigned to an object, the compiler finds the uses but not the assignment itself.
  const known = [symbol.at, ...found, ...named, ...renamed, ...(await findModuleUses(query, symbol, named))];
  const { findMemberUses, findTypeMentions } = await loadMemberUses();
  const { uses: members, possible } = await findMemberUses(query, symbol);
  const all = [...known, ...members, ...(await findTypeMentions(query, symbol, known))];
  const isNew = (one: FilePosition): boolean => !all.some((other) => toPlaceKey(other) === toPlaceKey(one));
  return {
    references: await describeReferences(query, symbol, all),
    possible: await describeReferences(query, symbol, possible.filter(isNew)),
  };
}

/** Describes places that name a symbol, each once. */
export async function describeReferences(
  { texts }: Pick<TypeQuery, 'texts'>,
  symbol: FoundSymbol,
  all: readonly FilePosition[],
): Promise<readonly Reference[]> {
  const places = new Map(all.map((one) => [toPlaceKey(one), one]));
  const declarations = new Set([...symbol.declarations, toPlaceKey(symbol.at)]);
  const references = [...places].map(async ([key, { file, position }]) => {
    const { lines } = await texts.get(file);
    const text = lines.lineText(position.line).trim();
    const isDefinition = declarations.has(key);
    return { file, start: lines.offsetAt(position), line: position.line + 1, text, isDefinition };
  });
  return (await Promise.all(references)).toSorted((a, b) =>
    a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1,
  );
}

/**
 * Finds the symbol that is named at a place. For a use, the result has the place of the declaration, unless the symbol
 * has another name there. Returns undefined when there is no name at the place.
 */
export async function findNamedSymbol(
  { session, texts, signal }: TypeQuery,
  { file, offset }: SymbolPlace,
): Promise<FoundSymbol | undefined> {
  const { text, lines } = await texts.get(file);
  const named = findNameAt(text, offset);
  if (named === undefined) return undefined;
  const at = { file, position: lines.positionAt(named.start) };
  const places = await session.definitions(at, signal);
  const declarations = new Set(places.map(toPlaceKey));
  for (const place of places) {
    const declared = await texts.get(place.file);
    const start = declared.lines.offsetAt(place.position);
    if (declared.text.startsWith(named.name, start)) return { name: named.name, at: place, declarations };
  }
  return { name: named.name, at, declarations };
}

/**
 * Finds the files of other projects in which a symbol may be used, and makes the compiler load their projects, since it
 * searches only loaded projects. Files without a project are opened, which makes one project of them, and so are the
 * scripts of components.
 */
export async function findCandidates(
  { session, files, texts, signal }: TypeQuery,
  { name, at }: FoundSymbol,
): Promise<readonly Candidate[]> {
  const own = await session.configOf(at.file, signal);
  const candidates: Candidate[] = [];
  const components = await files.components(name, signal);
  const shown = new Map([...components].map(([file, { text }]) => [file, text]));
  // A file has a project only if the compiler can see the file.
  session.show(shown);
  const loose = new Map<string, string>();
  for (const file of [...(await files.mentioning(name, signal)), ...components.keys()]) {
    const config = await session.configOf(file, signal);
    if (config === undefined) loose.set(file, (await texts.get(file)).text);
    else if (config !== own) candidates.push({ file, config });
  }
  if (loose.size > 0 && own === undefined) loose.set(at.file, (await texts.get(at.file)).text);
  session.show(new Map([...shown, ...loose]));
  return candidates;
}

interface Candidate {
  readonly file: string;
  readonly config: string;
}

interface Search {
  readonly candidates: readonly Candidate[];
  /** Returns true for places that are already known, or whose project is. */
  readonly isKnown: (at: SymbolPlace, config: string) => boolean;
}

/**
 * Finds the places in other projects that name a symbol. A package often imports the build output of another, for which
 * the compiler finds no uses. So the name is searched for as text; the compiler then leads from each place to the
 * source.
 */
export async function* findUsesElsewhere(
  { session, texts, signal }: TypeQuery,
  symbol: FoundSymbol,
  { candidates, isKnown }: Search,
): AsyncGenerator<{ readonly at: FilePosition; readonly config: string }> {
  for (const { file, config } of candidates) {
    const { text, lines } = await texts.get(file);
    for (const offset of findOccurrences(symbol.name, text)) {
      if (isKnown({ file, offset }, config)) continue;
      const at = { file, position: lines.positionAt(offset) };
      const declarations = await session.definitions(at, signal);
      if (declarations.some((one) => symbol.declarations.has(toPlaceKey(one)))) yield { at, config };
    }
  }
}

interface CommonJsUses {
  /** Places that have the name of the symbol. */
  readonly named: readonly Occurrence[];
  /** Places at which it has another name: those of `b` after `const { a: b } = require('./x')`. */
  readonly renamed: readonly FilePosition[];
}

const NONE: CommonJsUses = { named: [], renamed: [] };

/**
 * Finds the places that name a symbol of a CommonJS module. The compiler can resolve a name after `require` and
 * `exports`, but does not search in that direction. So the name is searched for as text, and the compiler leads from
 * each place to a declaration. A place that exports or imports the symbol counts as a declaration of it.
 */
export async function findCommonJsUses(
  query: TypeQuery,
  { name, at, declarations }: FoundSymbol,
): Promise<CommonJsUses> {
  if (!(await isCommonJs(at.file, query))) return NONE;
  const { session, files, texts, signal } = query;
  const known = new Set(declarations);
  const open: Occurrence[] = [];
  for (const file of new Set([at.file, ...(await files.mentioning(name, signal))])) {
    if (!(await isCommonJs(file, query))) continue;
    const { text, lines } = await texts.get(file);
    const links = findLinks(text);
    for (const offset of findOccurrences(name, text)) {
      const position = lines.positionAt(offset);
      const place = { file, position };
      const key = toPlaceKey(place);
      const isLink = links.some(([start, end]) => offset >= start && offset < end);
      // `exports.a = function a() {}` exports the symbol that its right side declares.
      const isHere = file === at.file && position.line === at.position.line;
      // `var a = exports.a = function a() {}` has a name more, to which the compiler leads from every use of the export.
      const before = isHere ? text.slice(text.lastIndexOf('\n', offset) + 1, offset) : '';
      const isDeclared =
        isHere &&
        (isLink ||
          /^\s*(?:var|let|const)\s.*\bexports\b.*=\s*\(?(?:async\s+)?(?:function\b|class\s)[\s*]*$/.test(before));
      if (isDeclared) known.add(key);
      const leadsTo = (await session.definitions(place, signal)).map(toPlaceKey);
      open.push({ ...place, offset, key, isLink, leadsTo });
    }
  }
  const named: Occurrence[] = [];
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const one of open) {
      if (named.includes(one) || !(known.has(one.key) || one.leadsTo.some((key) => known.has(key)))) continue;
      named.push(one);
      if (one.isLink) known.add(one.key);
      isNew = true;
    }
  }
  const renamed: FilePosition[] = [];
  for (const one of named.filter(({ isLink }) => isLink)) {
    const { text, lines } = await texts.get(one.file);
    const local = /^\s*:\s*(?=[\p{ID_Start}$_])/u.exec(text.slice(one.offset + name.length));
    if (local === null || !isDestructured(text, one.offset)) continue;
    const position = lines.positionAt(one.offset + name.length + local[0].length);
    renamed.push(...(await session.references({ file: one.file, position }, signal)));
  }
  return { named, renamed };
}

/** A place at which a new name is written. */
export interface NamedPlace extends FilePosition {
  /** The new name, behind its former one if that stays the name of a variable. */
  readonly newText: string;
}

interface CommonJsNames {
  readonly names: readonly NamedPlace[];
  /** Places that may name it, and are not changed. */
  readonly possible: readonly FilePosition[];
}

/**
 * Finds the places in CommonJS modules at which the name of a symbol changes with it. A name that another module gives
 * to a required value is its own: it is not changed, unless that module takes it from the symbol by this name.
 */
export async function findCommonJsNames(
  query: TypeQuery,
  symbol: FoundSymbol,
  newName: string,
): Promise<CommonJsNames> {
  const { name, at } = symbol;
  if (!(await isCommonJs(at.file, query))) return { names: [], possible: [] };
  const { named } = await findCommonJsUses(query, symbol);
  const places: FilePosition[] = [];
  for (const [file, all] of Map.groupBy(named, (one) => one.file)) {
    const { text } = await query.texts.get(file);
    const isOwn = file === at.file || all.some(({ isLink }) => isLink);
    places.push(...all.filter(({ offset }) => isOwn || isMemberAccess(text, offset)));
  }
  for (const place of await findModuleUses(query, symbol, named)) {
    const { text, lines } = await query.texts.get(place.file);
    const offset = lines.offsetAt(place.position);
    if (place.file !== at.file && text.startsWith(name, offset) && isMemberAccess(text, offset)) places.push(place);
  }
  const known = new Set(places.map(toPlaceKey));
  const { findMemberUses, findTypeMentions } = await loadMemberUses();
  const { uses, possible } = await findMemberUses(query, symbol);
  // A variable that is taken from a member, as in `{ add } = this`, is renamed without it.
  const isVariable = uses.some((use) => use.isShorthand && toPlaceKey(use) === toPlaceKey(at));
  const members = isVariable ? [] : uses.filter((use) => !known.has(toPlaceKey(use)));
  const types = await findTypeMentions(query, symbol, [at, ...places]);
  const names = [
    ...[...places, ...types].map((place) => ({ ...place, newText: newName })),
    ...members.map((use) => ({ ...use, newText: use.isShorthand ? `${newName}: ${name}` : newName })),
  ];
  return { names, possible: isVariable ? [] : possible.filter((use) => !known.has(toPlaceKey(use))) };
}

/** Entering the space loads no parser. */
const loadMemberUses = () => import('./common-js/find-member-uses.ts');

function isMemberAccess(text: string, offset: number): boolean {
  return /\.\s*$/.test(text.slice(Math.max(0, offset - 20), offset));
}

interface Occurrence extends FilePosition {
  readonly offset: number;
  readonly key: string;
  /** True if the name is exported or imported there. */
  readonly isLink: boolean;
  /** Place keys of the declarations to which the compiler resolves the name. */
  readonly leadsTo: readonly string[];
}

function isDestructured(text: string, offset: number): boolean {
  return Array.from(text.matchAll(IMPORTS)).some(
    ({ index, 0: found }) => found.startsWith('{') && offset > index && offset < index + found.length,
  );
}
