import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LAUNCHER } from './run-bae.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-terminal-'));
  writeFileSync(join(cwd, 'a.txt'), 'one\n');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** The tool that gives a program a real terminal. */
const PSEUDO_TERMINAL = 'script';
const isThere = spawnSync(PSEUDO_TERMINAL, ['--version']).status === 0;

describe.skipIf(!isThere)('bae at a real terminal', () => {
  it('prompts, answers, asks before a write, and ends with Ctrl-D', async () => {
    const terminal = open();
    await terminal.shows('home>');
    terminal.type('<R:a.txt>\r');
    await terminal.shows('one\r\n');
    terminal.type('<W:b.txt>hi</W>\r');
    await terminal.shows('run it? y = yes, a = always write in home, n = no: ');
    terminal.type('n\r');
    await terminal.shows('the user said no');
    terminal.type('\u0004');
    expect(await terminal.code).toBe(0);
  });

  it('ends with 0 on Ctrl-C at an empty prompt', async () => {
    const terminal = open();
    await terminal.shows('home>');
    terminal.type('\u0003');
    expect(await terminal.code).toBe(0);
  });

  it('uses colours there, and none with NO_COLOR or --no-color', async () => {
    // Moving the cursor is the business of the line editor; colours end with an m.
    const colour = new RegExp(`${String.fromCodePoint(0x1b)}\\[[\\d;]*m`);
    for (const [setup, expected] of [
      [{}, true],
      [{ env: { NO_COLOR: '1' } }, false],
      [{ env: { TERM: 'dumb' } }, false],
      [{ args: '--no-color' }, false],
    ] as const) {
      const terminal = open(setup);
      await terminal.shows('home>');
      terminal.type('<R:nope>\r');
      await terminal.shows('FileNotFoundError');
      terminal.type('exit\r');
      await terminal.code;
      expect(colour.test(terminal.screen())).toBe(expected);
    }
  });
});

function open({
  args = '',
  env = {},
}: { readonly args?: string; readonly env?: Readonly<Record<string, string>> } = {}) {
  const command = `'${process.execPath}' '${LAUNCHER}' ${args}`;
  const child = spawn(PSEUDO_TERMINAL, ['-qec', command, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TERM: 'xterm', OLLAMA_HOST: 'http://127.0.0.1:9', ...env },
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
  const code = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return {
    code,
    screen: () => screen,
    type: (keys: string) => void child.stdin.write(keys),
    shows: (text: string) => expect.poll(() => screen, { timeout: 30_000 }).toContain(text),
  };
}
