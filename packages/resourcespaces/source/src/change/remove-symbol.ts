import type { SymbolTarget } from '../address/target.ts';
import { joinedDeclarations } from '../language/text-spans.ts';
import type { Span, SymbolOutline } from '../language/outline.ts';
import type { Splice } from './replace-symbol.ts';

/** What removing a symbol does to its module: whole lines go where nothing else stands on them. */
export function removeSymbol({ source: { text }, path }: SymbolTarget): readonly Splice[] {
  const symbol = path.at(-1) as SymbolOutline;
  const isListed = symbol.place === 'enum' || symbol.place === 'object';
  return joinedDeclarations(text, symbol.declarations).map((span) => {
    const comma = isListed ? (/^\s*,/.exec(text.slice(span.end))?.[0].length ?? 0) : 0;
    return { ...withLines(text, { start: span.start, end: span.end + comma }), text: '' };
  });
}

function withLines(text: string, { start, end }: Span): Span {
  const before = /(^|\n)[^\S\n]*$/.exec(text.slice(0, start));
  const after = /^[^\S\n]*(?:\n|$)/.exec(text.slice(end));
  if (before === null || after === null) return { start, end };
  const from = before.index + (before[1] as string).length;
  const to = end + after[0].length;
  const above = text.slice(0, from);
  const below = text.slice(to);
  // One of the empty lines around it goes with it, and none stays after a brace that opens or before one that closes.
  const emptyAbove = /(?:^|\n)([^\S\n]*\r?\n)$/.exec(above)?.[1] ?? '';
  const emptyBelow = /^[^\S\n]*\r?\n/.exec(below)?.[0] ?? '';
  if (emptyBelow !== '' && (emptyAbove !== '' || /(?:^|[{[(]\s*)$/.test(above)))
    return { start: from, end: to + emptyBelow.length };
  if (emptyAbove !== '' && /^\s*(?:[}\])]|$)/.test(below)) return { start: from - emptyAbove.length, end: to };
  return { start: from, end: to };
}
