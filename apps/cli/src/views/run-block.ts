import { padToWidth, splitVisibleLines, type Painter } from '../terminal/terminal-text.ts';

const CALL = /^(?:await\s+)?((?!console\b)[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+)*)\s*\(/u;
/** Text in quotes, or what code would nest or compute. */
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.)*`/g;

/**
 * The functions that code calls, if it does nothing but call functions with plain values, each on a line of its own;
 * undefined for all other code. Where these are tools, the lines about the calls show all there is to show.
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

/** Watches one run block, to find out whether there is anything to show of it besides its calls. */
export class WatchedCode {
  readonly #expected: readonly string[] | undefined;
  readonly #made: string[] = [];
  #hasFailed = false;

  constructor(code: string) {
    this.#expected = parseLoneCalls(code);
  }

  /** True when the code looks as if it only called tools. */
  get isOnlyCalls(): boolean {
    return this.#expected !== undefined;
  }

  /** @param tag of a call as code is quoted: `source.read("core")` */
  addCall(tag: string, ok: boolean): void {
    this.#made.push(tag.slice(0, tag.indexOf('(')).replaceAll('-', '_'));
    this.#hasFailed ||= !ok;
  }

  /** True when its calls were all there was: a function of its own is no tool, and its value is to be shown. */
  wasOnlyCalls(ok: boolean): boolean {
    return this.#expected?.join() === this.#made.join() && (ok || this.#hasFailed);
  }
}

/** One executed run block, and where it is to be shown. */
export interface RunPanel {
  readonly title: string;
  readonly code: string;
  readonly ok: boolean;
  readonly output: string;
  readonly ms: number;
  readonly columns: number;
}

/** The narrowest and widest frame. */
const NARROWEST = 24;
const WIDEST = 100;

/** A framed block: the code, a rule, what came out, and the time in the frame. Long lines are cut at the frame. */
export function renderRunPanel({ title, code, ok, output, ms, columns }: RunPanel, paint: Painter): string {
  const inner = Math.min(Math.max(columns, NARROWEST), WIDEST) - 4;
  const rows = (text: string, paintLine: (line: string) => string) =>
    splitVisibleLines(text).map(
      (line) => `${paint('quiet', '│')} ${paintLine(padToWidth(line, inner))} ${paint('quiet', '│')}`,
    );
  const paintResult = (line: string): string => {
    if (!ok) return paint('error', line);
    return output === '' ? paint('debug', line) : line;
  };
  return [
    paint('quiet', `╭─ ${padToWidth(`${title} ${'─'.repeat(inner)}`, inner - 1).replace(/…$/, '─')}─╮`),
    ...rows(code, (line) => paint('code', line)),
    paint('quiet', `├${'─'.repeat(inner + 2)}┤`),
    ...rows(output === '' ? '(executed)' : output, paintResult),
    paint('quiet', `╰${` ${formatDuration(ms)} ─╯`.padStart(inner + 3, '─')}`),
  ].join('\n');
}

function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
