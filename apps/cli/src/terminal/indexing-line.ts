import type { Output } from './terminal.ts';

/** After this it is said what is waited for, in milliseconds. */
const PATIENCE_MS = 1000;
/** Between two changes of the line, in milliseconds. */
const EVERY_MS = 100;

/**
 * A line on a terminal that tells how far it is when modules are looked into for longer than a second, and that is
 * gone at the end. In a pipe there is none.
 *
 * @param now the time in milliseconds
 */
export function indexingLine(
  err: Output,
  now: () => number = () => performance.now(),
): (done: number, total: number) => void {
  let start: number | undefined;
  let next = 0;
  let isShown = false;
  return (done, total) => {
    if (!err.isTerminal) return;
    start ??= now();
    if (done >= total) {
      if (isShown) err.write('\r\u001B[K');
      start = undefined;
      next = 0;
      isShown = false;
      return;
    }
    if (now() < Math.max(start + PATIENCE_MS, next)) return;
    next = now() + EVERY_MS;
    isShown = true;
    err.write(`\r\u001B[Kindexing ${done} of ${total} modules…`);
  };
}
