import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asModelText, createAgent, type RunOptions } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { Sandbox } from '@bae/sandbox';
import { provideWorkspace } from '@bae/workspace';
import { mediansInTurn, timeOf, type Measurement } from './measure.ts';

const ROUNDS = 15;
const CALLS = 1000;
const FILES = 200;

const CALL_OFTEN = `for (let i = 0; i < ${CALLS}; i++) await read('x')`;
const COUNT_LINES = `let lines = 0
for (let i = 0; i < ${FILES}; i++) lines += (await read('file-' + i + '.txt')).split('\\n').length
lines`;

const answerAtOnce = async (): Promise<string> => 'x';

/** Code in the sandbox costs little more than what it does: beginning, calling tools, reading files. */
export async function runBlockSpeed(): Promise<readonly Measurement[]> {
  await using sandbox = new Sandbox();
  const folder = manyLines();
  try {
    return [await start(sandbox), await calls(sandbox), await files(sandbox, folder)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The first block of a session costs little more than the second, once the sandbox is warm. */
async function start(sandbox: Sandbox): Promise<Measurement> {
  let session = 0;
  const first = async (): Promise<number> => {
    await sandbox.warm();
    return timeOf(() => block(sandbox, `start-${++session}`, { code: '1 + 1', text: answerAtOnce }));
  };
  const second = async (): Promise<number> => {
    const ms = await timeOf(() => block(sandbox, `start-${session}`, { code: '1 + 1', text: answerAtOnce }));
    await sandbox.forget(`start-${session}`);
    return ms;
  };
  const medians = await mediansInTurn({ first, second }, ROUNDS);
  const value = medians.first - medians.second;
  return { name: 'first block of a session beyond the second', value, unit: 'ms', limit: { atMost: 20 } };
}

async function calls(sandbox: Sandbox): Promise<Measurement> {
  const medians = await mediansInTurn(
    {
      block: () => timeOf(() => block(sandbox, 'calls', { code: CALL_OFTEN, text: answerAtOnce })),
      direct: () =>
        timeOf(async () => {
          for (let call = 0; call < CALLS; call++) await answerAtOnce();
        }),
    },
    ROUNDS,
  );
  const value = (medians.block - medians.direct) / CALLS;
  return { name: 'a call from a block beyond the call itself', value, unit: 'ms', limit: { atMost: 0.3 } };
}

/** Through everything that a real agent has: router, events, containment. */
async function files(sandbox: Sandbox, folder: string): Promise<Measurement> {
  const agent = createAgent({ home: FilesystemSpace, provide: [provideWorkspace(folder)], codeRunner: sandbox });
  const medians = await mediansInTurn(
    {
      block: () => timeOf(() => agent.run(asModelText(`<run>\n${COUNT_LINES}\n</run>`))),
      loop: () =>
        timeOf(async () => {
          let lines = 0;
          for (let file = 0; file < FILES; file++) {
            lines += (await readFile(join(folder, `file-${file}.txt`), 'utf8')).split('\n').length;
          }
          return lines;
        }),
    },
    ROUNDS,
  );
  await agent.close();
  const value = medians.block / medians.loop;
  return { name: 'a block that reads 200 files ÷ the same loop in Node', value, unit: 'x', limit: { atMost: 3 } };
}

interface Code {
  readonly code: string;
  /** What the tool `read` answers. */
  readonly text: (target: string) => Promise<string>;
}

async function block(sandbox: Sandbox, session: string, { code, text }: Code): Promise<void> {
  const options: RunOptions = {
    signal: new AbortController().signal,
    session,
    scope: () => ({ tools: [{ name: 'read', params: [{ name: 'target', type: 'string' }] }], spaces: [] }),
    dispatch: async ({ arg }) => ({ ok: true, text: await text(arg), space: 'home', ran: true, lines: 1, ms: 0 }),
  };
  const { ok, output } = await sandbox.run(code, options);
  if (!ok) throw new Error(output);
}

function manyLines(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bae-bench-'));
  for (let file = 0; file < FILES; file++) {
    writeFileSync(join(folder, `file-${file}.txt`), `a line of file ${file}\n`.repeat(100));
  }
  return folder;
}
