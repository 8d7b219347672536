import { samePlace, type FilePosition } from './compiler-session.ts';
import { nameAt } from './identifier-name.ts';
import { fileOf, type Location } from './language-protocol.ts';
import type { Question } from './question.ts';
import type { TextCache } from './text-cache.ts';

/** A symbol, and where it is declared. */
export interface FoundSymbol {
  readonly name: string;
  /** Where questions about it are asked: its declaration. */
  readonly at: FilePosition;
  /** Its declarations; more than one for overloads and for what is merged. */
  readonly declarations: readonly Location[];
}

/** A place in a file, as an offset in UTF-16. */
export interface SymbolPlace {
  readonly file: string;
  readonly offset: number;
}

/**
 * The symbol that is named at a place: for a use, the symbol that is declared elsewhere, unless it has another name
 * there. Undefined when no name stands at the place.
 */
export async function findSymbol(
  { session, signal }: Question,
  { file, offset }: SymbolPlace,
  texts: TextCache,
): Promise<FoundSymbol | undefined> {
  const { text, lines } = await texts.get(file);
  const named = nameAt(text, offset);
  if (named === undefined) return undefined;
  const at = { file, position: lines.positionAt(named.start) };
  const declarations = await session.definitions(at, signal);
  for (const { uri, range } of declarations) {
    const declared = await texts.get(fileOf(uri));
    const start = declared.lines.offsetAt(range.start);
    const position = { file: fileOf(uri), position: range.start };
    if (declared.text.startsWith(named.name, start)) return { name: named.name, at: position, declarations };
  }
  return { name: named.name, at, declarations };
}

/** True when what stands at a position is declared where a symbol is. */
export async function namesSymbol(
  { session, signal }: Question,
  at: FilePosition,
  { declarations }: FoundSymbol,
): Promise<boolean> {
  const found = await session.definitions(at, signal);
  return found.some((one) => declarations.some((other) => samePlace(one, other)));
}
