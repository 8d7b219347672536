import { stripVTControlCharacters } from 'node:util';
import { measureWidth, type TerminalText } from './terminal-text.ts';

/** Codes of colours, tabs, blanks and words of a harmless text. */
const PIECES = new RegExp(String.raw`\u001B\[[\d;]*m|\t| +|[^ \t\u001B]+`, 'g');
/** Blanks at the end of a text, perhaps before codes of colours. */
const LAST_BLANKS = new RegExp(String.raw` +(?=(?:\u001B\[[\d;]*m)*$)`);
const TAB = 8;
/** Line for a program, which stays whole wherever it is shown. */
const JSON_LINE = /^\{".*\}$/;

/**
 * Breaks lines that are longer than the screen at blanks, where the terminal would break within a word. Further rows
 * are indented like the line or, in a table, like its second column. A word that is longer than a row is not broken
 * here, so that it can be copied whole.
 */
export function wrapOutput(text: TerminalText, columns: number): TerminalText {
  // A character takes at most two columns, or those of a tab.
  if (text.length * 2 <= columns && !text.includes('\t')) return text;
  return text
    .split('\n')
    .map((line) => wrapOutputLine(line, columns))
    .join('\n') as TerminalText;
}

function wrapOutputLine(line: string, columns: number): string {
  if ((line.length * 2 <= columns && !line.includes('\t')) || JSON_LINE.test(line)) return line;
  const indent = measureHang(stripVTControlCharacters(line), columns);
  let wrapped = '';
  let width = 0;
  let blank = '';
  for (const [piece] of line.matchAll(PIECES)) {
    if (piece.startsWith('\u001B')) {
      wrapped += blank + piece;
      blank = '';
      continue;
    }
    const own = piece === '\t' ? TAB - (width % TAB) : measureWidth(piece);
    if (/^[ \t]/.test(piece)) {
      blank += piece;
      width += own;
      continue;
    }
    if (width + own > columns && width > indent && own <= columns - indent) {
      wrapped = `${wrapped.replace(LAST_BLANKS, '')}\n${' '.repeat(indent)}`;
      width = indent;
    } else wrapped += blank;
    blank = '';
    wrapped += piece;
    width = own <= columns - width ? width + own : (width + own) % columns;
  }
  return wrapped + (width <= columns ? blank : '');
}

/** Returns the indent of further rows: at most half the screen. */
function measureHang(line: string, columns: number): number {
  const [, leading = '', first = ''] = /^( *)((?<= {2})\S+(?: \S+)* {2,})?/.exec(line) ?? [];
  const both = leading.length + measureWidth(first);
  if (both <= columns / 2) return both;
  return leading.length <= columns / 2 ? leading.length : 0;
}
