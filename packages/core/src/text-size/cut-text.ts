import { isPair } from './surrogates.ts';

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
