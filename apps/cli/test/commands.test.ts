import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
    expect(found.out).toContain('is a command, and commands do not run here');
    const named = await run('--config', 'bae.config.json', '<terminal.exec:echo a>', '<terminal.exec:touch x>');
    expect(named.out).toMatch(/exit 0, \d\.\d s\na\n/);
    expect(named.out).toContain('ApprovalError: exec was not run');
    put('closed.json', { commands: true, disabled: ['terminal'] });
    expect((await run('--config', 'closed.json', '<terminal.exec:echo a>')).out).toContain('commands do not run here');
  });
});

describe('what a command changed', () => {
  const exec = (script: string) => run('--allow-commands', '--yes', `<terminal.sh:>\n${script}\n</sh>`);
  const undo = (...args: readonly string[]) => runBae(['undo', ...args], { cwd });

  /** Every file and folder of the project with its mode and bytes. */
  function readTree() {
    const paths = readdirSync(cwd, { recursive: true, encoding: 'utf8' });
    const own = paths.filter((path) => !/^\.(?:bae|config)\b/.test(path)).toSorted();
    return own.map((path) => {
      const stats = lstatSync(join(cwd, path));
      return [path, stats.mode, stats.isFile() && readFileSync(join(cwd, path)).toString('hex')];
    });
  }

  beforeEach(() => {
    mkdirSync(join(cwd, 'src'));
    writeFileSync(join(cwd, 'src/a.ts'), 'one\r\ntwo');
    writeFileSync(join(cwd, 'src/b.bin'), Buffer.from([0, 255, 10]));
    writeFileSync(join(cwd, 'run.sh'), 'echo\n');
    chmodSync(join(cwd, 'run.sh'), 0o700);
  });

  const CHANGES = 'echo > src/a.ts; rm src/b.bin; chmod 644 run.sh; mkdir -p new/deep; echo 1 > new/deep/c.txt';

  it('is shown, and brought back with bytes and modes by another process', async () => {
    const before = readTree();
    expect((await exec(CHANGES)).out).toContain('changed 4 files: new/deep/c.txt, run.sh, src/a.ts, src/b.bin (gone)');
    expect((await undo('--list')).out.match(/command \S+/g)).toHaveLength(4);
    const shown = (await undo()).out;
    expect(shown).toContain('run.sh: mode 644 -> 700\n');
    expect(shown).toContain('\nNot undone: what the command did to ignored files, such as node_modules.\n');
    const { code, out } = await undo('--yes');
    expect(code).toBe(0);
    expect(out.match(/^undone: /gm)).toHaveLength(4);
    expect(out).toMatch(/\nNot undone: what the command did to ignored files, such as node_modules\.\n$/);
    expect(readTree()).toEqual(before);
  });

  it('is left where it was changed since, and names the file', async () => {
    await exec(CHANGES);
    writeFileSync(join(cwd, 'src/a.ts'), 'mine');
    const after = readTree();
    const { code, err } = await undo('--yes');
    expect([code, err]).toEqual([1, expect.stringMatching(/^bae: src\/a\.ts changed after the command that is to be/)]);
    expect(readTree()).toEqual(after);
  });

  it('is undone without what was not kept, which is named', async () => {
    writeFileSync(join(cwd, '.env'), 'KEY=1');
    // A limited command cannot write the protected file, and one that names it needs consent.
    const rule = { space: 'terminal', target: '.env', decision: 'allow' };
    writeFileSync(join(cwd, 'free.json'), JSON.stringify({ commands: { limits: false }, approve: [rule] }));
    const script = 'truncate -s 51M big.bin; echo 2 > .env; echo 2 > src/a.ts';
    const { out } = await run('--config', 'free.json', '--allow-commands', '--yes', `<terminal.sh:>\n${script}\n</sh>`);
    expect(out).toContain('changed 3 files: .env, big.bin, src/a.ts\n');
    expect(out).toContain(
      'cannot be undone: .env (it may hold passwords), big.bin (it has 51 MB, and at most 50 MB are kept in all)',
    );
    const undone = await undo('--yes');
    expect(undone.out).toContain('Not undone: what the command did to .env, big.bin, whose old content was not kept');
    expect(readFileSync(join(cwd, 'src/a.ts'), 'utf8')).toBe('one\r\ntwo');
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe('2\n');
  });

  it('is undone in the session by a tag', async () => {
    const tags = ['@terminal()', '<sh:echo two | tee src/a.ts>', '@home()', '<undo:>'];
    const { out } = await run('--allow-commands', '--yes', ...tags);
    expect(out).toMatch(/Undid command of src\/a\.ts \(1 -> 2 lines\)\nNot undone: /);
    expect(readFileSync(join(cwd, 'src/a.ts'), 'utf8')).toBe('one\r\ntwo');
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
      'there is no package.json with scripts, composer.json, Makefile, justfile, pyproject.toml with tasks, tests or settings of pytest, Cargo.toml, go.mod, or file of another task runner.';
    expect(out).toContain(`ResourceError: there are no scripts here: ${none} ${CLOSED}\n`);
    expect(out).toContain(`No scripts: ${none} ${CLOSED}\n`);
    expect(out).not.toContain('Try:');
  });
});
