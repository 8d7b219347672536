import type { ApprovalRequest } from '@bae/core';
import { makeVisible, visibleLine } from '../terminal/make-visible.ts';
import type { Painter } from '../terminal/paint.ts';
import { fitted } from '../terminal/text-width.ts';
import { clippedDiff } from './diff-lines.ts';
import type { Preview } from './preview-of.ts';

/** Lines of a long argument that are shown. */
const LINES = 8;

/** How a question is drawn. */
export interface QuestionStyle {
  readonly columns: number;
  readonly rows: number;
  readonly paint: Painter;
}

/** What a person sees before saying yes, and whether there is more of it. */
export interface ApprovalQuestion {
  readonly text: string;
  readonly clipped: boolean;
}

/**
 * The call, where it would run, and what it would change, as far as the screen goes; where the tool cannot
 * tell what it would change, how its arguments begin.
 */
export function approvalQuestion(request: ApprovalRequest, preview: Preview, style: QuestionStyle): ApprovalQuestion {
  const { columns, rows, paint } = style;
  const head = `${paint('hint', '?')} ${paint('strong', visibleLine(request.tag))} in ${request.space} ${what(request)}:`;
  if (preview.kind === 'change') {
    const { lines, clipped } = clippedDiff(preview.text, { columns, rows, paint });
    return { text: [head, ...lines].join('\n'), clipped };
  }
  const fails = preview.kind === 'failure' ? [paint('error', `  it would fail: ${visibleLine(preview.text)}`)] : [];
  const shown = Object.entries(request.args).flatMap(([name, value]) => shownArgument({ name, value, columns }));
  return { text: [head, ...shown, ...fails].join('\n'), clipped: false };
}

function what({ effect, reason }: ApprovalRequest): string {
  if (reason !== undefined) return `needs consent, because ${visibleLine(reason)}`;
  return effect === 'external' ? 'reaches beyond this machine' : 'changes something here';
}

function shownArgument(argument: {
  readonly name: string;
  readonly value: unknown;
  readonly columns: number;
}): readonly string[] {
  const { name, value, columns } = argument;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const lines = makeVisible(text).replaceAll('\t', '  ').replace(/\n$/, '').split('\n');
  if (lines.length === 1) return [fitted(`  ${name}: ${lines[0]}`, columns)];
  const shown = lines.slice(0, LINES).map((line) => fitted(`  | ${line}`, columns));
  const more = lines.length - shown.length;
  return [`  ${name}:`, ...shown, ...(more > 0 ? [`  … ${more} more ${more === 1 ? 'line' : 'lines'}`] : [])];
}
