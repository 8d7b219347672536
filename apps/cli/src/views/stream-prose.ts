import type { StatusLine } from '../terminal/terminal.ts';
import { StreamedProse } from './streamed-prose.ts';
import type { PlainView } from './user-view.ts';

/** Least time between two frames, in milliseconds, and how many times longer than drawing one it is at least. */
const FRAME_MS = 50;
const SHARE = 5;

/**
 * Shows what a model writes while it writes it, without its calls and code. When the response ends it disappears: what
 * is the answer is then shown as the answer.
 *
 * @param prose extracts the prose of a response
 */
export function createProseStream(status: Pick<StatusLine, 'stream'>, prose: (text: string) => string): PlainView {
  const written = new StreamedProse(prose);
  let timer: NodeJS.Timeout | undefined;
  /** How long the last frame took, in milliseconds. */
  let cost = 0;
  const draw = (): void => {
    timer = undefined;
    const began = performance.now();
    status.stream(written.read());
    cost = performance.now() - began;
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
      timer ??= setTimeout(draw, Math.max(FRAME_MS, cost * SHARE)).unref();
    } else if (event.type === 'response-end' || event.type === 'turn-end') end();
  };
}
