import type { ResultStore } from '../protocol/pruner.ts';
import { units } from '../text-size/units.ts';

/** Results up to this size stay: a handle would hardly be shorter, in units. */
const SMALL = 200;
const FRAME = /^\[(Tool output|Output) ([0-9a-f]{16})\]\n([\s\S]*?)\n\[end \2\]$/gm;
const HEADER = /^#(\d+) .*$/;
const HANDLE = /full: <R:(result:\d+)>\]?$/;

/**
 * A message to the model with its results replaced by their header lines and handles.
 *
 * Only what stands inside the session's own frames is touched: prompts, locations and notes stay.
 *
 * @returns the message as it was when there is nothing worth masking
 */
export function maskResults(message: string, results: ResultStore): string {
  return message.replace(FRAME, (...match: string[]) => {
    const [, kind = '', nonce = '', body = ''] = match;
    const parts = kind === 'Output' ? body.split('\n---\n') : splitResults(body);
    const masked = parts.map((part) => (kind === 'Output' ? maskText(part, results) : maskResult(part, results)));
    return `[${kind} ${nonce}]\n${masked.join('\n---\n')}\n[end ${nonce}]`;
  });
}

/** The results of a frame. A separator counts only before the header of the next number. */
function splitResults(body: string): readonly string[] {
  const parts: string[] = [];
  for (const piece of body.split('\n---\n')) {
    const header = HEADER.exec(piece.split('\n', 1)[0] ?? '');
    const starts = parts.length === 0 || header?.[1] === String(parts.length + 1);
    if (starts) parts.push(piece);
    else parts.push(`${parts.pop()}\n---\n${piece}`);
  }
  return parts;
}

function maskResult(part: string, results: ResultStore): string {
  const end = part.indexOf('\n');
  if (end === -1) return part;
  return `${part.slice(0, end)}\n${maskText(part.slice(end + 1), results)}`;
}

function maskText(text: string, results: ResultStore): string {
  if (units(text) <= SMALL) return text;
  const ref = HANDLE.exec(text)?.[1] ?? results.keep(text);
  return `(masked: ${text.split('\n').length} lines; full: <R:${ref}>)`;
}
