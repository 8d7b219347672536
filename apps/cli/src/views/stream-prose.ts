import type { StatusLine } from '../terminal/terminal.ts';
import type { PlainView } from './user-view.ts';

/** Least time between two frames, in milliseconds. */
const FRAME_MS = 50;
/** A last line that may become a call, a block or a fence once it is whole. */
const UNCERTAIN = /(?:^|\n)[ \t]*[<@{[`~][^\n]*$/;

/**
 * Shows what a model writes while it writes it, without its calls and code. When the response ends it disappears: what
 * is the answer is then shown as the answer.
 *
 * @param prose extracts the prose of a response
 */
export function createProseStream(status: Pick<StatusLine, 'stream'>, prose: (text: string) => string): PlainView {
  let written = '';
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    timer = undefined;
    status.stream(prose(written.replace(UNCERTAIN, '')));
  };
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (written !== '') status.stream('');
    written = '';
  };
  return (event) => {
    if (event.type === 'response-delta') {
      written += event.text;
      timer ??= setTimeout(draw, FRAME_MS).unref();
    } else if (event.type === 'response-end' || event.type === 'turn-end') end();
  };
}
