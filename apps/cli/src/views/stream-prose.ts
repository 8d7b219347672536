import type { StatusLine } from '../terminal/terminal.ts';
import { StreamedProse } from './streamed-prose.ts';
import type { PlainView } from './user-view.ts';

/**
 * Shows a response as the model writes it, without its calls and code. It disappears when the response ends; an answer
 * is then displayed separately.
 *
 * @param prose extracts the prose of a response
 */
export function createProseStream(status: Pick<StatusLine, 'stream'>, prose: (text: string) => string): PlainView {
  const written = new StreamedProse(prose);
  const read = (): string => written.read();
  return (event) => {
    if (event.type === 'response-delta') {
      written.add(event.text);
      status.stream(read);
    } else if (event.type === 'response-end' || event.type === 'turn-end') {
      status.stream(undefined);
      written.clear();
    }
  };
}
