import { PluginError } from '../plugin-error.ts';

/** Imports a module within a time limit. @throws the error of the module; PluginError when it takes too long */
export function importInTime(name: string, url: string): Promise<Readonly<Record<string, unknown>>> {
  const loading = import(url) as Promise<Readonly<Record<string, unknown>>>;
  return limitLoadTime(loading, `${name} was not loaded`, 'it waits for something at its top level');
}

/** Time limit for code of a package that cannot be cancelled otherwise, in milliseconds. */
export const TIME_LIMIT_MS = 10_000;

/**
 * Waits for code of a package within a time limit.
 *
 * @param late the beginning of the message: `bae-resourcespace-a was not loaded`
 * @throws PluginError when it takes too long
 */
export async function limitLoadTime<T>(work: Promise<T>, late: string, why: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(reject, TIME_LIMIT_MS, new PluginError(`${late} within ${TIME_LIMIT_MS / 1000} s: ${why}.`));
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
