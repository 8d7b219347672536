import type { Comment } from 'oxc-parser';
import type { SymbolOutline } from './outline.ts';

const TAG = /@(typedef|callback)\b/g;
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
    return [...value.matchAll(TAG)].flatMap((tag): readonly SymbolOutline[] => {
      const head = nameBehind(text, start + '/*'.length + tag.index + tag[0].length);
      if (head === undefined || head.end > end) return [];
      const declaration = { start, end, keyword: tag[1] as string, head };
      // A copy: a part of a long text would keep all of it in memory.
      const name = Buffer.from(text.slice(head.start, head.end)).toString();
      return [{ name, kind: 'type', place: 'module', exported: true, declarations: [declaration], members: [] }];
    });
  });
}

/** The place of the name behind a tag, and behind the type between braces if there is one. */
function nameBehind(text: string, index: number): { readonly start: number; readonly end: number } | undefined {
  let start = endOf(BLANK, text, index);
  if (text[start] === '{') start = endOf(BLANK, text, endOfBraces(text, start));
  const end = endOf(NAME, text, start);
  return end === start ? undefined : { start, end };
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
