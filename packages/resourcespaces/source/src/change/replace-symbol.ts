import { EditError, splitLines } from '@bae/workspace';
import { addressOf, symbolName, type SymbolTarget } from '../address/target.ts';
import { indentBefore, joinedDeclarations } from '../language/text-spans.ts';
import type { Language, Span, SymbolOutline } from '../language/outline.ts';
import { ParseError } from '../errors.ts';
import { fitText, trimmedText } from './fit-text.ts';
import { splitParts } from './split-parts.ts';

/** A piece of a text and what takes its place. */
export interface Splice extends Span {
  readonly text: string;
}

/**
 * What replacing a symbol by another text does to its module, in order. Everything else stays as it is.
 *
 * @throws ParseError when the text is not well formed by itself; EditError when it has fewer or more declarations
 *   than a symbol that is declared in several places
 */
export function replaceSymbol(target: SymbolTarget, body: string, language: Language): readonly Splice[] {
  const { source, path } = target;
  const symbol = path.at(-1) as SymbolOutline;
  const { path: file } = source.module;
  const isListed = symbol.place === 'enum' || symbol.place === 'object';
  const text = isListed ? trimmedText(body).replace(/,$/, '') : trimmedText(body);
  const piece = language.parse({ text, path: file }, symbol.place);
  if (piece.problem !== undefined) {
    const { line, message } = piece.problem;
    throw new ParseError(
      `the new text of ${symbolName(path)} does not parse: line ${line}: ${message}. Nothing was changed.`,
      [`<R:${addressOf(target)}>`],
    );
  }
  if (symbol.kind === 'imports' && piece.symbols.some(({ kind }) => kind !== 'imports')) {
    throw new EditError('only imports can take the place of the imports. Nothing was changed.', [
      `<R:${addressOf(target)}>`,
    ]);
  }
  const places = joinedDeclarations(source.text, symbol.declarations);
  return splitParts({ target, text, piece, places }).map((part, index) => {
    const { start, end } = places[index] as Span;
    return {
      start,
      end,
      text: fitted(
        source.text,
        { start, end },
        { text: part, literals: () => language.literals({ text: part, path: file }, symbol.place) },
      ),
    };
  });
}

interface NewPart {
  readonly text: string;
  readonly literals: () => readonly Span[];
}

/** A text that says the same as the old one is the old one, whatever its line breaks and blanks in front. */
function fitted(module: string, { start, end }: Span, { text, literals }: NewPart): string {
  const old = module.slice(start, end);
  const indent = indentBefore(module, start);
  const said = withLineFeeds(text);
  if (said === withLineFeeds(old) || said === withLineFeeds(indent + old)) return old;
  const lineBreak = lineBreakOf(old) ?? lineBreakOf(module) ?? '\n';
  // What takes no place yet gets a line of its own.
  return fitText(text, { indent, lineBreak }, literals()) + (start === end ? lineBreak : '');
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function lineBreakOf(text: string): string | undefined {
  const [first] = splitLines(text);
  if (first?.endsWith('\n') !== true) return undefined;
  return first.endsWith('\r\n') ? '\r\n' : '\n';
}

/** A text with pieces of it replaced. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = '';
  let done = 0;
  for (const { start, end, text: replacement } of splices) {
    result += text.slice(done, start) + replacement;
    done = end;
  }
  return result + text.slice(done);
}
