import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBae } from './run-bae.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-cli-commands-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const put = (path: string, value: object): void => writeFileSync(join(cwd, path), JSON.stringify(value));
const run = (...args: readonly string[]) => runBae(['do', ...args], { cwd });

describe('the terminal', () => {
  it('is not there unless the user opens it', async () => {
    const { out } = await run('--yes', '<terminal.exec:touch x>');
    expect(out).toContain('names no tool');
    expect(existsSync(join(cwd, 'x'))).toBe(false);
  });

  it('is opened by an option, and still asks', async () => {
    expect((await run('--allow-commands', '<terminal.exec:touch x>')).out).toContain(
      '{"approve":[{"space":"terminal","target":"command:touch x","decision":"allow"}]}',
    );
    expect(existsSync(join(cwd, 'x'))).toBe(false);
    expect((await run('--allow-commands', '--yes', '<terminal.exec:touch x>')).out).toContain('changed 1 file: x');
  });

  it('is opened by settings that the user names, but not by those of a folder', async () => {
    const rule = { target: 'command:echo *', decision: 'allow' };
    put('bae.config.json', { commands: true, approve: [rule] });
    const found = await run('<terminal.exec:echo a>');
    expect(found.err).toContain('commands is not used, because the file was only found here.');
    expect(found.out).toContain('names no tool');
    const named = await run('--config', 'bae.config.json', '<terminal.exec:echo a>', '<terminal.exec:touch x>');
    expect(named.out).toMatch(/exit 0, \d\.\d s\na\n/);
    expect(named.out).toContain('ApprovalError: exec was not run');
    put('closed.json', { commands: true, disabled: ['terminal'] });
    expect((await run('--config', 'closed.json', '<terminal.exec:echo a>')).out).toContain('names no tool');
  });
});
