import type { StatusLine } from '../terminal/terminal.ts';
import { StreamedProse } from './streamed-prose.ts';
import type { PlainView } from './user-view.ts';

/** Least time between two frames, in milliseconds. */
const FRAME_MS = 50;

/**
 * Shows what a model writes while it writes it, without its calls and code. When the response ends it disappears: what
 * is the answer is then shown as the answer.
 *
 * @param prose extracts the prose of a response
 */
export function createProseStream(status: Pick<StatusLine, 'stream'>, prose: (text: string) => string): PlainView {
  const written = new StreamedProse(prose);
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    timer = undefined;
    status.stream(written.read());
  };
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!written.isEmpty) status.stream('');
    written.clear();
  };
  return (event) => {
    if (event.type === 'response-delta') {
      written.add(event.text);
      timer ??= setTimeout(draw, FRAME_MS).unref();
    } else if (event.type === 'response-end' || event.type === 'turn-end') end();
  };
}
