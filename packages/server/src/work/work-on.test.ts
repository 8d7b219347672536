import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Question } from '@bae/client';
import { approvalPolicy } from '@bae/core';
import { describe, expect, it } from 'vitest';
import {
  readEvents,
  serveNotes,
  temporaryFolder,
  type ReadEvent,
  type Script,
  type ServedNotes,
} from '../../test/serve-scripted.ts';
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

it('tells clients of an accident in a tool, without the stack trace', async () => {
  const read = (messages: readonly { text: string }[]): string =>
    messages.at(-1)!.text.includes('[Tool output') ? 'Done.' : '<R:broken>';
  const served = await serveNotes({ script: read });
  const token = await served.addToken('worker');
  const { id } = (await (await served.send(token, '/v1/sessions', {})).json()) as { id: string };
  await served.send(token, `/v1/sessions/${id}/prompts`, { text: 'Read it' });
  const ends = (await untilDone(served, token, id)).filter(({ type }) => type === 'call-end');
  expect(ends.map(({ data }) => data)).toMatchObject([{ ok: false, text: 'TypeError: this note is broken' }]);
  expect(ends[0]!.data).not.toHaveProperty('stack');
});

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

  it('of minutes leaves out the time in which it waits for a person', { tags: ['long'] }, async () => {
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

  it('leaves its question to the next one, which waits for the reply to it', async () => {
    const folder = temporaryFolder();
    const seen: string[] = [];
    const script: Script = (messages) => {
      seen.push(messages.at(-1)!.text);
      return writesOnce(messages);
    };
    const first = await serveNotes({ script, folder });
    const token = await first.addToken('shop', { may: ['read', 'write', 'approve'] });
    const { id, question } = await askToWrite(first, token);
    // A call that waits for a person does not keep the worker.
    await first.work.drain(new AbortController().signal);
    const path = `/v1/sessions/${id}/questions`;
    expect(await (await first.send(token, path)).json()).toEqual({ questions: [question] });
    const second = await serveNotes({ script, folder });
    await second.work.resume();
    await expect.poll(async () => (await second.store.readSession(id))!.state).toBe('waiting');
    expect(await (await second.send(token, path)).json()).toEqual({ questions: [question] });
    const reply = { decision: 'allow', hash: question.hash };
    expect((await second.send(token, `${path}/${question.id}`, reply)).status).toBe(200);
    const events = await untilDone(second, token, id);
    expect(listQuestions(events)).toEqual([
      ['question', question.id],
      ['question-end', question.id, 'allow'],
    ]);
    expect(second.notes).toEqual(['milk']);
    expect(seen.find((text) => text.includes('Go on'))).toContain(
      '<add:milk> was waiting for a person. Call it again in the same words: the reply counts',
    );
  });

  it('of which the prompt is cancelled while it is away has its question closed', async () => {
    const folder = temporaryFolder();
    const first = await serveNotes({ script: writesOnce, folder });
    const token = await first.addToken('shop', { may: ['read', 'write', 'approve'] });
    const { id, question } = await askToWrite(first, token);
    await first.work.drain(new AbortController().signal);
    const second = await serveNotes({ script: writesOnce, folder });
    await second.send(token, `/v1/sessions/${id}/cancel`, {});
    const events = await untilDone(second, token, id);
    expect(listQuestions(events).at(-1)).toEqual(['question-end', question.id, 'none']);
    expect(events.at(-1)?.data).toMatchObject({ outcome: 'aborted' });
    const reply = { decision: 'allow', hash: question.hash };
    expect((await second.send(token, `/v1/sessions/${id}/questions/${question.id}`, reply)).status).toBe(409);
    expect(second.notes).toEqual([]);
  });

  describe('by a kill, after it asked', () => {
    /** A session whose worker died while it waited, as its tables and its log have it. */
    async function askAndDie(script: Script, change: Partial<Question> = {}) {
      const served = await serveNotes({ script });
      const token = await served.addToken('shop', { may: ['read', 'write', 'approve'] });
      // What the same question would be is seen in another session.
      const { question: model } = await askToWrite(served, token);
      const { id } = (await (await served.send(token, '/v1/sessions', {})).json()) as { id: string };
      const { store } = served;
      await store.addPrompt(id, { text: 'Note milk' });
      const { epoch } = (await store.takePrompt(id))!;
      const { log } = await store.openLog(id, epoch);
      const about = { label: '1', turn: 1 } as const;
      await log.append({ ...about, type: 'turn-start', prompt: 'Note milk' });
      const question = { ...model, ...change, id: randomUUID() } as Question & { type: 'approval' };
      await store.addQuestion(id, question);
      await store.append(id, { ...about, type: 'question', question }, epoch);
      const reply = (body: object) => served.send(token, `/v1/sessions/${id}/questions/${question.id}`, body);
      return { served, token, id, question, reply };
    }

    it.each(['allow', 'deny'] as const)('has the reply %s taken by the next one', async (decision) => {
      const { served, token, id, question, reply } = await askAndDie(writesOnce);
      expect((await reply({ decision, hash: question.hash })).status).toBe(200);
      await served.work.resume();
      const events = await untilDone(served, token, id);
      expect(listQuestions(events)).toEqual([
        ['question', question.id],
        ['question-end', question.id, decision],
      ]);
      expect(served.notes).toEqual(decision === 'allow' ? ['milk'] : []);
      expect((await reply({ decision, hash: question.hash })).status).toBe(409);
    });

    it('has no reply taken for another change than the one that was shown', async () => {
      const change = { change: 'less', hash: '0'.repeat(64) };
      const { served, token, id, question, reply } = await askAndDie(writesOnce, change);
      expect((await reply({ decision: 'allow', hash: question.hash })).status).toBe(200);
      await served.work.resume();
      await expect.poll(async () => (await served.store.listQuestions(id)).length).toBe(1);
      const [asked] = (await served.store.listQuestions(id)) as [Question & { type: 'approval' }];
      expect([asked.change === 'less', served.notes]).toEqual([false, []]);
      const path = `/v1/sessions/${id}/questions/${asked.id}`;
      await served.send(token, path, { decision: 'deny', hash: asked.hash });
      expect(listQuestions(await untilDone(served, token, id))).toEqual([
        ['question', question.id],
        ['question', asked.id],
        ['question-end', asked.id, 'deny'],
        ['question-end', question.id, 'none'],
      ]);
      expect(served.notes).toEqual([]);
    });

    it('has its question closed when the model goes on without it', async () => {
      const script: Script = (messages) =>
        messages.at(-1)!.text.includes('Go on') ? 'Without it.' : writesOnce(messages);
      const { served, token, id, question, reply } = await askAndDie(script);
      await served.work.resume();
      expect(listQuestions(await untilDone(served, token, id)).at(-1)).toEqual(['question-end', question.id, 'none']);
      const late = await reply({ decision: 'allow', hash: question.hash });
      expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('went on without it')]);
    });
  });
});

function listQuestions(events: readonly ReadEvent[]) {
  return events.flatMap(({ type, data }) => {
    if (type === 'question') return [[type, (data['question'] as Question).id]];
    return type === 'question-end' ? [[type, data['question'], data['decision']]] : [];
  });
}
