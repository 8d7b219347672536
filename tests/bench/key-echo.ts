import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mediansInTurn, timeOf, type Measurement } from './measure.ts';

const CLI = join(import.meta.dirname, '../../apps/cli/bin/bae.mjs');
/** The tool that gives a program a real terminal. */
const PSEUDO_TERMINAL = 'script';
const PIECES_PER_SECOND = 5000;
const KEYS = 60;
const ROUNDS = 10;
/** Cyrillic letters, which occur nowhere else on the screen: each press has a letter that was not shown before. */
const FIRST_LETTER = 0x400;
const [CTRL_C, CTRL_D, CTRL_U, ESCAPE] = ['\u0003', '\u0004', '\u0015', '\u001B'];

/** What is typed, and floods the screen from then on. */
const FLOODS = {
  nothing: '',
  'a model': 'flood\r',
  'a run block': '/code for (let n = 0; n < 1e6; n++) await read("a.ts")\r',
  'a command': '!while :; do seq 1 400; sleep 0.05; done\r',
} as const;

/** The prompt comes soon, and keys appear at once, whatever floods the screen; the times are for comparison only. */
export async function keyEcho(): Promise<readonly Measurement[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-keys-')));
  writeFileSync(join(folder, 'a.ts'), 'export const a = 1;\n');
  const model = await openFloodingModel();
  const open = () => openShell(folder, model.url);
  try {
    const measurements: Measurement[] = [];
    for (const [name, typed] of Object.entries(FLOODS)) {
      const times = await measureKeys(await open(), typed);
      const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
      for (const [part, value] of [
        ['median', at(0.5)],
        ['p99', at(0.99)],
      ] as const)
        measurements.push({ name: `${part} of a key while ${name} floods`, value, unit: 'ms', limit: { atMost: 500 } });
    }
    const starts = await mediansInTurn(
      {
        bae: async () => {
          const shell = await open();
          await shell.close();
          return shell.startMs;
        },
        node: () => timeOf(() => once(spawn(process.execPath, ['-e', '0']), 'close')),
      },
      ROUNDS,
    );
    measurements.push(
      { name: 'start of the shell to its prompt', value: starts.bae, unit: 'ms', limit: { atMost: 2000 } },
      { name: 'prompt of the shell ÷ node -e 0', value: starts.bae / starts.node, unit: 'x', limit: { atMost: 5 } },
    );
    return measurements;
  } finally {
    model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A model that never ends its response. */
async function openFloodingModel() {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const began = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      const due = ((performance.now() - began) / 1000) * PIECES_PER_SECOND;
      let text = '';
      for (; sent < due; sent++) text += writePiece(sent % 40 === 39 ? 'and\n\n' : `word${sent} `);
      response.write(text);
    }, 2);
    response.on('close', () => clearInterval(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close };
}

function writePiece(content: string): string {
  const choices = [{ index: 0, delta: { content } }];
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`;
}

/** Starts the shell at a real terminal, and waits for its prompt. */
async function openShell(folder: string, url: string) {
  const options = `--model openai-compatible/m --base-url ${url} --allow-commands --yes`;
  const run = `stty cols 100 rows 30; exec '${process.execPath}' '${CLI}' ${options}`;
  const began = performance.now();
  const child = spawn(PSEUDO_TERMINAL, ['-qec', run, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'xterm-256color', OLLAMA_HOST: 'http://127.0.0.1:9' },
  });
  child.stdout.setEncoding('utf8');
  await untilShown(child, 'home>');
  const startMs = performance.now() - began;
  return {
    startMs,
    child,
    close: async () => {
      const closed = once(child, 'close');
      for (const key of [ESCAPE, CTRL_C, `${CTRL_U}${CTRL_D}`]) {
        child.stdin.write(key);
        // A lone Escape is one only when nothing follows it for a moment.
        await sleep(100);
      }
      child.kill();
      await closed;
    },
  };
}

/** Resolves when the terminal shows a text that it has not shown before. */
function untilShown({ stdout }: Pick<ChildProcessWithoutNullStreams, 'stdout'>, text: string): Promise<void> {
  return new Promise((resolve) => {
    let before = '';
    const look = (piece: string): void => {
      before = (before + piece).slice(-1000 - piece.length);
      if (!before.includes(text)) return;
      stdout.off('data', look);
      resolve();
    };
    stdout.on('data', look);
  });
}

/** Milliseconds from each press to its echo, in ascending order. */
async function measureKeys({ child, close }: Awaited<ReturnType<typeof openShell>>, typed: string) {
  child.stdin.write(typed);
  await sleep(1500);
  const times: number[] = [];
  for (let key = 0; key < KEYS; key++) {
    const letter = String.fromCharCode(FIRST_LETTER + key);
    const shown = untilShown(child, letter);
    times.push(
      await timeOf(() => {
        child.stdin.write(letter);
        return shown;
      }),
    );
    // What was typed stays short.
    child.stdin.write(CTRL_U);
    await sleep(25 + (key % 10) * 5);
  }
  await close();
  return times.toSorted((a, b) => a - b);
}
