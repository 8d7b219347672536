type Write = typeof process.stdout.write;

const STREAMS = [process.stdout, process.stderr];

/**
 * Does work with foreign code in it, and keeps what that prints away from what bae prints, which others may
 * want to read as JSON.
 *
 * @param work is given a way to say something all the same
 */
export async function inSilence<T>(work: (aloud: (say: () => void) => void) => Promise<T>): Promise<T> {
  const writes = STREAMS.map((stream): Write => stream.write.bind(stream));
  const restore = (): void => STREAMS.forEach((stream, index) => (stream.write = writes[index]!));
  const silence = (): void => STREAMS.forEach((stream) => (stream.write = discard));
  silence();
  try {
    return await work((say) => {
      restore();
      say();
      silence();
    });
  } finally {
    restore();
  }
}

/** Takes what is written, and says that it is gone, so that nobody waits for that. */
function discard(...args: readonly unknown[]): boolean {
  const done = args.at(-1);
  if (typeof done === 'function') queueMicrotask(() => (done as () => void)());
  return true;
}
