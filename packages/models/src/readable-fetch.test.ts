import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readableFetch } from './readable-fetch.ts';

/** URL of a server that responds with these bytes, each in a packet of its own. */
async function serverOf(bytes: Uint8Array, status = 200): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'x-kept': 'yes' });
    const next = (index: number): void => {
      if (index < bytes.length) response.write(bytes.subarray(index, index + 1), () => setImmediate(next, index + 1));
      else response.end();
    };
    next(0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('passes on status, headers and every character, however its bytes arrive', async () => {
  const response = await readableFetch(await serverOf(Buffer.from('größe 😀\uFFFD'), 201));
  expect([response.status, response.headers.get('x-kept')]).toEqual([201, 'yes']);
  expect(await response.text()).toBe('größe 😀\uFFFD');
});

it.each([
  ['a byte that begins nothing', Buffer.of(0x61, 0xff, 0x62)],
  ['a character that is not finished', Buffer.of(0x61, 0xf0, 0x9f)],
  ['half of a pair', Buffer.of(0xed, 0xa0, 0x80)],
])('breaks off at %s', async (_, bytes) => {
  const response = await readableFetch(await serverOf(bytes));
  await expect(response.text()).rejects.toMatchObject({ code: 'ERR_ENCODING_INVALID_ENCODED_DATA' });
});

it('leaves a response without a body alone', async () => {
  const response = await readableFetch(await serverOf(Buffer.of(), 204));
  expect([response.status, response.body]).toEqual([204, null]);
});
