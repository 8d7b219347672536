import { SHOWN } from './row-limits.ts';

/** Characters kept in front of a match that lies too far right to be shown otherwise. */
const BEFORE = 40;

/** A matching line as it is shown, and, when that is only a part of it, a longer one. */
export interface MatchingText {
  readonly text: string;
  readonly long?: string;
}

/**
 * A matching line as it is shown and as code gets it.
 *
 * @param start index of the match in the line
 * @param width most characters for code
 */
export function matchTexts(line: string, start: number, width: number): MatchingText {
  const text = matchText(line, start, SHOWN);
  return line.trim().length <= SHOWN ? { text } : { text, long: matchText(line, start, width) };
}

/**
 * A matching line as it is shown: without blanks at its ends, no more than a number of characters, moved so that the
 * match is among them.
 *
 * @param start index of the match in the line
 * @param width most characters
 */
export function matchText(line: string, start: number, width: number): string {
  const text = line.trim();
  if (text.length <= width) return text;
  const at = start - (line.length - line.trimStart().length);
  if (at < width - BEFORE) return `${whole(text.slice(0, width - 1))}…`;
  const from = Math.min(at - BEFORE, text.length - width + 1);
  const end = from + width - 2;
  return end >= text.length - 1 ? `…${whole(text.slice(from))}` : `…${whole(text.slice(from, end))}…`;
}

/** Without the half of a surrogate pair that a cut may leave at either end. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
