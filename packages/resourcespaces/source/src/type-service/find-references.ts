import type { FilePosition, FoundSymbol, SymbolPlace, TypeQuery } from './compiler-session.ts';
import { findNameAt, findOccurrences } from './identifier-name.ts';
import { TextCache } from './module-files.ts';
import { findCommonJsUses } from './find-common-js-uses.ts';
import { toFile, toPlaceKey, toUri } from './language-protocol.ts';

/** A place where a symbol is named. The file is an absolute path; lines count from 1. */
export interface Reference {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** The whole line, without its indentation. */
  readonly text: string;
  readonly isDefinition: boolean;
}

/** Finds everywhere that the symbol at a place is named, in all projects of the workspace, sorted by file. */
export async function findReferences(query: TypeQuery, place: SymbolPlace): Promise<readonly Reference[]> {
  const { session, signal } = query;
  const texts = new TextCache(query.files);
  session.show(new Map());
  const symbol = await findNamedSymbol(query, place, texts);
  if (symbol === undefined) return [];
  const candidates = await findCandidates(query, symbol, texts);
  const found = await session.references(symbol.at, signal);
  const searched = new Set<string>();
  const isKnown = (_: unknown, config: string): boolean => searched.has(config);
  for await (const { at, config } of findUsesElsewhere(query, { symbol, candidates, texts, isKnown })) {
    found.push(...(await session.references(at, signal)));
    searched.add(config);
  }
  const common = await findCommonJsUses(query, symbol, texts);
  for (const { file, offset } of common.named) {
    const position = (await texts.get(file)).lines.positionAt(offset);
    const end = { ...position, character: position.character + symbol.name.length };
    found.push({ uri: toUri(file), range: { start: position, end } });
  }
  found.push(...common.renamed);
  const locations = new Map(found.map((one) => [toPlaceKey(one), one]));
  const references = [...locations].map(async ([key, { uri, range }]) => {
    const file = toFile(uri);
    const { lines } = await texts.get(file);
    return {
      file,
      start: lines.offsetAt(range.start),
      end: lines.offsetAt(range.end),
      line: range.start.line + 1,
      text: lines.lineText(range.start.line).trim(),
      isDefinition: symbol.declarations.has(key),
    };
  });
  return (await Promise.all(references)).toSorted((a, b) =>
    a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1,
  );
}

/**
 * The symbol that is named at a place. Of a use, the place becomes that of the declaration, unless the symbol has
 * another name there. Undefined when there is no name at the place.
 */
export async function findNamedSymbol(
  { session, signal }: TypeQuery,
  { file, offset }: SymbolPlace,
  texts: TextCache,
): Promise<FoundSymbol | undefined> {
  const { text, lines } = await texts.get(file);
  const named = findNameAt(text, offset);
  if (named === undefined) return undefined;
  const at = { file, position: lines.positionAt(named.start) };
  const locations = await session.definitions(at, signal);
  const declarations = new Set(locations.map(toPlaceKey));
  for (const { uri, range } of locations) {
    const declared = await texts.get(toFile(uri));
    const start = declared.lines.offsetAt(range.start);
    const position = { file: toFile(uri), position: range.start };
    if (declared.text.startsWith(named.name, start)) return { name: named.name, at: position, declarations };
  }
  return { name: named.name, at, declarations };
}

/**
 * Finds the files of other projects in which a symbol may be used, and makes the compiler load their projects, since it
 * searches only what is loaded. Files without a project are opened, which makes one project of them.
 */
export async function findCandidates(
  { session, files, signal }: TypeQuery,
  { name, at }: FoundSymbol,
  texts: TextCache,
): Promise<Search['candidates']> {
  const own = await session.configOf(at.file, signal);
  const candidates: Search['candidates'][number][] = [];
  const loose = new Map<string, string>();
  for (const file of await files.mentioning(name, signal)) {
    const config = await session.configOf(file, signal);
    if (config === undefined) loose.set(file, (await texts.get(file)).text);
    else if (config !== own) candidates.push({ file, config });
  }
  if (loose.size > 0 && own === undefined) loose.set(at.file, (await texts.get(at.file)).text);
  session.show(loose);
  return candidates;
}

interface Search {
  readonly symbol: FoundSymbol;
  readonly candidates: readonly { readonly file: string; readonly config: string }[];
  readonly texts: TextCache;
  /** True for places that are known already, or whose project is. */
  readonly isKnown: (at: SymbolPlace, config: string) => boolean;
}

/**
 * The places in other projects where a symbol is named. A package often imports the build output of another, where the
 * compiler finds no uses. So the name is searched for as text; the compiler then leads from each place to the source.
 */
export async function* findUsesElsewhere(
  { session, signal }: TypeQuery,
  { symbol, candidates, texts, isKnown }: Search,
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
