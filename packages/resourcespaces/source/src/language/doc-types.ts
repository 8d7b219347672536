import type { Comment } from 'oxc-parser';
import type { Span, SymbolOutline } from './outline.ts';

/** What may stand before a name: blanks, and the star that a line begins with. */
const BLANK = /[\s*]*/y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;

/**
 * The types that comments of JavaScript define: `@typedef {…} Name` and `@callback Name`. Others can import them. The
 * text of such a type is its whole comment.
 */
export function docTypes(comments: readonly Comment[], text: string): readonly SymbolOutline[] {
  return comments.flatMap(({ type, value, start, end }) => {
    if (type !== 'Block' || !value.startsWith('*')) return [];
    return [...heads(value)].map((found): SymbolOutline => {
      const offset = start + '/*'.length;
      const head = { start: offset + found.start, end: offset + found.end };
      // A copy: a part of a long text would keep all of it in memory.
      const name = Buffer.from(text.slice(head.start, head.end)).toString();
      const declaration = { start, end, keyword: found.keyword, head };
      return { name, kind: 'type', place: 'module', exported: true, declarations: [declaration], members: [] };
    });
  });
}

interface Head extends Span {
  readonly keyword: string;
}

/** The names behind the tags of a comment, each behind its type if it has one; what is in a type is no tag. */
function* heads(comment: string): Generator<Head> {
  const tags = /@(typedef|callback)\b/g;
  for (let tag = tags.exec(comment); tag !== null; tag = tags.exec(comment)) {
    const type = endOf(BLANK, comment, tags.lastIndex);
    const start = comment[type] === '{' ? endOf(BLANK, comment, endOfBraces(comment, type)) : type;
    const end = endOf(NAME, comment, start);
    if (end > start) yield { start, end, keyword: tag[1] as string };
    // Nothing is looked at twice, so that no comment takes long.
    tags.lastIndex = end;
  }
}

/** Where the brace is closed that is opened at an index; the end of the text if it never is. */
function endOfBraces(text: string, index: number): number {
  let depth = 0;
  for (let at = index; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Where what a sticky expression matches at an index ends; the index if it does not match. */
function endOf(expression: RegExp, text: string, index: number): number {
  expression.lastIndex = index;
  return index + (expression.exec(text)?.[0].length ?? 0);
}
