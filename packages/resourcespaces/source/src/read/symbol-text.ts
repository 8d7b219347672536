import { units } from '@bae/core/pipeline';
import { indentBefore, joinedDeclarations } from '../language/text-spans.ts';
import type { SymbolOutline } from '../language/outline.ts';
import { ANSWER_CAP } from './page-rows.ts';
import type { TextLines } from './text-lines.ts';

/** First and last line of a symbol. */
export function symbolLines({ declarations }: SymbolOutline, lines: TextLines): readonly [first: number, last: number] {
  const first = Math.min(...declarations.map(({ start }) => start));
  const last = Math.max(...declarations.map(({ end }) => end));
  return [lines.lineAt(first), lines.lineAt(last - 1)];
}

/**
 * The text of all declarations of a symbol, each with the blanks before it on its line, so that it stands as it does
 * in the file. Those that are not together are divided by an empty line.
 */
export function symbolText(text: string, { declarations, place }: SymbolOutline): string {
  return joinedDeclarations(text, declarations)
    .map(({ start, end }) => indentBefore(text, start) + text.slice(start, end))
    .join(place === 'enum' || place === 'object' ? ',\n\n' : '\n\n');
}

/** True for a symbol whose text is too long for one answer: its members are listed instead. */
export function isOutlined(text: string, symbol: SymbolOutline): boolean {
  return symbol.members.length > 0 && units(symbolText(text, symbol)) > ANSWER_CAP;
}
