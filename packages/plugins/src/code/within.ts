import { PluginError } from '../errors/plugin-error.ts';

/** Longest time that the code of a package may take before there is anything to cancel it by, in milliseconds. */
export const PATIENCE_MS = 10_000;

/**
 * What some work of a package gives, if it does so in time.
 *
 * @param late what is then said: `bae-resourcespace-a was not loaded`
 * @param why it may take so long
 * @throws PluginError when it takes too long
 */
export async function within<T>(work: Promise<T>, late: string, why: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const error = new PluginError(`${late} within ${PATIENCE_MS / 1000} s: ${why}.`);
    timer = setTimeout(reject, PATIENCE_MS, error);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
