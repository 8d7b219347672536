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

/** Folds equal consecutive lines about calls: the first, then how many more. */
export class FoldedLines {
  readonly #write: (line: string) => void;
  #last: string | undefined;
  #more = 0;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Writes a line, unless it repeats the last one. */
  add(line: string, paint: Painter): void {
    if (line === this.#last) {
      this.#more++;
      return;
    }
    this.end(paint);
    this.#last = line;
    this.#write(line);
  }

  /** Ends the fold, and writes how many more there were. */
  end(paint: Painter): void {
    if (this.#more > 0) this.#write(`${this.#last}${paint('quiet', ` ×${this.#more} more`)}`);
    this.#last = undefined;
    this.#more = 0;
  }
}

/** True for events that are shown after the lines of the calls before them. */
export function endsFold({ type }: AgentEvent): boolean {
  return type === 'run-end' || type === 'notice' || type === 'answer';
}

interface Speaker {
  readonly channel: 'ai' | 'code';
  readonly label?: string;
}

/** A text with its speaker, `[ai:1] first line`; further lines are indented by two spaces. */
export function addSpeaker(text: string, { channel, label }: Speaker, paint: Painter): string {
  const tag = label === undefined ? `[${channel}]` : `[${channel}:${label}]`;
  return `${paint(channel, tag)} ${text.replaceAll(/\n(?=[^\n])/g, '\n  ')}`;
}
