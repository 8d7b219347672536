import { paintCode } from '../terminal/markdown.ts';
import { groupDigits, padToWidth, splitVisibleLines, wrapLine, type Painter } from '../terminal/terminal-text.ts';

const CALL = /^(?:await\s+)?((?!console\b)[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+)*)\s*\(/u;
/** String literal. */
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.)*`/g;

/**
 * Lists the functions called by code that consists only of calls with literals, one per line; undefined for other code.
 * If these are tools, the lines about the calls show everything.
 */
export function parseLoneCalls(code: string): readonly string[] | undefined {
  const lines = code
    .replaceAll(STRING, '""')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const names = lines.map(parseLoneCall);
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined;
}

function parseLoneCall(line: string): string | undefined {
  const [head = '', name] = CALL.exec(line) ?? [];
  return name !== undefined && /^[^()`]*\)\s*;?$/.test(line.slice(head.length)) ? name : undefined;
}

export interface RunPanel {
  readonly title: string;
  readonly code: string;
  readonly ok: boolean;
  readonly output: string;
  readonly ms: number;
  readonly columns: number;
  /** True to show all of the code, and to divide long lines. Default: false. */
  readonly whole?: boolean;
}

/** Minimum width of the frame, in columns. */
const NARROWEST = 24;
/** Maximum number of lines of code in a frame, and how many are shown of longer code. */
const MOST_LINES = 40;
const LINES_OF_MORE = 30;

/**
 * Renders a frame as wide as the terminal, with the code, its output and the time. Unless it is whole, long lines are
 * cut, and of long code the beginning is shown.
 */
export function renderRunPanel(panel: RunPanel, paint: Painter): string {
  const { title, code, ok, output, ms, columns, whole = false } = panel;
  const inner = Math.max(columns, NARROWEST) - 4;
  const side = paint('quiet', '│');
  const frame = (line: string, paintLine: (line: string) => string): string =>
    `${side} ${paintLine(padToWidth(line, inner))} ${side}`;
  const rows = (text: string, paintLine: (line: string) => string) =>
    splitVisibleLines(text)
      .flatMap((line) => (whole ? wrapLine(line, inner) : [line]))
      .map((line) => frame(line, paintLine));
  const lines = code.split('\n');
  const more = !whole && lines.length > MOST_LINES ? lines.length - LINES_OF_MORE : 0;
  const shown = more === 0 ? code : lines.slice(0, LINES_OF_MORE).join('\n');
  const paintResult = (line: string): string => {
    if (!ok) return paint('error', line);
    return output === '' ? paint('debug', line) : line;
  };
  return [
    paint('quiet', `╭─ ${padToWidth(`${title} ${'─'.repeat(inner)}`, inner - 1).replace(/…$/, '─')}─╮`),
    ...rows(shown, (line) => paintCode(line, paint)),
    ...(more === 0 ? [] : [frame(`… ${groupDigits(more)} more lines`, (line) => paint('debug', line))]),
    paint('quiet', `├${'─'.repeat(inner + 2)}┤`),
    ...rows(output === '' ? '(executed)' : output, paintResult),
    paint('quiet', `╰${` ${formatDuration(ms)} ─╯`.padStart(inner + 3, '─')}`),
  ].join('\n');
}

function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
