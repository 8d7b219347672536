import { EditError, renderRange } from '@bae/workspace';
import { addressOf, symbolName, type SymbolTarget } from '../address/target.ts';
import type { Outline, Span, SymbolOutline } from '../language/outline.ts';
import { TextLines } from '../read/read-lines.ts';

/** A new text for a symbol, and the places that it is for. */
export interface NewText {
  readonly target: SymbolTarget;
  readonly text: string;
  /** What is in the text. */
  readonly piece: Outline;
  /** Where the symbol is declared; declarations that stand together are one place. */
  readonly places: readonly Span[];
}

/**
 * Divides a new text among the places of a symbol: as many of its declarations for each as stand there now.
 *
 * @throws EditError when there are several places and the text does not have as many declarations
 */
export function splitParts({ target, text, piece, places }: NewText): readonly string[] {
  if (places.length === 1) return [text];
  const symbol = target.path.at(-1) as SymbolOutline;
  const written = piece.symbols.find(({ name, localName }) => name === symbol.name || localName === symbol.name);
  const found = written?.declarations ?? [];
  if (found.length !== symbol.declarations.length) throw wrongNumber(target, places, found.length);
  let at = 0;
  let from = 0;
  return places.map((place, index) => {
    at += symbol.declarations.filter(({ start, end }) => start >= place.start && end <= place.end).length;
    const isLast = index === places.length - 1;
    const end = isLast ? text.length : (found[at - 1] as Span).end;
    const part = text.slice(from, end);
    from = isLast ? end : lineStart(text, (found[at] as Span).start);
    return part.trimEnd();
  });
}

function lineStart(text: string, index: number): number {
  return text.lastIndexOf('\n', index - 1) + 1;
}

function wrongNumber(target: SymbolTarget, places: readonly Span[], found: number): EditError {
  const lines = new TextLines(target.source.text);
  const named = places.map(({ start, end }) => renderRange(lines.lineAt(start), lines.lineAt(end - 1)));
  const count = (target.path.at(-1) as SymbolOutline).declarations.length;
  return new EditError(
    `${symbolName(target.path)} is declared ${count} times in ${target.source.module.name} (lines ${named.join(' and ')}), and the new text has ${found} of it. Send all ${count}, in this order. Nothing was changed.`,
    [`<R:${addressOf(target)}>`],
  );
}
