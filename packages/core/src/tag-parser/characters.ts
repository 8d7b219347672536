const NAME_CHARACTER = /^[A-Za-z0-9_.-]$/;
const IS_NAME = Uint8Array.from({ length: 128 }, (_, code) => (NAME_CHARACTER.test(String.fromCharCode(code)) ? 1 : 0));

/** Makes a table of codes of characters, in which looking up is faster than in a set. */
export function markCodes(characters: string): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (characters.includes(String.fromCharCode(code)) ? 1 : 0));
}

/**
 * Returns true for the characters that may surround a tag on its line: space, tab, a stray carriage return, a byte
 * order mark.
 */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 0xfeff;
}

/** Returns the index of the first character from `from` on that is not blank, or `to`. */
export function skipBlanks(text: string, from: number, to = text.length): number {
  let index = from;
  while (index < to && isBlank(text.charCodeAt(index))) index++;
  return index;
}

/**
 * Returns the index of the first character from `from` on that is not a space, tab or line break, or the end of the
 * text.
 */
export function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && ' \t\r\n'.includes(text.charAt(index))) index++;
  return index;
}

/** Returns a part of a text without the blanks at its ends. */
export function trimBlanks(text: string, from = 0, to = text.length): string {
  const start = skipBlanks(text, from, to);
  return text.slice(start, findBlankEnd(text, start, to));
}

/** Returns the index after the last character up to `to` that is not blank, or `from`. */
export function findBlankEnd(text: string, from = 0, to = text.length): number {
  let end = to;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Returns the index of the first character from `from` on that cannot be part of a dotted name. */
export function findNameEnd(text: string, from: number): number {
  let index = from;
  // Past the end of the text, `charCodeAt` returns `NaN`, which is not an index of the table.
  while (IS_NAME[text.charCodeAt(index)] === 1) index++;
  return index;
}

/** Reads the name of a tag, without the `@` with which places are entered, `<@tasks.R:7>`, and returns where it ends. */
export function readName(text: string, from: number): readonly [name: string, end: number] {
  const start = text.charAt(from) === '@' ? from + 1 : from;
  const end = findNameEnd(text, start);
  return [text.slice(start, end), end];
}

/** Returns the index of the line break that ends a line, or the end of the text. */
export function findLineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

export function isNamePart(code: number): boolean {
  return IS_NAME[code] === 1;
}

/** Matches a sticky expression exactly at an index. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the index of a quote, `"` or `"""`, that is not preceded by a backslash; -1 if there is none. */
export function findQuote(text: string, from: number, quote: string): number {
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\') index++;
    else if (character === quote.charAt(0) && text.startsWith(quote, index)) return index;
  }
  return -1;
}

export function countLineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Returns the offset after the line that closes a quote and the tag around it; -1 if there is none. */
export function findQuotedTagEnd(text: string, from: number, quote: string): number {
  const quoteAt = text.indexOf(quote, from);
  const close = quoteAt === -1 ? -1 : text.indexOf('>\n', quoteAt);
  if (close !== -1) return close + 1;
  return quoteAt !== -1 && text.trimEnd().endsWith('>') ? text.length : -1;
}
