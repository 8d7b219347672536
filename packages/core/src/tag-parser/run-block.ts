import { isBlank, skipBlanks } from './characters.ts';
import { dedentCode } from './dedent-code.ts';
import type { MarkPlace } from './mark-table.ts';
import { ESCAPE, withoutTerminalCodes } from './terminal-codes.ts';

/** What a run block holds, and where the text goes on. */
interface RunBlock {
  /** Code of the block, or of several that stand on one line; never empty code. */
  readonly codes: readonly string[];
  /** Text behind the closing tag on its line. */
  readonly tail: string;
  /** Offset of the line after the block. */
  readonly next: number;
}

interface CloseLine {
  readonly start: number;
  readonly end: number;
  /** Code in front of the closing tag. */
  readonly before: string;
  readonly after: string;
}

/** How far a closing tag is looked for. */
type Reach = 'anywhere' | 'before-next-block';

const CLOSE = '</run>';
const OPEN = /<run>/i;
const BETWEEN = /<\/run>[ \t]*<run>/i;

/** Reads the run block that begins on a line; undefined when nothing closes it. */
export function readRunBlock(text: string, { start, end }: MarkPlace): RunBlock | undefined {
  const line = detectedLine(text, start, end);
  const first = line.slice(skipBlanks(line, 0) + '<run>'.length);
  const inner = withoutClose(first);
  if (inner !== undefined) return blockOf(inner.split(BETWEEN), '', end);
  const middle = first.search(/<\/run>/i);
  // A closing tag in the middle of the first line is code when the block is closed before the next one begins.
  const close = findCloseLine(text, end + 1, middle === -1 ? 'anywhere' : 'before-next-block');
  if (close) return blockOf([`${first}\n${text.slice(end + 1, close.start)}${close.before}`], close.after, close.end);
  if (middle === -1) return undefined;
  return blockOf([first.slice(0, middle)], first.slice(middle + CLOSE.length), end);
}

function blockOf(codes: readonly string[], tail: string, end: number): RunBlock {
  return { codes: codes.map(dedentCode).filter((code) => code !== ''), tail, next: end + 1 };
}

function findCloseLine(text: string, from: number, reach: Reach): CloseLine | undefined {
  let start = from;
  while (start < text.length) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const line = detectedLine(text, start, end);
    if (reach === 'before-next-block' && OPEN.test(line)) return undefined;
    const first = skipBlanks(line, 0);
    if (isAt(line, first, CLOSE)) return { start, end, before: '', after: line.slice(first + CLOSE.length) };
    const before = withoutClose(line);
    if (before !== undefined) return { start, end, before, after: '' };
    start = end + 1;
  }
  return undefined;
}

/** A line without the closing tag it ends with. */
function withoutClose(line: string): string | undefined {
  let end = line.length;
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end--;
  return isAt(line, end - CLOSE.length, CLOSE) ? line.slice(0, end - CLOSE.length) : undefined;
}

function detectedLine(text: string, start: number, end: number): string {
  const line = text.slice(start, end);
  return line.includes(ESCAPE) ? withoutTerminalCodes(line).detected : line;
}

function isAt(line: string, at: number, tag: string): boolean {
  // Most lines are told apart by one character, without a copy.
  return line.charAt(at) === '<' && line.slice(at, at + tag.length).toLowerCase() === tag;
}
