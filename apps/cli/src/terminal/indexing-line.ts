import type { StatusLine } from './status-line.ts';

/** After this it is said what is waited for, in milliseconds. */
const PATIENCE_MS = 1000;
/** Between two changes of the line, in milliseconds. */
const EVERY_MS = 100;

/**
 * Tells on the status line how far it is when modules are looked into for longer than a second.
 *
 * @param now the time in milliseconds
 */
export function indexingLine(
  status: StatusLine,
  now: () => number = () => performance.now(),
): (done: number, total: number) => void {
  let start: number | undefined;
  let next = 0;
  return (done, total) => {
    start ??= now();
    if (done >= total) {
      status.done('index');
      start = undefined;
    } else if (now() >= Math.max(start + PATIENCE_MS, next)) {
      next = now() + EVERY_MS;
      status.say('index', `indexing ${done} of ${total} modules…`);
    }
  };
}
