import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { boundedFetch } from './bounded-fetch.ts';

const MEGABYTE = 1024 * 1024;
const PART = Buffer.alloc(MEGABYTE, 'a');

/** Asks a server that answers with these headers and parts. */
async function open(headers: Readonly<Record<string, string>>, parts: readonly Buffer[]): Promise<Response> {
  const server = createServer((_, response) => {
    Readable.from(parts).pipe(response.writeHead(200, headers));
  });
  onTestFinished(() => server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return boundedFetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

/** Does the same, and returns the length of the body. */
async function ask(headers: Readonly<Record<string, string>>, parts: readonly Buffer[]): Promise<number> {
  const response = await open(headers, parts);
  let length = 0;
  for await (const bytes of response.body!) length += bytes.length;
  return length;
}

const TOO_LONG = 'it sent a message of more than 64 MB';
const STREAM = { 'content-type': 'text/event-stream' };

it('a response that is too long fails', { tags: ['long'] }, async () => {
  const parts = Array.from({ length: 65 }, () => PART);
  await expect(ask({ 'content-type': 'application/json' }, parts)).rejects.toThrow(TOO_LONG);
});

it.each([
  ['a line without an end', PART],
  ['lines that do not end the event', Buffer.from(`data: ${'a'.repeat(MEGABYTE)}\n`)],
])('a stream with %s fails', async (_, part) => {
  await expect(
    ask(
      STREAM,
      Array.from({ length: 17 }, () => part),
    ),
  ).rejects.toThrow('it sent a message of more than 16 MB');
});

it('a stream of any number of events is read, whatever ends them', { tags: ['long'] }, async () => {
  // Each end is divided between two parts.
  const parts = ['\n\n', '\r\n\r\n', '\r\r'].flatMap((end) =>
    Array.from({ length: 25 }, () => Buffer.from(`${end.slice(1)}data: ${'a'.repeat(MEGABYTE)}${end.slice(0, 1)}`)),
  );
  expect(await ask(STREAM, parts)).toBeGreaterThan(75 * MEGABYTE);
});

it('a stream is passed on in whole events, with what is left at its end', async () => {
  const text = 'data: a\n\ndata: b\r\n\r\ndata: c\n\ndata: d';
  const parts = Array.from(text, (character) => Buffer.from(character));
  const response = await open(STREAM, parts);
  const passed: string[] = [];
  for await (const bytes of response.body!) passed.push(Buffer.from(bytes).toString());
  expect(passed.join('')).toBe(text);
  expect(passed.every((event, index) => /[\n\r]{2}$/.test(event) || index === passed.length - 1)).toBe(true);
});

it('an event in small parts arrives as one, so that a reader goes through it once', async () => {
  const parts = Array.from({ length: 4096 }, () => Buffer.alloc(1024, 'a'));
  const response = await open(STREAM, [...parts, Buffer.from('\n\n')]);
  const lengths: number[] = [];
  for await (const bytes of response.body!) lengths.push(bytes.length);
  expect(lengths).toEqual([4096 * 1024 + 2]);
});
