import { nearestName, ResourceError, type BaeError } from '@bae/core';
import { showPath } from '@bae/workspace';
import type { SymbolOutline } from '../language/outline.ts';
import type { SourceModule } from '../modules/code-module.ts';
import { complaint, type AddressUse } from './usage.ts';

/** Symbols that are named when none is like the one asked for. */
const NAMED = 5;
/** Lines shown around a syntax error. */
const AROUND = 3;

/** A symbol that a module does not have. */
export interface MissingSymbol {
  readonly source: SourceModule;
  /** From the module inwards. */
  readonly names: readonly string[];
  /** Names of what is in the folder that the module stands for. */
  readonly below: readonly string[];
}

/** Why a module does not have a symbol, and what is nearest to it there. */
export function missingSymbol(use: AddressUse, { source, names, below }: MissingSymbol): BaeError {
  const { module, outline } = source;
  if (outline.problem !== undefined && outline.symbols.length === 0) return unreadable(use, source, names);
  const known = knownPart(outline.symbols, names);
  const wanted = names[known.length] ?? '';
  const within = known.at(-1)?.members ?? outline.symbols;
  const owner = [module.name, ...known.map(({ name }) => name)].join('.');
  const candidates = [...within.map(({ name }) => name), ...(known.length === 0 ? below : [])];
  const nearest = nearestName(wanted, candidates);
  const fact = `${owner} has no ${known.length === 0 ? 'symbol' : 'member'} '${showPath(wanted)}'`;
  const remedy = nearest === undefined ? listed(within) : `Did you mean ${nearest}?`;
  const tag = nearest === undefined ? owner : `${owner}.${nearest}`;
  return new ResourceError(complaint(use, fact, { expected: 'a symbol', remedy }), [`<R:${tag}>`]);
}

function unreadable(use: AddressUse, { module, outline, lines }: SourceModule, names: readonly string[]): BaeError {
  const { line = 1, message = '' } = outline.problem ?? {};
  const fact = `'${showPath(names.join('.'))}' cannot be found in ${module.name}, which has a syntax error in line ${line}: ${message}`;
  const range = `${Math.max(1, line - AROUND)}-${Math.min(Math.max(lines, 1), line + AROUND)}`;
  return new ResourceError(complaint(use, fact, { expected: 'a symbol' }), [`<R:${module.name}:${range}>`]);
}

/** The symbols that the first of the names lead to. */
function knownPart(symbols: readonly SymbolOutline[], names: readonly string[]): readonly SymbolOutline[] {
  const known: SymbolOutline[] = [];
  for (const name of names) {
    const next = (known.at(-1)?.members ?? symbols).find((one) => one.name === name);
    if (next === undefined) break;
    known.push(next);
  }
  return known;
}

function listed(symbols: readonly SymbolOutline[]): string {
  if (symbols.length === 0) return 'It has none.';
  const names = symbols.slice(0, NAMED).map(({ name }) => name);
  return `It has ${names.join(', ')}${symbols.length > NAMED ? ` and ${symbols.length - NAMED} more` : ''}.`;
}
