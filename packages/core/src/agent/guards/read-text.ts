import { unescapeXml } from '../../tag-parser/foreign/xml-calls.ts';

/** Maximum length of the latest read text that calls and code are compared with, in characters. */
const MOST_TEXT = 262_144;
/** Minimum length of code that is looked for inside other text, in characters that are not blank. */
const SHORTEST_CODE = 10;
/** Code that calls something, however short it is. */
const CALL = /[\w$]\(/;

const ENTITY = /&[a-z#]/i;
/** Character that JSON, a string in code or a URL has in other characters: `\u003c`, `\x3C`, `%3c`. */
const ESCAPED = /(?:\\u00|\\x|%)([2-7][\da-f])/gi;
/** Characters that nobody sees between others. */
const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF]/g;

/** Marks before a line that is quoted, listed, part of a diff or numbered. */
const LINE_MARKS = /^[ \t]*(?:(?:[-+ ]?\d+\||[>+|-])[ \t]*)+/gm;

/** The latest of the texts that were added, without anything that may differ between a text and its copy. */
export class LatestText {
  #text = '';
  /** The text on one line. */
  #joined: string | undefined;
  /** Texts that were added after `#text`, not yet normalised: few of them are ever compared. */
  #fresh: string[] = [];
  #freshSize = 0;

  add(text: string): void {
    const kept = text.slice(-MOST_TEXT);
    this.#fresh.push(kept);
    this.#freshSize += kept.length;
    while (this.#freshSize - this.#fresh[0]!.length >= MOST_TEXT) this.#freshSize -= this.#fresh.shift()!.length;
  }

  /** The text as `removeNotation` returns it. */
  get text(): string {
    if (this.#fresh.length > 0) {
      this.#text = [this.#text, ...this.#fresh.map(removeNotation)].join('\n').slice(-MOST_TEXT);
      this.#joined = undefined;
    }
    this.#fresh = [];
    this.#freshSize = 0;
    return this.#text;
  }

  /**
   * Returns true if code occurs in the text, whatever its line breaks. Code of fewer than 10 characters counts if it is
   * a call and has a line or quotes of its own: `undo()`.
   */
  hasCode(code: string): boolean {
    const wanted = dropLineBreaks(removeNotation(code)).replace(/^await|;+$/g, '');
    const { text } = this;
    if (wanted.length >= SHORTEST_CODE) return (this.#joined ??= dropLineBreaks(text)).includes(wanted);
    if (!CALL.test(wanted) || !text.includes(wanted)) return false;
    return new RegExp(`(?:^|["<>])(?:await)?${escapeRegExp(wanted)};*(?:$|["<])`, 'm').test(text);
  }
}

/** Returns a pattern that matches a text. */
export function escapeRegExp(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);
}

/** Returns the text as a reader understands it, with its entities and escapes, such as `&lt;`, replaced. */
export function replaceEscapes(text: string): string {
  const visible = text.replace(INVISIBLE, '');
  const plain = ENTITY.test(visible) ? unescapeXml(visible) : visible;
  return plain.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function dropLineBreaks(text: string): string {
  return text.replaceAll('\n', '');
}

/** Returns a text without anything that may differ between it and its copy: blanks, kind of quotes, escapes, entities. */
export function removeNotation(text: string): string {
  const plain = replaceEscapes(text).replace(LINE_MARKS, '');
  const unescaped = plain.includes('\\') ? plain.replace(/\\[nr]/g, '\n').replace(/\\t?/g, '') : plain;
  // Blank lines are dropped with the line break before them.
  return unescaped.replace(/['`]/g, '"').replace(/[^\S\n]+|\n(?=[^\S\n]*\n)/g, '');
}
