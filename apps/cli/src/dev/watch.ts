/** How often is looked, in milliseconds. */
const EVERY_MS = 200;

/**
 * Acts when something has changed and has then been the same for a moment: who saves a file may write it in pieces.
 * It looks now and then instead of being told, which works on every disk and holds nothing open.
 *
 * @param look gives a text that is another one after a change
 * @param act must not reject; nothing is looked at while it is at work
 * @returns how to stop
 */
export function watch(look: () => string, act: () => Promise<void>): () => void {
  let handled = look();
  let last = handled;
  let isBusy = false;
  const check = async (): Promise<void> => {
    if (isBusy) return;
    const now = look();
    const isSettled = now === last;
    last = now;
    if (!isSettled || now === handled) return;
    handled = now;
    isBusy = true;
    await act();
    isBusy = false;
  };
  const timer = setInterval(() => void check(), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
