import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { streamEvents } from './event-stream.ts';
import { readEvents, serveNotes } from '../../test/serve-scripted.ts';

const readsThenAnswers = (messages: readonly { text: string }[]): string =>
  messages.at(-1)!.text.includes('[Tool output') ? 'Two notes.' : '<R:all>';

describe('a session over HTTP', () => {
  it('is made, asked, followed, listed and exported', async () => {
    const served = await serveNotes({ script: readsThenAnswers });
    served.notes.push('milk', 'bread');
    const token = await served.addToken('shop');
    const made = await served.send(token, '/v1/sessions', {});
    expect(made.status).toBe(201);
    const session = (await made.json()) as { id: string };
    expect(session).toMatchObject({
      owner: 'shop',
      state: 'idle',
      workspace: { type: 'none' },
      may: ['read', 'write'],
    });
    const prompt = await served.send(token, `/v1/sessions/${session.id}/prompts`, { text: 'How many notes?' });
    expect(prompt.status).toBe(202);
    const response = await served.send(token, `/v1/sessions/${session.id}/events`);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = await readEvents(response, ({ type }) => type === 'prompt-end');
    expect(events.filter(({ id }) => id !== undefined).map(({ type }) => type)).toEqual([
      'prompt-queued',
      'turn-start',
      'response-end',
      'call-start',
      'call-end',
      'response-end',
      'answer',
      'turn-end',
      'prompt-end',
    ]);
    expect(events.find(({ type }) => type === 'answer')?.data).toMatchObject({ text: 'Two notes.' });
    const { id } = (await prompt.json()) as { id: string };
    const done = await served.send(token, `/v1/sessions/${session.id}/prompts/${id}`);
    expect(await done.json()).toMatchObject({ state: 'done', outcome: 'answered' });
    const list = await served.send(token, '/v1/sessions?limit=1');
    expect(await list.json()).toMatchObject({ sessions: [{ id: session.id, state: 'idle', spent: { calls: 1 } }] });
    const lines = (await (await served.send(token, `/v1/sessions/${session.id}/export`)).text()).trim().split('\n');
    expect(lines).toHaveLength(10);
    expect(JSON.parse(lines[0]!)).toMatchObject({ session: { id: session.id } });
    expect(served.unexpected).toEqual([]);
  });

  it('has each prompt once in the audit: who sent it, its hash, and its beginning without keys', async () => {
    const served = await serveNotes({ script: () => 'Yes.' });
    const token = await served.addToken('shop');
    const key = 'AKIAABCDEFGHIJKLMNOP';
    const long = `Use ${key} and\ncount ${'the notes '.repeat(20)}`;
    const id = await served.ask(token, long);
    for (let time = 0; time < 2; time++)
      await served.send(token, `/v1/sessions/${id}/prompts`, { text: 'Again' }, { 'idempotency-key': 'k' });
    const entries = await served.store.readAudit(10);
    const [again, first, created] = entries;
    expect(entries.map(({ by, what, session }) => [by, what, session])).toEqual([
      ['shop', 'prompt', id],
      ['shop', 'prompt', id],
      ['shop', 'session created', id],
    ]);
    expect(first!.time.getTime()).toBeGreaterThanOrEqual(created!.time.getTime());
    const hash = createHash('sha256').update(long).digest('hex');
    expect(first!.detail).toMatch(/^[0-9a-f-]{36} sha256:/);
    expect(first!.detail!.slice(37)).toBe(
      `sha256:${hash} Use ‹masked AKIA…› and count the notes the notes the notes t…`,
    );
    expect(again!.detail).toMatch(/ Again$/);
  });

  it('goes on in a second prompt with what the first one was about', async () => {
    const seen: string[] = [];
    const served = await serveNotes({
      script: (messages) => {
        seen.push(messages.map(({ text }) => text).join('\n'));
        return 'Yes.';
      },
    });
    const token = await served.addToken('shop');
    const id = await served.ask(token, 'Is the shop open?');
    const last = (await served.store.readEvents(id, 0, 100)).at(-1)!.seq;
    await served.send(token, `/v1/sessions/${id}/prompts`, { text: 'And now?' });
    const response = await served.send(token, `/v1/sessions/${id}/events`, undefined, {
      'last-event-id': String(last),
    });
    await readEvents(response, ({ type }) => type === 'prompt-end');
    expect(seen[1]).toContain('Is the shop open?');
    expect(seen[1]).toContain('And now?');
  });

  it('takes a prompt once, however often it is sent with its key', async () => {
    const served = await serveNotes({ script: () => 'Yes.' });
    const token = await served.addToken('shop');
    const { id } = (await (await served.send(token, '/v1/sessions', {})).json()) as { id: string };
    const send = () => served.send(token, `/v1/sessions/${id}/prompts`, { text: 'Once' }, { 'idempotency-key': 'k1' });
    const responses = await Promise.all([send(), send(), send()]);
    const ids = await Promise.all(responses.map(async (one) => ((await one.json()) as { id: string }).id));
    expect(new Set(ids).size).toBe(1);
    await readEvents(await served.send(token, `/v1/sessions/${id}/events`), ({ type }) => type === 'prompt-end');
    const events = await served.store.readEvents(id, 0, 100);
    expect(events.filter(({ event }) => event.type === 'turn-start')).toHaveLength(1);
    expect(events.filter(({ event }) => event.type === 'prompt-queued')).toHaveLength(1);
  });

  it('stops what runs and takes back what waits', async () => {
    const served = await serveNotes({ script: () => new Promise<string>(() => undefined) });
    const token = await served.addToken('shop');
    const { id } = (await (await served.send(token, '/v1/sessions', {})).json()) as { id: string };
    for (const text of ['one', 'two']) await served.send(token, `/v1/sessions/${id}/prompts`, { text });
    const stream = await served.send(token, `/v1/sessions/${id}/events`);
    await readEvents(stream, ({ type }) => type === 'turn-start');
    expect(await (await served.send(token, `/v1/sessions/${id}/cancel`, {})).json()).toEqual({ prompts: 2 });
    // Whoever waits for the end of one that had not begun sees it, too.
    const ends: unknown[] = [];
    await readEvents(await served.send(token, `/v1/sessions/${id}/events`), ({ type, data }) => {
      return type === 'prompt-end' && ends.push(data['outcome']) === 2;
    });
    expect(ends).toEqual(['aborted', 'aborted']);
    const session = await (await served.send(token, `/v1/sessions/${id}`)).json();
    expect(session).toMatchObject({ state: expect.stringMatching(/idle|working/) });
  });
});

describe('the stream of events', () => {
  it('resumes at every event with none lost and none twice', async () => {
    const served = await serveNotes({ script: readsThenAnswers });
    const token = await served.addToken('shop');
    const id = await served.ask(token, 'How many?');
    const read = async (after?: string) => {
      const headers = after === undefined ? {} : { 'last-event-id': after };
      const response = await served.send(token, `/v1/sessions/${id}/events?follow=false`, undefined, headers);
      return (await readEvents(response, () => false)).map((event) => event.id);
    };
    const all = await read();
    expect(all).toHaveLength(9);
    for (const [place, after] of all.entries()) expect(await read(after)).toEqual(all.slice(place + 1));
  });

  it('shows parts of a response to who is up to date, and all of it to everybody', async () => {
    let answer = (_text: string): void => undefined;
    const served = await serveNotes({ script: () => new Promise<string>((resolve) => (answer = resolve)) });
    const token = await served.addToken('shop');
    const { id } = (await (await served.send(token, '/v1/sessions', {})).json()) as { id: string };
    await served.send(token, `/v1/sessions/${id}/prompts`, { text: 'Tell' });
    const stream = await served.send(token, `/v1/sessions/${id}/events`);
    const events = await readEvents(stream, (event) => {
      // The script is asked after the turn has begun; the reader waits for more then.
      if (event.type === 'turn-start') setTimeout(() => answer('A long story.'), 50);
      return event.type === 'prompt-end';
    });
    const parts = events.filter(({ type }) => type === 'response-delta');
    expect(parts.every(({ id: place }) => place === undefined)).toBe(true);
    expect(parts.map(({ data }) => data['text']).join('')).toBe('A long story.');
    expect(events.find(({ type }) => type === 'answer')?.data['text']).toBe('A long story.');
  });

  it.each([20, 600_000])('ends when the token is revoked, with a heartbeat every %i ms', async (heartbeatMs) => {
    const served = await serveNotes({ script: () => 'Yes.', streams: { heartbeatMs } });
    const token = await served.addToken('shop');
    const id = await served.ask(token, 'Open?');
    const response = await served.send(token, `/v1/sessions/${id}/events`);
    await served.store.revokeToken('shop', new Date());
    const events = await readEvents(response, () => false);
    expect(events.at(-1)?.type).toBe('prompt-end');
  });

  it('ends when the token is revoked while there is always something to send', async () => {
    const served = await serveNotes({ script: () => 'Yes.' });
    const session = await served.ask(await served.addToken('shop'), 'Open?');
    const { store, notifier } = served;
    const read = async (isAllowed: boolean) => {
      const stream = streamEvents({
        session,
        after: 0,
        follow: false,
        store,
        notifier,
        isAllowed: async () => isAllowed,
        // Due before every page.
        heartbeatMs: -1,
        slowMs: 60_000,
        signal: new AbortController().signal,
        drop: () => undefined,
        onEnd: () => undefined,
      });
      return (await readEvents(new Response(stream), () => false)).length;
    };
    expect(await read(true)).toBeGreaterThan(3);
    expect(await read(false)).toBe(0);
  });

  it('is refused above the limit, with the time to wait, and possible again after', async () => {
    const served = await serveNotes({ script: () => 'Yes.', streams: { mostOfToken: 1 } });
    const token = await served.addToken('shop');
    const { id } = (await (await served.send(token, '/v1/sessions', {})).json()) as { id: string };
    const first = await served.send(token, `/v1/sessions/${id}/events`);
    const second = await served.send(token, `/v1/sessions/${id}/events`);
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10']);
    await first.body!.cancel();
    await expect
      .poll(async () => (await served.send(token, `/v1/sessions/${id}/events?follow=false`)).status)
      .toBe(200);
  });
});
