import type { StreamedRows } from '../terminal/live-area.ts';
import { StreamedMarkdown } from './streamed-markdown.ts';
import { createPainter, RESET_TO_DIM } from '../terminal/terminal-text.ts';
import type { StatusLine } from '../terminal/terminal.ts';
import type { View } from './user-view.ts';

/** Last line that may become a call, a block or a fence once it is complete. */
const UNCERTAIN = /(?:^|\n)[ \t]*(?:<(?!\/[\w.-]+>)|[@{[`~])[^\n]*$/;

/** Beginning of a call or a run block, with its name. */
const OPENING = /<(?:([\w.-]+):[^\n>]*|(run|tool_call|function_calls?|invoke)\b[^>\n]*)>/g;
/** Calls that never have a body. */
const WITHOUT_BODY = /^(?:.*\.)?(?:r|read|g|glob|grep|help|go)$/i;

/** A line that opens or closes a fence, in which text that looks like a call is not one. */
const FENCE = /^[ \t]*(?:```|~~~)/gm;

function isInFence(before: string): boolean {
  return (before.match(FENCE)?.length ?? 0) % 2 === 1;
}

/**
 * Returns the start of a call whose body may still be arriving; the length of the text if there is none. Takes time in
 * proportion to the length of the text.
 */
function findOpenCall(text: string): number {
  const lower = text.toLowerCase();
  const fences = Array.from(text.matchAll(FENCE), ({ index }) => index);
  /** Next closing tag by name, as long as it is not passed. */
  const closers = new Map<string, number>();
  let fencesBefore = 0;
  for (const { 0: tag, 1: called, 2: block, index } of text.matchAll(OPENING)) {
    while (fences[fencesBefore] !== undefined && fences[fencesBefore]! < index) fencesBefore++;
    const name = called ?? block!;
    if ((called !== undefined && WITHOUT_BODY.test(called)) || fencesBefore % 2 === 1) continue;
    const close = `</${name.slice(name.lastIndexOf('.') + 1)}`.toLowerCase();
    const end = index + tag.length;
    const known = closers.get(close) ?? -1;
    const closer = known >= end ? known : lower.indexOf(close, end);
    if (closer === -1 || !lower.includes('>', closer)) return index;
    closers.set(close, closer);
  }
  return text.length;
}

/** Approximate maximum number of characters that are parsed at once. */
const LONGEST = 8192;
/** Maximum number of characters that are parsed of a response without paragraphs, which is no prose. */
const MOST = 32 * LONGEST;

/** Text that a model has written so far, without its calls and code, and without a last line that may become one. */
export class StreamedProse {
  readonly #prose: (text: string) => string;
  /** Prose of text that cannot change any more; below it, the text after that. */
  #settled = '';
  #written = '';

  /** @param prose extracts the prose of a response */
  constructor(prose: (text: string) => string) {
    this.#prose = prose;
  }

  get isEmpty(): boolean {
    return this.#written === '' && this.#settled === '';
  }

  add(text: string): void {
    this.#written += text;
  }

  read(): string {
    if (this.#written.length > LONGEST) this.#settle();
    const part = this.#written.slice(0, MOST);
    const text = part.slice(0, findOpenCall(part));
    return this.#settled + this.#prose(text.replace(UNCERTAIN, ''));
  }

  clear(): void {
    this.#settled = '';
    this.#written = '';
  }

  /** Moves complete paragraphs to the settled prose, so that a long response is not parsed repeatedly. */
  #settle(): void {
    const end = this.#written.lastIndexOf('\n\n', this.#written.length - LONGEST / 2) + 2;
    const whole = this.#written.slice(0, end);
    if (end < 2 || isInFence(whole) || findOpenCall(whole) < whole.length) return;
    const prose = this.#prose(whole).trimEnd();
    if (prose !== '') this.#settled += `${prose}\n\n`;
    this.#written = this.#written.slice(end);
  }
}

/** How a response is shown while it is written. */
export interface StreamStyle {
  /** Extracts the prose of a response. */
  readonly prose: (text: string) => string;
  readonly color: boolean;
  /** Shows what was written of a response that has no end, because it was cancelled or failed. */
  readonly showUnfinished: (prose: string, label: string) => Promise<void>;
}

/**
 * Shows a response as the model writes it, as dim Markdown without its calls and code. It disappears when the response
 * ends; an answer is then displayed separately.
 */
export function createProseStream(status: Pick<StatusLine, 'stream'>, style: StreamStyle): View {
  const { prose, color, showUnfinished } = style;
  const written = new StreamedProse(prose);
  const markdown = new StreamedMarkdown(createPainter({ color }, RESET_TO_DIM));
  const read = (columns: number): StreamedRows => markdown.render(written.read(), columns);
  const clear = (): void => {
    status.stream(undefined);
    written.clear();
    markdown.clear();
  };
  return (event) => {
    if (event.type === 'turn-start') void markdown.load();
    if (event.type === 'response-delta') {
      // A view that is chosen within a turn has not seen its start.
      if (written.isEmpty) void markdown.load();
      written.add(event.text);
      status.stream(read);
    }
    // After an error, the response is written anew.
    if (event.type === 'response-end' || (event.type === 'notice' && event.code === 'retry')) clear();
    if (event.type !== 'turn-end') return undefined;
    // An earlier session has no delta events.
    written.clear();
    written.add(event.unfinished ?? '');
    const left = written.read().trim();
    clear();
    return left === '' ? undefined : showUnfinished(left, event.label);
  };
}
