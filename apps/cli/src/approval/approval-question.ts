import type { ApprovalRequest } from '@bae/core';
import { makeVisible, visibleLine } from '../terminal/make-visible.ts';
import type { Painter } from '../terminal/paint.ts';
import { fitted } from '../terminal/text-width.ts';

/** Lines of a long argument that are shown. */
const LINES = 8;

/** How a question is drawn. */
export interface QuestionStyle {
  readonly columns: number;
  readonly paint: Painter;
}

/** What a person has to see before saying yes: the call, where it would run, and how its texts begin. */
export function approvalQuestion(request: ApprovalRequest, { columns, paint }: QuestionStyle): string {
  const what = request.effect === 'external' ? 'reaches beyond this machine' : 'changes something here';
  const head = `${paint('hint', '?')} ${paint('strong', visibleLine(request.tag))} in ${request.space} ${what}:`;
  return [
    head,
    ...Object.entries(request.args).flatMap(([name, value]) => shownArgument({ name, value, columns })),
  ].join('\n');
}

function shownArgument(argument: {
  readonly name: string;
  readonly value: unknown;
  readonly columns: number;
}): readonly string[] {
  const { name, value, columns } = argument;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const lines = makeVisible(text).replaceAll('\t', '  ').replace(/\n$/, '').split('\n');
  if (lines.length === 1) return [fitted(`  ${name}: ${lines[0]}`, columns)];
  const shown = lines.slice(0, LINES).map((line) => fitted(`  | ${line}`, columns));
  const more = lines.length - shown.length;
  return [`  ${name}:`, ...shown, ...(more > 0 ? [`  … ${more} more ${more === 1 ? 'line' : 'lines'}`] : [])];
}

/** The consent that an answer means; undefined when it means none. */
export function consentOf(answer: string): 'once' | 'always' | 'no' | undefined {
  const word = answer.trim().toLowerCase();
  if (word === 'y' || word === 'yes') return 'once';
  if (word === 'a' || word === 'always') return 'always';
  return word === 'n' || word === 'no' ? 'no' : undefined;
}
