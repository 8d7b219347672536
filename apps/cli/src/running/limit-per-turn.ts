/** Maximum number of events shown before the keyboard is polled again, and their maximum time in milliseconds. */
const MOST_EVENTS = 16;
const MOST_MS = 4;

/**
 * Returns a function that makes its caller wait for the next turn of the event loop after a number of calls or a time
 * in one turn. Storing an event may take longer than showing it.
 */
export function limitPerTurn(): () => Promise<void> | undefined {
  let count = 0;
  let end = 0;
  let turn: Promise<void> | undefined;
  return () => {
    if (turn === undefined) {
      count = 0;
      end = performance.now() + MOST_MS;
      turn = new Promise((resolve) => {
        setImmediate(() => {
          turn = undefined;
          resolve();
        });
      });
    }
    return ++count < MOST_EVENTS && performance.now() < end ? undefined : turn;
  };
}
