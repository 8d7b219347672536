import type { Readable } from 'node:stream';

/**
 * Everything a stream has until its end, as text.
 *
 * @throws the signal's reason when it aborts before
 */
export async function readAll(input: Readable, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const chunks: Buffer[] = [];
  const stop = (): void => void input.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of input) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer));
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return Buffer.concat(chunks).toString('utf8');
}
