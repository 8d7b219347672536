import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

describe('a project whose tests and programs are not of JavaScript', () => {
  const CLOSED = 'Commands are off: the user can start bae with --allow-commands.';
  const TEST = 'tests/test_utils/test_echo.py';
  beforeEach(() => {
    mkdirSync(join(cwd, 'tests/test_utils'), { recursive: true });
    writeFileSync(join(cwd, TEST), 'def test_echo(): pass\n');
    writeFileSync(join(cwd, 'pyproject.toml'), '[project]\nname = "echo"\n');
  });

  it('is told which tests are run here, and what runs the others', async () => {
    for (const target of [TEST, 'tests.test_utils.test_echo']) {
      const closed = await run(`<source.tests.test:${target}>`);
      expect(closed.out).toMatch(
        new RegExp(
          `ResourceError: ${TEST} exists, but only tests of JavaScript and TypeScript are run here. ${CLOSED} Then \`python3? -m pytest ${TEST}\` can be run.\n`,
        ),
      );
      expect(closed.out).not.toContain('Try:');
    }
    expect((await run('<source.tests.test:>')).out).toMatch(
      /ResourceError: only tests of JavaScript and TypeScript are run here. Commands are off: .* Then `python3? -m pytest` can/,
    );
    expect((await run('--allow-commands', `<source.tests.test:${TEST}::test_echo>`)).out).toMatch(
      new RegExp(`are run here\\.\nTry: <terminal\\.exec:python3? -m pytest ${TEST}::test_echo>`),
    );
  });

  it('is offered pytest as a script where something says that it is used', async () => {
    writeFileSync(join(cwd, 'pytest.ini'), '');
    expect((await run(`<source.tests.test:${TEST}>`)).out).toContain(`Try: <scripts.run_script:pytest ${TEST}>`);
    expect((await run('@source.tests()')).out).toContain('Their tests: <scripts.run_script:pytest>');
    expect((await run('@scripts()')).out).toContain('Checks: pytest (<check:>).');
  });

  it('is told first that commands are off, and of no place that can do nothing', async () => {
    for (const words of ['run a shell command', 'python script', 'pytest']) {
      const { out } = await run(`<search.find:${words}>`);
      expect(out.split('\n')[2]).toBe(CLOSED);
      expect(out).not.toMatch(/scripts|tests/);
    }
    expect((await run('--allow-commands', '<search.find:python script>')).out.split('\n')[2]).toMatch(
      /^<terminal\.exec:/,
    );
    put('package.json', { scripts: { start: 'node a.js' } });
    expect((await run('<search.find:run a script>')).out).toContain('<scripts.run_script:');
  });

  it('is told that there are no scripts, without a tag that leads nowhere', async () => {
    const { out } = await run('<scripts.check:>', '<scripts.R:>');
    const none =
      'there is no package.json with scripts, composer.json, Makefile, justfile, pyproject.toml with tasks, settings of pytest, Cargo.toml or go.mod.';
    expect(out).toContain(`ResourceError: there are no scripts here: ${none} ${CLOSED}\n`);
    expect(out).toContain(`No scripts: ${none} ${CLOSED}\n`);
    expect(out).not.toContain('Try:');
  });
});
