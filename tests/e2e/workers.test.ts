import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { startTestServer } from '@bae/store-postgres/testing';
import { expect, it, onTestFinished } from 'vitest';
import { OPENAI_FORMAT } from '../wire/openai-format.ts';
import { WireServer } from '../wire/wire-server.ts';
import { launcher, runBae } from './run-bae.ts';

/** Stands for an SDK of OpenTelemetry: writes the numbers of the queue into files. */
const METERS = `
import { writeFileSync } from 'node:fs';
const write = ({ name }, value) => name.startsWith('bae.') && writeFileSync(process.env.QUEUE + name, String(value));
const own = {
  createObservableGauge: (name) => ({ name, addCallback() {} }),
  addBatchObservableCallback: (observe) => setInterval(() => observe({ observe: write }), 50),
};
const instrument = { record() {}, add() {}, addCallback() {} };
const meter = new Proxy(own, { get: (_, method) => own[method] ?? (() => instrument) });
globalThis[Symbol.for('opentelemetry.js.api.1')] = { version: '1.99.0', metrics: { getMeter: () => meter } };`;

/** Starts the program, and waits for its first line, which is JSON. */
async function start<T>(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { PATH = '' } = process.env;
  const child: ChildProcessByStdio<null, Readable, null> = spawn(process.execPath, [launcher, ...args, '--json'], {
    env: { PATH, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { child, said: JSON.parse(line) as T };
}

it('bae serve and bae worker share a database: prompts go through it, and a worker that is to end leaves the rest', async () => {
  const database = await startTestServer();
  onTestFinished(() => database.end());
  const folder = mkdtempSync(join(tmpdir(), 'bae-workers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'hello.txt'), 'hi there\n');
  await using model = await WireServer.start(OPENAI_FORMAT, [
    '<R:hello.txt>',
    'It says hi.',
    'Still hi.',
    '<memory.grep:says>',
    'You asked that before.',
    '<tasks.write:Look again></tasks.write>',
    'It is a task now.',
  ]);
  const env = {
    BAE_HOME: join(folder, '.home'),
    BAE_DATABASE: await database.createDatabase(),
    BAE_DATABASE_KEY: 'k'.repeat(32),
    OPENAI_API_KEY: 'secret',
  };
  const own = ['--folders', `shop=${folder}`, '--model', 'openai-compatible/wire', '--base-url', model.url];
  const made = await runBae(
    ['serve', 'token', 'create', 'ci', '--folders', 'shop', '--may', 'read,write,approve', '--json'],
    {
      env,
    },
  );
  const { token } = JSON.parse(made.stdout) as { token: string };
  const queue = join(folder, 'at.');
  const { said } = await start<{ url: string }>(['serve', '--port', '0', '--telemetry', ...own], {
    ...env,
    QUEUE: queue,
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(METERS)}`,
  });
  const send = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    return fetch(said.url + path, request);
  };
  const createSession = async () => {
    const response = await send('/v1/sessions', { workspace: { type: 'folder', name: 'shop' } });
    return (await response.json()) as { id: string };
  };
  const session = await createSession();
  const ask = async (text: string, { id } = session): Promise<string> => {
    const response = await send(`/v1/sessions/${id}/prompts`, { text });
    return ((await response.json()) as { id: string }).id;
  };
  const finish = async (prompt: string, of = session): Promise<unknown> => {
    const path = `/v1/sessions/${of.id}/prompts/${prompt}`;
    for (;;) {
      const state = (await (await send(path)).json()) as { state: string };
      if (state.state === 'done') return state;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const first = await ask('What does hello.txt say?');
  // The server knows how many sessions wait, though it does no work itself.
  const readQueue = (kind: string) => readFileSync(`${queue}bae.queue.${kind}`, { encoding: 'utf8', flag: 'a+' });
  await expect.poll(() => [readQueue('waiting'), readQueue('running')], { timeout: 60_000 }).toEqual(['1', '0']);
  const worker = await start(['worker', ...own], env);
  expect(await finish(first)).toMatchObject({ outcome: 'answered' });
  worker.child.kill('SIGTERM');
  expect(await once(worker.child, 'exit')).toEqual([143, null]);
  const second = await ask('And now?');
  await start(['worker', ...own], env);
  expect(await finish(second)).toMatchObject({ outcome: 'answered' });
  const events = await (await send(`/v1/sessions/${session.id}/events?follow=false`)).text();
  const seqs = [...events.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(events).toContain('It says hi.');
  expect(events).toContain('Still hi.');
  expect(model.requests).toHaveLength(3);
  expect(model.requests[2]!.messages.map(({ text }) => text).join('\n')).toContain('hi there');

  // What was said there is remembered in the next session of the token in the folder.
  const next = await createSession();
  expect(await finish(await ask('What did I ask?', next), next)).toMatchObject({ outcome: 'answered' });
  expect(
    model.requests
      .at(-1)!
      .messages.map(({ text }) => text)
      .join('\n'),
  ).toContain('ai> It [says] hi.');
  // And tasks are shared by every machine, and by the person.
  const asked = await ask('Make it a task', next);
  const path = `/v1/sessions/${next.id}/questions`;
  let questions: readonly { readonly id: string; readonly hash: string }[] = [];
  while (questions.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    ({ questions } = (await (await send(path)).json()) as { readonly questions: typeof questions });
  }
  const [{ id, hash }] = questions as [(typeof questions)[number]];
  expect((await send(`${path}/${id}`, { decision: 'allow', hash })).status).toBe(200);
  expect(await finish(asked, next)).toMatchObject({ outcome: 'answered' });
  const served = await runBae(['tasks', '--database', env.BAE_DATABASE, '--of', 'shop', '--json'], { env });
  expect(JSON.parse(served.stdout)).toMatchObject({ tasks: [{ id: 1, title: 'Look again' }] });
  expect(existsSync(join(folder, '.bae/tasks.db'))).toBe(false);
});
