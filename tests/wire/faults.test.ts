import { ModelError, type ModelPart } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { replyBody } from './deliver-reply.ts';
import { exchange } from './exchange.ts';
import { WIRES, type Wire } from './wire-models.ts';
import type { WireFault } from './wire-reply.ts';
import { WireServer } from './wire-server.ts';

const TEXT = 'I look first.\n<R:a.ts>\n<R:b.ts>\n<W:c.ts>\nnew\n</W>\n';

/** Asks once, and returns the error that the response must have ended with. */
async function failure(wire: Wire, fault: WireFault): Promise<ModelError> {
  const { parts } = await exchange(wire, { text: TEXT, fault });
  return onlyError(parts);
}

function onlyError(parts: readonly ModelPart[]): ModelError {
  const last = parts.at(-1);
  expect(parts.filter(({ type }) => type === 'end' || type === 'error')).toEqual([last]);
  if (last?.type !== 'error') throw new Error(`no error, but ${JSON.stringify(last)}`);
  expect(last.error).toBeInstanceOf(ModelError);
  return last.error;
}

function bodyLength(wire: Wire): number {
  return replyBody(wire.format, { text: TEXT }).length;
}

describe.each(WIRES)('$name', (wire) => {
  it.each([429, 500, 502, 503, 504, 529, 408])('takes status %i for something that passes', async (status) => {
    const { retryable, message } = await failure(wire, { kind: 'status', status });
    expect({ retryable, named: message.includes(String(status)) }).toEqual({ retryable: true, named: true });
  });

  it.each([400, 401, 403, 404, 413, 422])('does not try status %i again', async (status) => {
    const { retryable } = await failure(wire, { kind: 'status', status });
    expect(retryable).toBe(false);
  });

  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after-ms': '150' }, 150],
    [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT', date: 'Fri, 20 Nov 2026 10:00:00 GMT' }, 30_000],
    [{}, undefined],
  ])('reads from %j how long to wait', async (headers, expected) => {
    const { retryAfterMs } = await failure(wire, { kind: 'status', status: 429, headers });
    expect(retryAfterMs).toBe(expected);
  });

  it('says which key was refused', async () => {
    const { hints } = await failure(wire, { kind: 'status', status: 401 });
    expect(hints[0]).toMatch(/^check (ANTHROPIC|OPENAI|OPENAI_COMPATIBLE)_API_KEY$/);
  });

  it('reports a server that closes without an answer', async () => {
    const error = await failure(wire, { kind: 'no-answer' });
    expect(error.retryable).toBe(true);
    expect(error.message).toContain(`the connection to ${wire.name}/wire broke off`);
  });

  it('reports a server that is not there', async () => {
    const server = await WireServer.start(wire.format, []);
    const { url } = server;
    await server.close();
    const parts: ModelPart[] = [];
    const { signal } = new AbortController();
    for await (const part of wire.model(url).respond([{ role: 'user', text: 'Hi' }], { signal })) parts.push(part);
    const error = onlyError(parts);
    expect(error.message).toMatch(/could not be reached \(ECONNREFUSED\): connect ECONNREFUSED 127\.0\.0\.1:\d+\.$/);
    expect(error.retryable).toBe(true);
  });

  it.each([0.1, 0.5, 0.9])('reports a connection that is cut at %f of the body', async (share) => {
    const { retryable } = await failure(wire, { kind: 'cut', after: Math.floor(bodyLength(wire) * share) });
    expect(retryable).toBe(true);
  });

  it.each([0, 0.1, 0.5, 0.7])('reports a body that ends in good order at %f of its length', async (share) => {
    const { retryable } = await failure(wire, { kind: 'short', after: Math.floor(bodyLength(wire) * share) });
    expect(retryable).toBe(true);
  });

  const endEverywhere = async (step: number) => {
    const wrong: string[] = [];
    for (let after = 0; after <= bodyLength(wire); after += step) {
      for (const kind of ['cut', 'short'] as const) {
        const { parts, text } = await exchange(wire, { text: TEXT, fault: { kind, after } });
        const last = parts.at(-1);
        const stopped = last?.type === 'end' && last.reason === 'stop';
        const good = stopped ? text === TEXT : last?.type === 'error' && last.error.retryable;
        if (!good) wrong.push(`${kind} after ${after}: ${JSON.stringify(last)}`);
      }
    }
    expect(wrong).toEqual([]);
  };

  it('stops normally only with the whole text, wherever the body is cut or ends', () => endEverywhere(37));
  it('stops normally only with the whole text, at every 11th byte', { tags: ['long'] }, () => endEverywhere(11));

  it('says nothing more after a corrupt chunk, though the stream goes on to a normal stop', async () => {
    const fault = { kind: 'corrupt', event: 5 } as const;
    const { parts, text } = await exchange(wire, { text: TEXT, fault });
    expect(onlyError(parts)).toMatchObject({ retryable: true, message: expect.stringContaining('cannot be read') });
    expect(TEXT.startsWith(text)).toBe(true);
    expect(text.length).toBeLessThan(TEXT.length);
  });

  it('says nothing more after an error in the stream', async () => {
    const { parts, text } = await exchange(wire, { text: TEXT, fault: { kind: 'error-event', event: 5 } });
    expect(onlyError(parts)).toMatchObject({ retryable: true, message: expect.stringContaining('overloaded') });
    expect(text.length).toBeLessThan(TEXT.length);
  });

  it.each(['<html>Bad gateway</html>', 'data: nonsense\n\n', '\u0000\u0001\u0002', ''])(
    'reports %j instead of a stream as an error',
    async (body) => {
      const { retryable } = await failure(wire, { kind: 'garbage', body });
      expect(retryable).toBe(true);
    },
  );

  it('reads a good stream under a wrong content type', async () => {
    const { text } = await exchange(wire, { text: TEXT, fault: { kind: 'content-type', value: 'text/html' } });
    expect(text).toBe(TEXT);
  });

  it('closes the connection of a cancelled response', async () => {
    await using server = await WireServer.start(wire.format, [{ text: TEXT, fault: { kind: 'stall', after: 900 } }]);
    const controller = new AbortController();
    const parts: ModelPart[] = [];
    for await (const part of wire.model(server.url).respond([{ role: 'user', text: 'Hi' }], controller)) {
      parts.push(part);
      controller.abort();
    }
    expect(parts.at(-1)).toEqual({ type: 'end', reason: 'cancelled' });
    await expect.poll(() => server.abandoned).toBe(1);
    await expect.poll(() => server.connections()).toBe(0);
  });

  it('closes the connection of a response that nobody reads on', async () => {
    await using server = await WireServer.start(wire.format, [{ text: TEXT, fault: { kind: 'stall', after: 900 } }]);
    const { signal } = new AbortController();
    for await (const _ of wire.model(server.url).respond([{ role: 'user', text: 'Hi' }], { signal })) break;
    await expect.poll(() => server.connections()).toBe(0);
  });
});
