import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Question } from '@bae/client';
import { approvalPolicy } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { readEvents, serveNotes, temporaryFolder, type ServedNotes } from '../../test/serve-scripted.ts';
import { limitEffects } from './work-on.ts';

const writesOnce = (messages: readonly { text: string }[]): string =>
  messages.at(-1)!.text.includes('[Tool output') ? 'Done.' : '<add:milk>';

/** A session whose model wants to write, and the question about it. */
async function askToWrite(served: ServedNotes, token: string) {
  const { id } = (await (await served.send(token, '/v1/sessions', {})).json()) as { id: string };
  await served.send(token, `/v1/sessions/${id}/prompts`, { text: 'Note milk' });
  const events = await readEvents(
    await served.send(token, `/v1/sessions/${id}/events`),
    ({ type }) => type === 'question',
  );
  return { id, question: events.at(-1)!.data['question'] as Question & { type: 'approval' } };
}

async function untilDone(served: ServedNotes, token: string, id: string) {
  return readEvents(await served.send(token, `/v1/sessions/${id}/events`), ({ type }) => type === 'prompt-end');
}

describe('consent', () => {
  it('is given by a token with the right, for the change that was shown, and once', async () => {
    const served = await serveNotes({ script: writesOnce });
    const worker = await served.addToken('worker');
    const lead = await served.addToken('lead', { may: ['approve'], sessionsOf: ['worker'] });
    const stranger = await served.addToken('stranger', { may: ['approve'] });
    const { id, question } = await askToWrite(served, worker);
    const path = `/v1/sessions/${id}/questions/${question.id}`;
    expect(question).toMatchObject({ type: 'approval', tool: 'add', effect: 'write' });
    const reply = { decision: 'allow', hash: question.hash };
    const status = async (token: string, body: object) => (await served.send(token, path, body)).status;
    expect(await status(worker, reply)).toBe(403);
    expect(await status(stranger, reply)).toBe(404);
    expect(await status(lead, { ...reply, hash: '0'.repeat(64) })).toBe(409);
    expect(await status(lead, { answers: {} })).toBe(400);
    expect(served.notes).toEqual([]);
    expect(await status(lead, reply)).toBe(200);
    await untilDone(served, worker, id);
    expect(await status(lead, reply)).toBe(409);
    expect(served.notes).toEqual(['milk']);
    expect((await served.store.readAudit(10)).map(({ by, what, detail }) => [by, what, detail])).toContainEqual([
      'lead',
      'allow',
      `<add:milk> sha256:${question.hash}`,
    ]);
  });

  it('is in no way given for an effect that the session has no right to', async () => {
    const request = { session: 's', space: 'home', tool: 'mail', tag: '<mail:x>', args: {}, target: 'x' } as const;
    const limited = limitEffects({ may: ['read', 'write'] }, approvalPolicy({ otherwise: 'allow' }));
    const ask = async (effect: 'write' | 'external') => [
      limited.decide?.({ ...request, effect })?.allow,
      (await limited.approve({ ...request, effect }, new AbortController().signal)).allow,
      limited.deny?.({ ...request, effect })?.allow,
    ];
    expect(await ask('external')).toEqual([false, false, false]);
    expect(await ask('write')).toEqual([true, true, undefined]);
  });

  it('is refused with the reason for the model', async () => {
    const seen: string[] = [];
    const served = await serveNotes({
      script: (messages) => {
        seen.push(messages.at(-1)!.text);
        return writesOnce(messages);
      },
    });
    const token = await served.addToken('worker', { may: ['read', 'write', 'approve'] });
    const { id, question } = await askToWrite(served, token);
    const reply = { decision: 'deny', hash: question.hash, because: 'Buy no milk.' };
    await served.send(token, `/v1/sessions/${id}/questions/${question.id}`, reply);
    await untilDone(served, token, id);
    expect(served.notes).toEqual([]);
    expect(seen.at(-1)).toContain('Buy no milk.');
  });

  it('is not asked for what a session may not do', async () => {
    const served = await serveNotes({ script: writesOnce });
    const token = await served.addToken('reader', { may: ['read'] });
    const id = await served.ask(token, 'Note milk');
    const events = (await served.store.readEvents(id, 0, 100)).map(({ event }) => event);
    expect(events.some(({ type }) => type === 'question')).toBe(false);
    expect(events.find((event) => event.type === 'call-end')).toMatchObject({
      ok: false,
      text: expect.stringContaining("this session may read, and the call has the effect 'write'"),
    });
    expect(served.notes).toEqual([]);
  });

  it('counts as refused when nobody replies in time', async () => {
    const served = await serveNotes({ script: writesOnce, replyMs: 1 });
    const token = await served.addToken('worker');
    const id = await served.ask(token, 'Note milk');
    const events = (await served.store.readEvents(id, 0, 100)).map(({ event }) => event);
    expect(events.find(({ type }) => type === 'question-end')).toMatchObject({ decision: 'none' });
    expect(served.notes).toEqual([]);
  });
});

describe('a budget', () => {
  const readsForever = (): string => '<R:all>';

  it('ends a turn when its calls are used up, and refuses the next prompt', async () => {
    const served = await serveNotes({ script: readsForever });
    const token = await served.addToken('shop');
    const id = await served.ask(token, 'Read on', { budget: { calls: 3 } });
    const ends = async () =>
      (await served.store.readEvents(id, 0, 1000)).flatMap(({ event }) =>
        event.type === 'budget-reached' || event.type === 'prompt-end' ? [event] : [],
      );
    expect(await ends()).toMatchObject([
      { type: 'budget-reached', of: 'session', limit: 'calls', most: 3, spent: 3 },
      { type: 'prompt-end', outcome: 'limit' },
    ]);
    await served.send(token, `/v1/sessions/${id}/prompts`, { text: 'More' });
    await expect.poll(async () => (await ends()).length).toBe(4);
    expect((await ends()).at(-1)).toMatchObject({ outcome: 'limit' });
    expect(await served.store.readSession(id)).toMatchObject({ spent: { calls: 3 } });
  });

  it.each([{ tokens: 1000 }, { dollars: 0.001 }])('of %o ends a turn, and says so', async (budget) => {
    const served = await serveNotes({ script: () => sleep(5, '<R:all>') });
    const token = await served.addToken('shop');
    const id = await served.ask(token, 'Read on', { budget });
    const events = (await served.store.readEvents(id, 0, 10_000)).map(({ event }) => event);
    const [[limit, most]] = Object.entries(budget) as [[string, number]];
    expect(events.slice(-3)).toMatchObject([
      { type: 'turn-end', outcome: 'limit' },
      { type: 'budget-reached', of: 'session', limit, most },
      { type: 'prompt-end', outcome: 'limit' },
    ]);
    // What was begun has ended, and all of it is counted.
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect(count('call-end')).toBe(count('call-start'));
    const { spent } = (await served.store.readSession(id))!;
    expect(spent[limit as keyof typeof spent]).toBeGreaterThanOrEqual(most);
  });

  it('of minutes stops a model that is still speaking, and says so', async () => {
    const served = await serveNotes({ script: () => sleep(600_000, 'never', { ref: false }) });
    const token = await served.addToken('shop');
    const id = await served.ask(token, 'Go on', { budget: { minutes: 0.001 } });
    const events = (await served.store.readEvents(id, 0, 100)).map(({ event }) => event);
    expect(events.slice(-2)).toMatchObject([
      { type: 'budget-reached', of: 'session', limit: 'minutes', most: 0.001 },
      { type: 'prompt-end', outcome: 'limit' },
    ]);
    const { spent } = (await served.store.readSession(id))!;
    expect(spent.minutes).toBeGreaterThan(0.0009);
    // What was sent is estimated.
    expect(spent.tokens).toBeGreaterThan(100);
  });

  it('of minutes leaves out the time in which it waits for a person', async () => {
    const served = await serveNotes({ script: writesOnce });
    const token = await served.addToken('shop', { may: ['read', 'write', 'approve'], budget: { minutes: 0.02 } });
    const { id, question } = await askToWrite(served, token);
    await sleep(1500);
    const reply = { decision: 'allow', hash: question.hash };
    await served.send(token, `/v1/sessions/${id}/questions/${question.id}`, reply);
    const events = await untilDone(served, token, id);
    expect(events.at(-1)?.data).toMatchObject({ outcome: 'answered' });
  });

  it('of a token is shared by its sessions', async () => {
    const served = await serveNotes({ script: readsForever });
    const token = await served.addToken('shop', { budget: { calls: 4 } });
    const ids = await Promise.all([served.ask(token, 'One'), served.ask(token, 'Two')]);
    const spent = await Promise.all(ids.map(async (id) => (await served.store.readSession(id))!.spent.calls));
    // Each of the two may have one call on its way when the last one is used up.
    expect(spent[0]! + spent[1]!).toBeGreaterThanOrEqual(4);
    expect(spent[0]! + spent[1]!).toBeLessThanOrEqual(6);
    const third = await served.ask(token, 'Three');
    expect((await served.store.readSession(third))!.spent.calls).toBe(0);
  });

  it('cannot be made larger than that of the token', async () => {
    const served = await serveNotes({ script: readsForever });
    const token = await served.addToken('shop', { budget: { calls: 4 } });
    expect((await served.send(token, '/v1/sessions', { budget: { calls: 5 } })).status).toBe(403);
    expect((await served.send(token, '/v1/sessions', { budget: { calls: 4 } })).status).toBe(201);
  });
});

describe('a worker that ends', () => {
  it('leaves its prompt to the next one, which goes on after the calls that ran', async () => {
    const folder = temporaryFolder();
    let isFirst = true;
    const seen: string[] = [];
    const script = async (messages: readonly { text: string }[]): Promise<string> => {
      seen.push(messages.at(-1)!.text);
      if (!messages.at(-1)!.text.includes('[Tool output') && isFirst) return '<R:all>';
      return isFirst ? sleep(600_000, 'never', { ref: false }) : 'Two notes.';
    };
    const first = await serveNotes({ script, folder });
    const token = await first.addToken('shop');
    const { id } = (await (await first.send(token, '/v1/sessions', {})).json()) as { id: string };
    await first.send(token, `/v1/sessions/${id}/prompts`, { text: 'How many?' });
    await readEvents(await first.send(token, `/v1/sessions/${id}/events`), ({ type }) => type === 'call-end');
    await first.work.drain(new AbortController().signal);
    expect(await first.store.listUnfinished()).toEqual([id]);
    isFirst = false;
    const second = await serveNotes({ script, folder });
    await second.work.resume();
    const events = await untilDone(second, token, id);
    expect(events.at(-1)?.data).toMatchObject({ outcome: 'answered' });
    expect(events.filter(({ type }) => type === 'call-start')).toHaveLength(1);
    expect(seen.at(-1)).toContain('Go on with what you were asked before.');
  });

  it('closes the question that nobody waits for any more', async () => {
    const folder = temporaryFolder();
    const first = await serveNotes({ script: writesOnce, folder });
    const token = await first.addToken('shop', { may: ['read', 'write', 'approve'] });
    const { id, question } = await askToWrite(first, token);
    await first.work.drain(AbortSignal.abort());
    const second = await serveNotes({ script: writesOnce, folder });
    await second.work.resume();
    const path = `/v1/sessions/${id}/questions`;
    await expect
      .poll(async () => ((await (await second.send(token, path)).json()) as { questions: Question[] }).questions.length)
      .toBe(1);
    const { questions } = (await (await second.send(token, path)).json()) as { questions: Question[] };
    expect(questions[0]!.id).not.toBe(question.id);
    const reply = { decision: 'allow', hash: question.hash };
    expect((await second.send(token, `${path}/${question.id}`, reply)).status).toBe(409);
    expect((await second.send(token, `${path}/${questions[0]!.id}`, reply)).status).toBe(200);
    await untilDone(second, token, id);
    expect(second.notes).toEqual(['milk']);
  });

  it.each([['allow' as const], [undefined]])(
    'by a kill has its question closed by the next one, even with the reply %s that it never read',
    async (decision) => {
      const served = await serveNotes({ script: () => 'Without it.' });
      const token = await served.addToken('shop', { may: ['read', 'write', 'approve'] });
      const { id } = (await (await served.send(token, '/v1/sessions', {})).json()) as { id: string };
      const { store } = served;
      await store.addPrompt(id, { text: 'Note milk' });
      const { epoch } = (await store.takePrompt(id))!;
      const question: Question = {
        id: randomUUID(),
        type: 'question',
        space: 's',
        tool: 't',
        text: 'Really?',
        fields: {},
      };
      await store.addQuestion(id, question);
      await store.append(id, { type: 'question', question, label: '1', turn: 1 }, epoch);
      if (decision !== undefined) await store.addReply(question.id, { decision, hash: '' }, 'shop');
      await served.work.resume();
      const events = await untilDone(served, token, id);
      expect(events.find(({ type }) => type === 'question-end')?.data).toMatchObject({
        question: question.id,
        decision: 'none',
      });
      const late = await served.send(token, `/v1/sessions/${id}/questions/${question.id}`, { answers: null });
      expect([late.status, await late.text()]).toEqual([
        409,
        expect.stringContaining(decision === undefined ? 'its worker ended' : 'already has a reply'),
      ]);
    },
  );
});
