import { makeVisible } from '../terminal/make-visible.ts';
import type { Painter } from '../terminal/paint.ts';
import { padded } from '../terminal/text-width.ts';

/** One executed run block, and where it is to be shown. */
export interface RunPanel {
  readonly title: string;
  readonly code: string;
  readonly ok: boolean;
  readonly output: string;
  /** Milliseconds that it took. */
  readonly ms: number;
  /** Width of the whole panel, in columns. */
  readonly columns: number;
}

/** The narrowest and widest frame. */
const NARROWEST = 24;
const WIDEST = 100;

/** A framed block: the code, a rule, what came out, and the time in the frame. Long lines are cut at the frame. */
export function runPanel({ title, code, ok, output, ms, columns }: RunPanel, paint: Painter): string {
  const inner = Math.min(Math.max(columns, NARROWEST), WIDEST) - 4;
  const row = (text: string, shown: (line: string) => string) =>
    linesOf(text).map((line) => `${paint('quiet', '│')} ${shown(padded(line, inner))} ${paint('quiet', '│')}`);
  const result = output === '' ? '(executed)' : output;
  return [
    paint('quiet', `╭─ ${padded(`${title} ${'─'.repeat(inner)}`, inner - 1).replace(/…$/, '─')}─╮`),
    ...row(code, (line) => paint('code', line)),
    paint('quiet', `├${'─'.repeat(inner + 2)}┤`),
    ...row(result, (line) => (ok ? shownResult(line, output, paint) : paint('error', line))),
    paint('quiet', `╰${` ${duration(ms)} ─╯`.padStart(inner + 3, '─')}`),
  ].join('\n');
}

function shownResult(line: string, output: string, paint: Painter): string {
  return output === '' ? paint('debug', line) : line;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function linesOf(text: string): readonly string[] {
  return makeVisible(text).replaceAll('\t', '  ').replace(/\n$/, '').split('\n');
}
