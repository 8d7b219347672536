// @module-tag long

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { scratchFolder } from '../faults/scratch-folder.ts';
import { OPENAI_FORMAT } from '../wire/openai-format.ts';
import type { WireReply } from '../wire/wire-reply.ts';
import { WireServer } from '../wire/wire-server.ts';
import { checkAcpMessages, type AcpMessage } from './acp-messages.ts';
import { launcher } from './run-bae.ts';

/** A client of the protocol that others wrote. */
const CLIENT = join(dirname(createRequire(import.meta.url).resolve('acpx/package.json')), 'dist/cli.js');
const RECORDER = fileURLToPath(new URL('record-lines.mjs', import.meta.url));

/** What happens at last, however slow the machine is. */
const LONG = { timeout: 30_000, interval: 50 };

interface Recorded {
  readonly process: number;
  readonly by: 'client' | 'agent' | 'end';
  readonly line: string;
}

/** What is wrong with the messages of both sides, and how many processes of the agent there were. */
function checkConversation(records: readonly Recorded[]) {
  const messages = records.filter(({ by }) => by !== 'end');
  const processes = Map.groupBy(messages, ({ process }) => process);
  const wrong = Array.from(processes.values(), (own) => {
    const read = (side: Recorded['by']) =>
      own.filter(({ by }) => by === side).map(({ line }) => JSON.parse(line) as AcpMessage);
    return checkAcpMessages({ client: read('client'), agent: read('agent') });
  });
  return { wrong: wrong.flat(), processes: processes.size };
}

/** A folder with a session of bae that the client drives, and a model with these answers. */
async function openClient(script: readonly (string | WireReply)[]) {
  const cwd = scratchFolder({ 'a.txt': 'one\n' });
  const log = join(scratchFolder(), 'messages.jsonl');
  const model = await WireServer.start(OPENAI_FORMAT, script);
  onTestFinished(() => model.close());
  const options = ['--model', 'openai-compatible/wire', '--base-url', model.url];
  const agent = [process.execPath, RECORDER, log, process.execPath, launcher, 'acp', ...options].join(' ');
  const env = { PATH: process.env['PATH'], HOME: scratchFolder(), OLLAMA_HOST: 'http://127.0.0.1:9' };
  /** Runs one command of the client, each in a process of its own; the agent goes on after it. */
  const run = (...args: readonly string[]) =>
    new Promise<string>((resolve) => {
      const words = [CLIENT, '--cwd', cwd, '--agent', agent, ...args];
      execFile(process.execPath, words, { cwd, env }, (_error, out, err) => resolve(out === '' ? err : out));
    });
  const records = (): readonly Recorded[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Recorded)
      : [];
  /** Resolves when every process of the agent has ended. */
  const untilEnded = () =>
    vi.waitUntil(() => {
      const all = records();
      return all.filter(({ by }) => by === 'end').length === new Set(all.map(({ process }) => process)).size;
    }, LONG);
  return { cwd, model, run, records, untilEnded };
}

it(
  'a session with another client: read, edit, consent, refusal, cancellation, and resumption in a new process',
  {
    timeout: 180_000,
  },
  async () => {
    const { cwd, model, run, records, untilEnded } = await openClient([
      'I look.\n<R:a.txt>',
      'It says one.',
      '<E:a.txt:1-1>two</E>',
      'Edited.',
      '<E:a.txt:1-1>three</E>',
      'Not edited.',
      { text: 'I think, and think, and think again.', fault: { kind: 'stall', after: 300 } },
      'We read and edited a.txt.',
    ]);
    const sent = (method: string) => records().filter(({ line }) => line.includes(`"method":"${method}"`));
    const content = () => readFileSync(join(cwd, 'a.txt'), 'utf8');

    expect(await run('sessions', 'new')).toMatch(/^[\da-f-]{36}\n/);

    const answer = await run('--approve-reads', 'prompt', 'What is in a.txt?');
    expect(answer).toContain('<R:a.txt> (completed)');
    expect(answer).toMatch(/It says one\.\s+\[done\] end_turn/);

    expect(await run('--approve-all', 'prompt', 'Write two.')).toMatch(/Edited\.\s+\[done\] end_turn/);
    expect([content(), sent('session/request_permission').length]).toEqual(['two\n', 1]);

    const refused = await run('--deny-all', 'prompt', 'Write three.');
    expect(refused).toContain('ApprovalError: edit was not run: the user said no.');
    expect(refused).toMatch(/Not edited\.\s+\[done\] end_turn/);
    expect([content(), sent('session/request_permission').length]).toEqual(['two\n', 2]);

    const thinking = run('prompt', 'Think.');
    await vi.waitUntil(() => model.requests.length === 7, LONG);
    expect(await run('cancel')).toBe('cancel requested\n');
    expect(await thinking).toContain('[done] cancelled');
    await vi.waitUntil(() => model.abandoned === 1, LONG);

    // Its process ends, as in a crash; the next one takes the session up again.
    const running = records().at(-1)!.process;
    process.kill(running);
    await vi.waitUntil(() => records().some(({ process: id, by }) => id === running && by === 'end'), LONG);
    expect(await run('prompt', 'What did we do?')).toMatch(/We read and edited a\.txt\.\s+\[done\] end_turn/);
    const last = JSON.stringify(model.requests.at(-1)!.messages);
    for (const text of ['What is in a.txt?', 'It says one.', 'The turn before was cancelled by the user.'])
      expect(last).toContain(text);
    await run('sessions', 'close');
    await untilEnded();

    const { wrong, processes } = checkConversation(records());
    expect(wrong).toEqual([]);
    expect(processes).toBeGreaterThanOrEqual(3);
    for (const method of ['session/new', 'session/resume', 'session/cancel', 'session/close'])
      expect(sent(method), method).not.toEqual([]);
  },
);

it('a message that breaks the schema is noticed, of either side', () => {
  const line = (by: 'client' | 'agent', message: object): Recorded => ({
    process: 1,
    by,
    line: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const { wrong } = checkConversation([
    line('client', { id: 1, method: 'session/prompt', params: { sessionId: 'x' } }),
    line('agent', { id: 1, result: { stopReason: 'tired' } }),
  ]);
  expect(wrong).toHaveLength(2);
});
