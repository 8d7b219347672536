import type { Painter } from './terminal-text.ts';

/** Comments, strings, numbers and names, in the syntax that most languages share. */
const TOKEN =
  /(?<comment>\/\/.*$|#(?!\w*[({]).*$|\/\*.*?(?:\*\/|$))|(?<text>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(?<number>\b\d[\w.]*)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)/gu;
const KEYWORDS = new Set(
  'abstract as async await break case catch class const continue def default delete do elif else enum except export extends false finally fn for from func function if implements import in instanceof interface is lambda let match mut new nil None null of pass private protected public raise readonly return self static struct super switch this throw throws True False true try type typeof undefined use var void while with yield'.split(
    ' ',
  ),
);

/** Colours a line of code: keywords, strings, numbers and comments, in any language. */
export function paintCode(line: string, paint: Painter): string {
  let painted = '';
  let at = 0;
  for (const { 0: token, index, groups = {} } of line.matchAll(TOKEN)) {
    painted += paint('code', line.slice(at, index));
    at = index + token.length;
    if (groups['comment'] !== undefined) painted += paint('debug', token);
    else if (groups['text'] !== undefined) painted += paint('text', token);
    else if (groups['number'] !== undefined) painted += paint('number', token);
    else painted += paint(KEYWORDS.has(token) ? 'keyword' : 'code', token);
  }
  return painted + paint('code', line.slice(at));
}
