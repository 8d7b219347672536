import { findBlankEnd, findLineEnd, skipBlanks } from './characters.ts';
import type { LinePlace } from './scan.ts';
import { ESCAPE, stripTerminalCodes } from './terminal-codes.ts';

/** Code of a run block, and the place where the text continues. */
export interface RunBlock {
  /** Code of the block, or of several on one line; empty if the block is dropped. */
  readonly codes: readonly string[];
  /** Text after the closing tag on its line. */
  readonly tail: string;
  /** Offset of the line after the block. */
  readonly next: number;
}

const CLOSE = '</run>';
const OPEN = /<run>/i;
const CLOSE_ANYWHERE = /<\/run>/i;
const LEADING_BLANK_LINES = /^(?:[ \t\r]*\n)+/;
const BETWEEN = /<\/run>[ \t]*<run>/i;

/**
 * Reads the run block that begins on a line; returns undefined if nothing closes it.
 *
 * @param hasCodes false if the text contains no terminal codes
 */
export function readRunBlock(text: string, { start, end }: LinePlace, hasCodes: boolean): RunBlock | undefined {
  const line = hasCodes ? readDetected(text, start, end) : text.slice(start, end);
  const first = line.slice(skipBlanks(line, 0) + '<run>'.length);
  const middle = first === '' ? -1 : first.search(CLOSE_ANYWHERE);
  const inner = middle === -1 ? undefined : stripClose(first);
  if (inner !== undefined) return makeBlock(inner.split(BETWEEN), '', end);
  // A line without it is code. Terminal codes may stand between the two characters.
  const mark = hasCodes || middle !== -1 ? '<' : '</';
  for (let lineEnd = end, at = text.indexOf(mark, end); at !== -1; at = text.indexOf(mark, lineEnd)) {
    const lineStart = text.lastIndexOf('\n', at) + 1;
    lineEnd = findLineEnd(text, at);
    const last = hasCodes ? readDetected(text, lineStart, lineEnd) : text.slice(lineStart, lineEnd);
    // A closing tag in the middle of the first line is code if the block is closed before the next one begins.
    if (middle !== -1 && OPEN.test(last)) break;
    const closeStart = skipBlanks(last, 0);
    const isAtStart = isCloseAt(last, closeStart);
    const before = isAtStart ? '' : stripClose(last);
    if (before === undefined) continue;
    // Without text before it, the line break of the first line would only have to be removed again.
    const code = text.slice(end + 1, lineStart) + before;
    return makeBlock(
      [first === '' ? code : `${first}\n${code}`],
      isAtStart ? last.slice(closeStart + CLOSE.length) : '',
      lineEnd,
    );
  }
  return middle === -1 ? undefined : makeBlock([first.slice(0, middle)], first.slice(middle + CLOSE.length), end);
}

function makeBlock(codes: readonly string[], tail: string, end: number): RunBlock {
  return { codes: codes.map(dedentCode), tail, next: end + 1 };
}

/** Returns a line without the closing tag at its end; undefined if there is none. */
function stripClose(line: string): string | undefined {
  const end = findBlankEnd(line) - CLOSE.length;
  return isCloseAt(line, end) ? line.slice(0, end) : undefined;
}

function readDetected(text: string, start: number, end: number): string {
  const line = text.slice(start, end);
  return line.includes(ESCAPE) ? stripTerminalCodes(line).detected : line;
}

function isCloseAt(line: string, at: number): boolean {
  // For most lines, one character is enough to decide, without a copy.
  return line.charAt(at) === '<' && line.slice(at, at + CLOSE.length).toLowerCase() === CLOSE;
}

/** Removes the indentation common to all lines of code, and the blank lines around it. */
function dedentCode(code: string): string {
  const trimmed = code.replace(LEADING_BLANK_LINES, '').trimEnd();
  const indent = trimmed.slice(0, skipBlanks(trimmed, 0));
  if (indent === '') return trimmed;
  const lines = trimmed.split('\n').map((line) => (line.trim() === '' ? '' : line));
  const margin = lines.filter((line) => line !== '').reduce(sharedStart, indent).length;
  return lines.map((line) => line.slice(margin)).join('\n');
}

function sharedStart(left: string, right: string): string {
  let end = 0;
  while (end < left.length && left.charAt(end) === right.charAt(end)) end++;
  return left.slice(0, end);
}
