import { isPair } from './surrogates.ts';

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
