// @module-tag long

import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from './postgres.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import { WorkQueue, type SessionWork } from './work-queue.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server?.end());

async function openQueue(url: string): Promise<WorkQueue> {
  const queue = await WorkQueue.open({ url, report: () => undefined });
  onTestFinished(() => queue.close());
  return queue;
}

/** Opens a way to the server. After `silence`, nothing comes back on the connections of until then, which stay open. */
async function openWay(url: string) {
  const { hostname, port } = new URL(url);
  const backwards = new Set<() => void>();
  const way = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far).on('error', () => near.destroy());
    far.pipe(near).on('error', () => far.destroy());
    backwards.add(() => far.unpipe(near).resume());
  });
  way.listen(0, '127.0.0.1');
  await once(way, 'listening');
  onTestFinished(() => void way.close());
  const address = new URL(url);
  address.hostname = '127.0.0.1';
  address.port = String((way.address() as AddressInfo).port);
  const silence = (): void => {
    for (const stop of backwards) stop();
  };
  return { url: address.href, silence };
}

/** Something to wait for, as often as it happens. */
function createSteps() {
  const steps: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    steps,
    add: (step: string) => {
      steps.push(step);
      for (const wake of waiting.splice(0)) wake();
    },
    until: async (count: number) => {
      while (steps.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

describe('a queue of sessions', () => {
  it('gives a session to one worker at a time, and again when a prompt came meanwhile', async () => {
    const url = await server.createDatabase();
    const queues = [await openQueue(url), await openQueue(url)];
    const { steps, add, until } = createSteps();
    let now = 0;
    let most = 0;
    const gate = Promise.withResolvers<void>();
    const work: SessionWork = async (session) => {
      most = Math.max(most, ++now);
      add(session);
      await gate.promise;
      now--;
    };
    for (const queue of queues) await queue.work({ work, most: 3 });
    await queues[0]!.dispatch('a');
    await until(1);
    // While it is worked on: one more turn, however often it is said.
    for (const queue of [...queues, ...queues]) await queue.dispatch('a');
    await queues[1]!.dispatch('b');
    await until(2);
    expect(steps).toEqual(['a', 'b']);
    gate.resolve();
    await until(3);
    expect(steps).toEqual(['a', 'b', 'a']);
    expect(most).toBe(2);
  });

  it('works on when the answers of the server no longer arrive, and ends', async () => {
    const url = await server.createDatabase();
    const sending = await openQueue(url);
    const way = await openWay(url);
    const queue = await WorkQueue.open({ url: way.url, report: () => undefined, queryMs: 3000 });
    const { add, until } = createSteps();
    await queue.work({ most: 8, work: async (session) => add(session) });
    await sending.dispatch('a');
    await until(1);
    way.silence();
    await sending.dispatch('b');
    await until(2);
    way.silence();
    await queue.close();
  });

  it('gives a session on when the work on it failed', async () => {
    const queue = await openQueue(await server.createDatabase());
    const { add, until, steps } = createSteps();
    await queue.work({
      most: 1,
      work: async (session) => {
        add(session);
        if (steps.length === 1) throw new Error('the connection broke');
      },
    });
    await queue.dispatch('a');
    await until(2);
  });

  it('hands a session over when its worker is to end: the call that runs comes to its end, and another goes on', async () => {
    const url = await server.createDatabase();
    const [leaving, staying] = [await openQueue(url), await openQueue(url)];
    const { steps, add, until } = createSteps();
    await leaving.work({
      most: 2,
      work: async (_, { drain }) => {
        add('leaving');
        await new Promise((resolve) => drain.addEventListener('abort', resolve));
        add('handed over');
      },
    });
    await leaving.dispatch('a');
    await until(1);
    await staying.work({ most: 2, work: async () => add('staying') });
    await leaving.drain(new AbortController().signal);
    await until(3);
    expect(steps).toEqual(['leaving', 'handed over', 'staying']);
  });
});

describe('notifications', () => {
  it('wake the watchers of a session in every process when an event is committed, and carry what is not kept', async () => {
    const url = await server.createDatabase();
    const [one, other] = [await openPostgres({ url }), await openPostgres({ url })];
    onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
    const id = await one.sessions.createSession();
    const { steps, add, until } = createSteps();
    const unwatch = other.notifications.watch(id, (live) => add(JSON.stringify(live ?? 'look')));
    // Once it listens, everybody is woken.
    await until(1);
    await one.sessions.append(id, { type: 'x' });
    await until(2);
    one.notifications.notify(id, { text: 'ü' });
    await until(3);
    one.notifications.notify(id, { text: 'too long'.repeat(1000) });
    one.notifications.notify('another session');
    one.notifications.notify(id);
    await until(4);
    expect(steps).toEqual(['"look"', '"look"', '{"text":"ü"}', '"look"']);
    unwatch();
    one.notifications.notify(id);
    const again = createSteps();
    other.notifications.watch(id, () => again.add('look'));
    one.notifications.notify(id);
    await again.until(1);
    expect(steps).toHaveLength(4);
  });

  it('come again after the server started again', async () => {
    const postgres = await openPostgres({ url: await server.createDatabase() });
    onTestFinished(() => postgres.close());
    const id = await postgres.sessions.createSession();
    const { add, until } = createSteps();
    postgres.notifications.watch(id, () => add('look'));
    await until(1);
    await server.restart();
    await until(2);
    await postgres.sessions.append(id, { type: 'x' });
    await until(3);
  });
});
