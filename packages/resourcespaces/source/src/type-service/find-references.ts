import { samePlace } from './compiler-session.ts';
import { findSymbol, type SymbolPlace } from './find-symbol.ts';
import { fileOf, type Location } from './language-protocol.ts';
import { findCandidates, usesElsewhere } from './other-projects.ts';
import type { Question } from './question.ts';
import { TextCache } from './text-cache.ts';

/** A place where a symbol is named. */
export interface Reference {
  /** Absolute path. */
  readonly file: string;
  /** Offsets in UTF-16; the end is behind the last character. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  /** The whole line, without its indentation. */
  readonly text: string;
  readonly isDefinition: boolean;
}

/** Finds everywhere that the symbol at a place is named, in all projects of the workspace, sorted by file. */
export async function findReferences(question: Question, place: SymbolPlace): Promise<readonly Reference[]> {
  const { session, signal } = question;
  const texts = new TextCache(question.files);
  session.show(new Map());
  const symbol = await findSymbol(question, place, texts);
  if (symbol === undefined) return [];
  const candidates = await findCandidates(question, symbol, texts);
  const found = new Map<string, Location>();
  const add = (locations: readonly Location[]): void => {
    for (const one of locations) found.set(keyOf(one), one);
  };
  add(await session.references(symbol.at, signal));
  const searched = new Set<string>();
  const known = (_: unknown, config: string): boolean => searched.has(config);
  for await (const { at, config } of usesElsewhere(question, { symbol, candidates, texts, known })) {
    add(await session.references(at, signal));
    searched.add(config);
  }
  const references = await Promise.all([...found.values()].map((one) => describe(one, symbol.declarations, texts)));
  return references.toSorted((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1));
}

/** The end is left out: where a built file led to a source, it may be off. */
function keyOf({ uri, range: { start } }: Location): string {
  return `${uri}:${start.line}:${start.character}`;
}

async function describe(location: Location, declarations: readonly Location[], texts: TextCache): Promise<Reference> {
  const file = fileOf(location.uri);
  const { lines } = await texts.get(file);
  const { start, end } = location.range;
  return {
    file,
    start: lines.offsetAt(start),
    end: lines.offsetAt(end),
    line: start.line + 1,
    text: lines.lineText(start.line).trim(),
    isDefinition: declarations.some((declaration) => samePlace(declaration, location)),
  };
}
