import type { Comment } from 'oxc-parser';
import { copyText, findLastAtMost, type Span, type SymbolOutline } from './outline.ts';

export class CommentedText {
  readonly text: string;
  /** True if what is inside of functions and calls is read too. */
  readonly inner: boolean;
  readonly #comments: readonly Comment[];
  readonly #ends: readonly number[];

  constructor(text: string, comments: readonly Comment[], inner = false) {
    this.text = text;
    this.inner = inner;
    this.#comments = comments;
    this.#ends = comments.map(({ end }) => end);
  }

  /**
   * Returns the doc comment of the declaration that begins at an index: the last one before it, with only whitespace
   * and other comments in between. A doc comment about the file does not count.
   */
  docBefore(index: number): Span | undefined {
    let from = index;
    for (let at = findLastAtMost(this.#ends, index); at >= 0; at--) {
      const comment = this.#comments[at] as Comment;
      if (this.text.slice(comment.end, from).trim() !== '') return undefined;
      if (isDoc(comment)) return this.#isOwn(comment) ? comment : undefined;
      from = comment.start;
    }
    return undefined;
  }

  get firstDoc(): Span | undefined {
    return this.#comments.find(isDoc);
  }

  /** The comment at the top of the file, unless it is a directive for tools. */
  get topComment(): Span | undefined {
    const top = this.#comments[0];
    if (top === undefined || DIRECTIVE.test(top.value)) return undefined;
    const before = this.text.slice(0, top.start).replace(/^\uFEFF?(?:#!.*)?/, '');
    return before.trim() === '' ? { start: top.start, end: this.#endOfBlock() } : undefined;
  }

  /**
   * Returns false for a comment that follows code on its line, since it describes that code; TypeScript has the same
   * rule.
   */
  #isOwn({ start, value }: Comment): boolean {
    const line = this.text.slice(this.text.lastIndexOf('\n', start - 1) + 1, start);
    return line.replaceAll(/\/\*.*?\*\/|\uFEFF/g, '').trim() === '' && !ABOUT_FILE.test(value);
  }

  /** Returns the end of the first comment; line comments on successive lines are one comment. */
  #endOfBlock(): number {
    let last = 0;
    for (let next = this.#comments[1]; next?.type === 'Line'; next = this.#comments[last + 1]) {
      if (!/^\r?\n[^\S\n]*$/.test(this.text.slice(this.#comments[last]!.end, next.start))) break;
      last++;
    }
    return this.#comments[last]!.end;
  }
}

const ABOUT_FILE = /@(?:file|fileoverview|module|packageDocumentation|license)\b/;
const DIRECTIVE =
  /^[!*\s]*(?:eslint|oxlint|prettier|biome|jshint|global|@ts-|@jsx|@flow|@vitest|@license|copyright|#\s*source|\/\s*<)/i;

function isDoc({ type, value }: Comment): boolean {
  return type === 'Block' && value.startsWith('*') && !value.startsWith('**') && value.length > 1;
}

const LONGEST_SENTENCE = 120;
/**
 * Maximum number of characters of a comment that are searched for its first sentence, so that long comments stay fast.
 */
const SEARCHED = 2000;

/** Returns the first sentence of a comment as one line, without comment markers; at most 120 characters. */
export function extractSentence(comment: string): string {
  const lines = comment
    .slice(0, SEARCHED)
    .replace(/^\/\*+!?|\*+\/$/g, '')
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:\*|\/\/+!?)?\s?/, '').trim());
  const first = lines.findIndex((line) => line !== '');
  if (first === -1) return '';
  const end = lines.findIndex((line, index) => index > first && (line === '' || line.startsWith('@')));
  const paragraph = lines.slice(first, end === -1 ? undefined : end).join(' ');
  if (paragraph.startsWith('@') && !/^@(?:file|fileoverview|description|module)\s/.test(paragraph)) return '';
  const plain = paragraph
    .replace(/^@\w+\s+/, '')
    .replaceAll(/\{@link(?:code|plain)?\s+([^}|]*)(?:\|[^}]*)?\}/g, (_all, name: string) => name.trim());
  const sentence = /^(.+?[.!?])(?:\s+(?=[\p{Lu}`"'<([])|$)/su.exec(plain)?.[1] ?? plain;
  const short = sentence.replace(/\.$/, '').trim();
  return copyText(short.length <= LONGEST_SENTENCE ? short : `${short.slice(0, LONGEST_SENTENCE - 1).trimEnd()}…`);
}

/** Characters that may precede a name: whitespace, and the star at the beginning of a line. */
const BLANK = /[\s*]*/y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;

/**
 * Finds the types that `@typedef {…} Name` and `@callback Name` define; the text of such a type is its whole comment.
 */
export function findDocTypes(comments: readonly Comment[], text: string): readonly SymbolOutline[] {
  return comments.flatMap(({ type, value, start, end }) => {
    if (type !== 'Block' || !value.startsWith('*')) return [];
    return [...findTypeTags(value)].map((tag): SymbolOutline => {
      const offset = start + '/*'.length;
      const head = { start: offset + tag.start, end: offset + tag.end };
      const name = copyText(text.slice(head.start, head.end));
      const declaration = { start, end, keyword: tag.keyword, head };
      return { name, kind: 'type', place: 'module', exported: true, declarations: [declaration], members: [] };
    });
  });
}

/** Finds the name after each tag of a comment, following its type if there is one; tags inside types do not count. */
function* findTypeTags(comment: string): Generator<Span & { readonly keyword: string }> {
  const tags = /@(typedef|callback)\b/g;
  for (let tag = tags.exec(comment); tag !== null; tag = tags.exec(comment)) {
    const type = findMatchEnd(BLANK, comment, tags.lastIndex);
    const start = comment[type] === '{' ? findMatchEnd(BLANK, comment, findClosingBrace(comment, type)) : type;
    const end = findMatchEnd(NAME, comment, start);
    if (end > start) yield { start, end, keyword: tag[1] as string };
    // Nothing is scanned twice, so that long comments stay fast.
    tags.lastIndex = end;
  }
}

/** Returns the index after the brace that closes the one at an index; the end of the text when it is never closed. */
function findClosingBrace(text: string, index: number): number {
  let depth = 0;
  for (let at = index; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}

function findMatchEnd(expression: RegExp, text: string, index: number): number {
  expression.lastIndex = index;
  return index + (expression.exec(text)?.[0].length ?? 0);
}
