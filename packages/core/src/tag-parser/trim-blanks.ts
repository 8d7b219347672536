import { isBlank } from './characters.ts';

/** A part of a text without the blanks at its ends. */
export function trimBlanks(text: string, from = 0, to = text.length): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}
