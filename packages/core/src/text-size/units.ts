import { PAGE_CHARACTERS_PER_TOKEN, TOKEN_CAP } from '../protocol/limits.ts';

/**
 * Size of a text in units, of which about four make a token.
 *
 * A code point below U+0080 counts 1, below U+0800 2, any other 4; a line break counts 1.
 */
export function countUnits(text: string): number {
  let total = 0;
  for (let index = 0; index < text.length; index += isSurrogatePair(text, index) ? 2 : 1) {
    total += unitsOf(text.charCodeAt(index));
  }
  return total;
}

/** True when a text has at most `max` units; counts only when its length leaves that open. */
export function isWithinUnits(text: string, max: number): boolean {
  if (text.length > max) return false;
  return text.length * 4 <= max || countUnits(text) <= max;
}

/**
 * The length of one page of a paged result, in characters (UTF-16 code units).
 *
 * @param answerLimit in tokens, as `ToolContext` has it. Default: 500
 */
export function getPageLength(answerLimit: number = TOKEN_CAP): number {
  return answerLimit * PAGE_CHARACTERS_PER_TOKEN;
}

export function countCodePoints(text: string): number {
  let total = text.length;
  for (let index = 0; index < text.length - 1; index++) if (isSurrogatePair(text, index)) total--;
  return total;
}

/** The longest start of a text that has at most `max` units; never splits a code point. */
export function takeFirstUnits(text: string, max: number): string {
  let total = 0;
  let index = 0;
  while (index < text.length) {
    total += unitsOf(text.charCodeAt(index));
    if (total > max) break;
    index += isSurrogatePair(text, index) ? 2 : 1;
  }
  return text.slice(0, index);
}

/** The longest end of a text that has at most `max` units; never splits a code point. */
export function takeLastUnits(text: string, max: number): string {
  let total = 0;
  let index = text.length;
  while (index > 0) {
    const width = index > 1 && isSurrogatePair(text, index - 2) ? 2 : 1;
    total += unitsOf(text.charCodeAt(index - width));
    if (total > max) break;
    index -= width;
  }
  return text.slice(index);
}

/** Units of the code point that begins with a code unit; a surrogate half counts like its pair. */
function unitsOf(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : 4;
}

/** True when the code units at `index` and behind it are one code point. */
function isSurrogatePair(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}
