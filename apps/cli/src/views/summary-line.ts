import type { AgentEvent } from '@bae/core';
import { visibleLine } from '../terminal/make-visible.ts';
import type { Painter } from '../terminal/paint.ts';

type CallEnd = Extract<AgentEvent, { type: 'call-end' }>;

/** A finished call as one coloured line: `[tasks] ◆ read(7) -> string (18 lines)`. */
export function summaryLine(event: CallEnd, paint: Painter): string {
  const line = visibleLine(event.summary);
  if (!event.ok) return paint('error', line);
  const [before = '', after] = splitOnce(line, '◆');
  if (after === undefined) return paint('quiet', line);
  const rest = event.pruned === true ? withHint(after, paint) : paint('quiet', after);
  return paint('quiet', before) + paint('bullet', '◆') + rest;
}

function withHint(text: string, paint: Painter): string {
  const at = text.lastIndexOf(', pruned');
  if (at < 0) return paint('quiet', text);
  const end = text.endsWith(')') ? text.length - 1 : text.length;
  return (
    paint('quiet', text.slice(0, at + 2)) + paint('hint', text.slice(at + 2, end)) + paint('quiet', text.slice(end))
  );
}

function splitOnce(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}
