/**
 * Size of a text in units, of which about four make a token.
 *
 * A code point below U+0080 counts 1, below U+0800 2, any other 4; a line break counts 1.
 */
export function units(text: string): number {
  let total = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    total += code < 0x80 ? 1 : code < 0x800 ? 2 : unitsAbove(text, index, code);
  }
  return total;
}

/** True when a text has at most `max` units; stops counting as soon as it has more. */
export function fits(text: string, max: number): boolean {
  if (text.length > max) return false;
  return text.length * 4 <= max || units(text) <= max;
}

/** The longest beginning of a text that has at most `max` units; never cuts a code point in two. */
export function firstUnits(text: string, max: number): string {
  let total = 0;
  let index = 0;
  while (index < text.length) {
    const point = text.codePointAt(index)!;
    total += point < 0x80 ? 1 : point < 0x800 ? 2 : 4;
    if (total > max) break;
    index += point > 0xffff ? 2 : 1;
  }
  return text.slice(0, index);
}

/** The longest end of a text that has at most `max` units; never cuts a code point in two. */
export function lastUnits(text: string, max: number): string {
  let total = 0;
  let index = text.length;
  while (index > 0) {
    const width = index > 1 && isPair(text, index - 2) ? 2 : 1;
    const code = text.charCodeAt(index - width);
    total += code < 0x80 ? 1 : code < 0x800 ? 2 : 4;
    if (total > max) break;
    index -= width;
  }
  return text.slice(index);
}

/** Number of code points of a text. */
export function codePoints(text: string): number {
  let total = text.length;
  for (let index = 0; index < text.length - 1; index++) if (isPair(text, index)) total--;
  return total;
}

function unitsAbove(text: string, index: number, code: number): number {
  // The second half of a surrogate pair was counted with the first.
  const second = code >= 0xdc00 && code <= 0xdfff && index > 0 && isPair(text, index - 1);
  return second ? 0 : 4;
}

function isPair(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}
