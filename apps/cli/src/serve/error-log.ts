import type { CommandContext } from '../command-line/command.ts';
import { explainError } from '../command-line/errors.ts';

/** Time in which an error is written once, in milliseconds: a database that is away fails several times a second. */
const QUIET_MS = 60_000;

/**
 * Creates a function that writes errors to the log of a server or worker: the same one at most once a minute, with the
 * number of times that it was left out before.
 */
export function createErrorLog(
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  const written = new Map<string, { readonly at: number; leftOut: number }>();
  return (error) => {
    const text = explainError(error, { debug: options.debug });
    const time = now();
    const last = written.get(text);
    if (last !== undefined && time - last.at < QUIET_MS) {
      last.leftOut++;
      return;
    }
    for (const [other, { at }] of written) if (time - at >= QUIET_MS) written.delete(other);
    written.set(text, { at: time, leftOut: 0 });
    const times =
      last === undefined || last.leftOut === 0 ? '' : `(${last.leftOut} more of these since the last one)\n`;
    terminal.err.write(text + times);
  };
}
