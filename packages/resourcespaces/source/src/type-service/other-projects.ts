import type { FilePosition } from './compiler-session.ts';
import { namesSymbol, type FoundSymbol, type SymbolPlace } from './find-symbol.ts';
import { occurrencesOf } from './identifier-name.ts';
import type { Question } from './question.ts';
import type { TextCache } from './text-cache.ts';

/** Files in which a symbol may be named. */
export interface Candidates {
  /** Those of other projects than the one that declares it, with their project. */
  readonly elsewhere: readonly { readonly file: string; readonly config: string }[];
}

/**
 * Finds where a symbol may be used, and has the compiler load the projects of those files: it searches only what is
 * loaded. Files without a project are opened, which makes one project of them.
 */
export async function findCandidates(
  { session, files, signal }: Question,
  { name, at }: Pick<FoundSymbol, 'name' | 'at'>,
  texts: TextCache,
): Promise<Candidates> {
  const own = await session.configOf(at.file, signal);
  const elsewhere: { file: string; config: string }[] = [];
  const loose = new Map<string, string>();
  for (const file of await files.mentioning(name, signal)) {
    const config = await session.configOf(file, signal);
    if (config === undefined) loose.set(file, (await texts.get(file)).text);
    else if (config !== own) elsewhere.push({ file, config });
  }
  if (loose.size > 0 && own === undefined) loose.set(at.file, (await texts.get(at.file)).text);
  session.show(loose);
  return { elsewhere };
}

/** Where a symbol is looked for, and what is known already. */
export interface Search {
  readonly symbol: FoundSymbol;
  readonly candidates: Candidates;
  readonly texts: TextCache;
  /** True for what needs no look: it is known, or its project is. */
  readonly known: (at: SymbolPlace, config: string) => boolean;
}

/**
 * The places in other projects where a symbol is named and that are not known yet. A package often sees another one
 * by what was built of it, where the compiler does not look for uses; so the names are found as text, and asked for
 * their declaration, which leads back to the source.
 */
export async function* usesElsewhere(
  question: Question,
  { symbol, candidates, texts, known }: Search,
): AsyncGenerator<{ readonly at: FilePosition; readonly config: string }> {
  for (const { file, config } of candidates.elsewhere) {
    const { text, lines } = await texts.get(file);
    for (const offset of occurrencesOf(symbol.name, text)) {
      if (known({ file, offset }, config)) continue;
      const at = { file, position: lines.positionAt(offset) };
      if (await namesSymbol(question, at, symbol)) yield { at, config };
    }
  }
}
