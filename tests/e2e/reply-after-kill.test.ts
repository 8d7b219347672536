import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type Question } from '@bae/client';
import { startTestServer } from '@bae/store-postgres/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OPENAI_FORMAT } from '../wire/openai-format.ts';
import { WireServer } from '../wire/wire-server.ts';
import { launcher, runBae } from './run-bae.ts';

const CONFIG = fileURLToPath(new URL('fixtures/greeter.config.js', import.meta.url));
const WRITE = '<W:note.txt>\nmilk\n</W>';
const GREET = '<greeter.greet:Hello>';

type Env = Readonly<Record<string, string>>;

/** Starts the program, and waits for the first line that it prints as JSON. */
async function start(args: readonly string[], env: Env) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [launcher, ...args, '--json'], {
    env: { PATH, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { child, said: JSON.parse(line) as { readonly url?: string } };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A server with one worker, of which the worker can be killed and replaced; with files, both are one process. */
async function serveWithWorker(kind: 'files' | 'PostgreSQL', model: WireServer) {
  const folder = mkdtempSync(join(tmpdir(), 'bae-reply-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = kind === 'files' ? undefined : await startTestServer();
  onTestFinished(async () => database?.end());
  const env: Env = {
    BAE_HOME: join(folder, '.home'),
    OPENAI_API_KEY: 'secret',
    ...(database && { BAE_DATABASE: await database.createDatabase(), BAE_DATABASE_KEY: 'k'.repeat(32) }),
  };
  const rights = ['--folders', 'shop', '--may', 'read,write,approve'];
  const { stdout } = await runBae(['serve', 'token', 'create', 'ci', ...rights, '--json'], { env });
  const { token } = JSON.parse(stdout) as { token: string };
  const wire = ['--model', 'openai-compatible/wire', '--base-url', model.url];
  const own = ['--folders', `shop=${folder}`, '--config', CONFIG, ...wire];
  const serve = () => start(['serve', '--port', '0', ...own], env);
  let server = await serve();
  let worker = database === undefined ? server : await start(['worker', ...own], env);
  const connect = () => new Client({ url: server.said.url!, token });
  return {
    folder,
    connect,
    killWorker: () => kill(worker.child),
    async startWorker() {
      worker = database === undefined ? await serve() : await start(['worker', ...own], env);
      if (database === undefined) server = worker;
    },
    /** Nobody else can be asked for anything while the only process is away. */
    isServedWithoutWorker: database !== undefined,
  };
}

describe.each(['files', 'PostgreSQL'] as const)('a reply to a worker that was killed, with %s', (kind) => {
  it.each([
    ['consent', WRITE, 'Written.'],
    ['an answer', GREET, 'Greeted.'],
  ])('reaches the next one: %s', { timeout: 90_000 }, async (what, call, answer) => {
    await using model = await WireServer.start(OPENAI_FORMAT, [call, call, answer]);
    const served = await serveWithWorker(kind, model);
    const client = served.connect();
    const { id } = await client.createSession({ workspace: { type: 'folder', name: 'shop' } });
    await client.addPrompt(id, 'Do it');
    let asked: Question | undefined;
    for await (const { event } of client.follow(id)) {
      if (event.type !== 'question') continue;
      asked = event.question;
      break;
    }
    const question = asked!;
    const reply = () =>
      served
        .connect()
        .reply(
          id,
          question.id,
          question.type === 'approval' ? { decision: 'allow', hash: question.hash } : { answers: { name: 'Ada' } },
        );
    await served.killWorker();
    if (served.isServedWithoutWorker) await reply();
    await served.startWorker();
    if (!served.isServedWithoutWorker) await reply();
    const events = [];
    for await (const { event } of served.connect().follow(id)) {
      events.push(event);
      if (event.type === 'prompt-end') break;
    }
    expect(events.at(-1)).toMatchObject({ outcome: 'answered' });
    const about = events.flatMap((event) => {
      if (event.type === 'question') return [[event.question.id]];
      return event.type === 'question-end' ? [[event.question, event.decision]] : [];
    });
    expect(about).toEqual([[question.id], [question.id, what === 'consent' ? 'allow' : 'answered']]);
    if (what === 'consent') expect(readFileSync(join(served.folder, 'note.txt'), 'utf8')).toBe('milk\n');
    else expect(model.requests.at(-1)!.messages.at(-1)!.text).toContain('Hello Ada');
    expect(model.requests).toHaveLength(3);
  });
});
