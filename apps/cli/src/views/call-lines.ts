import type { AgentEvent } from '@bae/core';
import { makeLineVisible, type Painter } from '../terminal/terminal-text.ts';

type CallEnd = Extract<AgentEvent, { type: 'call-end' }>;

/** A finished call as one coloured line: `[tasks] ◆ read(7) -> string (18 lines)`. */
export function renderSummary(event: CallEnd, paint: Painter): string {
  const line = makeLineVisible(event.summary);
  if (!event.ok) return paint('error', line);
  const at = line.indexOf('◆');
  if (at < 0) return paint('quiet', line);
  const [before, after] = [line.slice(0, at), line.slice(at + 1)];
  const rest = event.pruned === true ? highlightPruned(after, paint) : paint('quiet', after);
  return paint('quiet', before) + paint('bullet', '◆') + rest;
}

function highlightPruned(text: string, paint: Painter): string {
  const at = text.lastIndexOf(', pruned');
  if (at < 0) return paint('quiet', text);
  const end = text.endsWith(')') ? text.length - 1 : text.length;
  return (
    paint('quiet', text.slice(0, at + 2)) + paint('hint', text.slice(at + 2, end)) + paint('quiet', text.slice(end))
  );
}

/** Lines about the calls of code: of equal ones that follow one another the first, and at the end how many more. */
export class FoldedLines {
  readonly #write: (line: string) => void;
  #last: string | undefined;
  #more = 0;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Writes a line, unless it is that of the call before. */
  add(line: string, paint: Painter): void {
    if (line === this.#last) {
      this.#more++;
      return;
    }
    this.end(paint);
    this.#last = line;
    this.#write(line);
  }

  /** Writes how many more there were, because something else follows. */
  end(paint: Painter): void {
    if (this.#more > 0) this.#write(`${this.#last}${paint('quiet', ` ×${this.#more} more`)}`);
    this.#last = undefined;
    this.#more = 0;
  }
}

/** True for what is shown after the lines of calls, or has to be seen between them. */
export function endsFold({ type }: AgentEvent): boolean {
  return type === 'run-end' || type === 'notice' || type === 'answer';
}

/** Who speaks: the channel, which is its colour too, and its session where it has one. */
export interface Speaker {
  readonly channel: 'ai' | 'code';
  readonly label?: string;
}

/** A text with its speaker in front, `[ai:1] first line`, and later lines indented by two blanks; blank lines stay blank. */
export function addSpeaker(text: string, { channel, label }: Speaker, paint: Painter): string {
  const tag = label === undefined ? `[${channel}]` : `[${channel}:${label}]`;
  return `${paint(channel, tag)} ${text.replaceAll(/\n(?=[^\n])/g, '\n  ')}`;
}
