import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import xterm from '@xterm/headless';
import { event, serveModel } from './model-server.ts';
import { PSEUDO_TERMINAL } from './open-terminal.ts';
import { LAUNCHER } from './run-bae.ts';

type Size = readonly [columns: number, rows: number];

export type SharedScreen = Awaited<ReturnType<typeof openSharedScreen>>;

const CTRL_L = '\u000C';

/**
 * Starts the built bae once at a real terminal, in a folder with some files, for many tests.
 *
 * @param sizes of the terminal; with several of them it is resized before each key
 */
export async function openSharedScreen(sizes: readonly Size[]) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'bae-screen-')));
  const [cols, rows] = sizes[0]!;
  mkdirSync(join(cwd, 'src'));
  for (let count = 1; count <= 48; count++) writeFileSync(join(cwd, `src/f${count}.txt`), 'a line\n'.repeat(25));
  writeFileSync(join(cwd, 'a.ts'), 'export const a = 1;\n');
  const model = await serveModel([]);
  const args = [...model.args, '--allow-commands'].join(' ');
  const run = `stty cols ${cols} rows ${rows}; tty > tty; exec '${process.execPath}' '${LAUNCHER}' ${args}`;
  const child = spawn(PSEUDO_TERMINAL, ['-qec', run, '/dev/null'], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      TERM: 'xterm-256color',
      OLLAMA_HOST: 'http://127.0.0.1:9',
      VISUAL: 'sed -i s/wrong/right/',
    },
  });
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 1000, allowProposedApi: true });
  let raw = '';
  const waiting = new Set<() => void>();
  child.stdout.on('data', (bytes: Buffer) => {
    raw += String(bytes);
    terminal.write(bytes, () => {
      for (const check of waiting) check();
    });
  });
  const ended = new Promise<number | null>((resolve) => void child.on('close', resolve));
  const readLine = (row: number) => terminal.buffer.active.getLine(row);
  /** The lines that a person sees; one that was broken by the edge of the screen begins with `↩`. */
  const lines = (): readonly string[] => {
    const { baseY } = terminal.buffer.active;
    return Array.from({ length: terminal.rows }, (_, index) => {
      const line = readLine(baseY + index);
      return `${line?.isWrapped === true ? '↩' : ''}${line?.translateToString(true) ?? ''}`.trimEnd();
    });
  };
  const screen = (): string => lines().join('\n').trimEnd();
  /** Resolves as soon as what is shown is so. */
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!isSo()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const shows = (wanted: string | RegExp): Promise<void> =>
    until(() => (typeof wanted === 'string' ? screen().includes(wanted) : wanted.test(screen())));
  let size = 0;
  const resize = (): void => {
    if (sizes.length === 1) return;
    const [columns, lineCount] = sizes[++size % sizes.length]!;
    terminal.resize(columns, lineCount);
    spawnSync('stty', ['-F', tty(), 'cols', `${columns}`, 'rows', `${lineCount}`]);
  };
  const tty = (): string => String(spawnSync('cat', [join(cwd, 'tty')]).stdout).trim();
  const type = (keys: string): void => {
    resize();
    child.stdin.write(keys);
  };
  return {
    cwd,
    terminal,
    isResized: sizes.length > 1,
    /** The screen with everything above it. */
    everything: () =>
      Array.from({ length: terminal.buffer.active.length }, (_, row) => readLine(row)?.translateToString(true)).join(
        '\n',
      ),
    model,
    lines,
    screen,
    shows,
    until,
    type,
    ended,
    /** Everything that was written to the terminal since a place in it. */
    raw: (from = 0) => raw.slice(from),
    /** The cell where a text begins on the screen. */
    cellOf: (text: string) => {
      const row = lines().findLastIndex((line) => line.includes(text));
      const line = readLine(terminal.buffer.active.baseY + row);
      return line?.getCell(line.translateToString().indexOf(text));
    },
    /** Clears the screen, and waits for an empty prompt. */
    clear: async () => {
      const from = raw.length;
      child.stdin.write(`\u0015${CTRL_L}`);
      await until(() => raw.slice(from).includes('\u001B[2J') && /^\S*\s*home.*>$/m.test(screen()));
    },
    close: async () => {
      child.kill();
      await ended;
      await model.close();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

/** A response of a model that is sent piece by piece, when a test says so. */
export function inPieces(pieces: readonly string[]) {
  const ahead = [...pieces];
  let response: ServerResponse | undefined;
  const next = (): void => {
    const content = ahead.shift();
    if (content !== undefined) response!.write(event({ delta: { content } }));
    if (ahead.length > 0) return;
    response!.write(event({ delta: {}, finish_reason: 'stop' }));
    response!.end('data: [DONE]\n\n');
  };
  const respond = (to: ServerResponse): void => {
    response = to;
    to.writeHead(200, { 'content-type': 'text/event-stream' });
    next();
  };
  return { respond, next };
}
