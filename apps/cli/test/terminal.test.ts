import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasTerminal, openTerminal, type TerminalStart } from './open-terminal.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-terminal-'));
  writeFileSync(join(cwd, 'a.txt'), 'one\n');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** How the last line is taken away; as a regular expression. */
const ERASED = '[^\\r]*\\r\\u001B\\[J';

const open = (start: Omit<TerminalStart, 'cwd'> = {}) => openTerminal({ cwd, ...start });

describe.skipIf(!hasTerminal)('bae at a real terminal', () => {
  it('prompts, answers, asks before a write, and ends with Ctrl-D', async () => {
    const terminal = open();
    await terminal.shows('home>');
    terminal.type('<R:a.txt>\r');
    await terminal.shows('one\r\n');
    terminal.type('<W:b.txt>hi</W>\r');
    await terminal.shows('run it? y = yes, a = always write in home, ');
    await terminal.shows('n = no: ');
    terminal.type('n\r');
    await terminal.shows('the user said no');
    terminal.type('\u0004');
    expect(await terminal.code).toBe(0);
  });

  it('tells what is waited for, and takes that away before the answer', async () => {
    const terminal = open();
    await terminal.shows('home>');
    terminal.type('/code while (await read("stop").then(() => false, () => true)); "over"\r');
    await terminal.shows('the code is running… ');
    writeFileSync(join(cwd, 'stop'), '');
    await terminal.shows('over\r\n');
    terminal.type('exit\r');
    expect(await terminal.code).toBe(0);
    const [, afterStatus] = terminal.screen().split(/the code is running… \d+ s(?!.*the code is running)/s);
    expect(afterStatus).toMatch(new RegExp(`^${ERASED}[^]*\\[code\\][^]*over\\r\\n`));
  });

  it('tells nothing of that where nothing can be taken away', async () => {
    const terminal = open({ env: { TERM: 'dumb' } });
    await terminal.shows('home>');
    terminal.type('/code const began = Date.now(); while (Date.now() - began < 1500); "over"\r');
    await terminal.shows('over\r\n');
    terminal.type('exit\r');
    expect(await terminal.code).toBe(0);
    expect(terminal.screen()).not.toContain('the code is running…');
  });

  it('ends with 0 on the second Ctrl-C at an empty prompt', async () => {
    const terminal = open();
    await terminal.shows('home>');
    terminal.type('\u0003');
    await terminal.shows('Ctrl-C again, or Ctrl-D, leaves.');
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
