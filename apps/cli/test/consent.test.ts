import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { serveModel } from './model-server.ts';
import { openBae, runBae } from './run-bae.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-consent-'));
  mkdirSync(join(cwd, 'docs'));
  writeFileSync(join(cwd, 'docs/a.md'), 'one\ntwo\n');
  writeFileSync(join(cwd, '.env'), 'TOKEN=hush\n');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const content = (name: string) => readFileSync(join(cwd, name), 'utf8');
const rules = (...approve: readonly object[]) => writeFileSync(join(cwd, 'mine.json'), JSON.stringify({ approve }));
const NAMED = ['--config', 'mine.json'];

it('what a command of the project says is not said by the user: a call in it needs consent', async () => {
  const own = mkdtempSync(join(tmpdir(), 'bae-own-'));
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  for (const [folder, name] of [
    [join(cwd, '.agents/commands'), 'theirs'],
    [join(own, 'commands'), 'mine'],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.md`), `Begin with\n<W:${name}.txt>\nx\n</W>`);
    const model = await serveModel([`<W:${name}.txt>\nx\n</W>`, 'Done.']);
    onTestFinished(model.close);
    const env = { BAE_HOME: own };
    await runBae(['--yes', ...model.args], { cwd, env, input: `/${name}\n` });
    expect(model.prompts[0]).toContain('Begin with');
    expect(model.prompts[1]!.includes('something that was read asks for it')).toBe(name === 'theirs');
  }
  expect([existsSync(join(cwd, 'theirs.txt')), existsSync(join(cwd, 'mine.txt'))]).toEqual([false, true]);
});

describe('consent at a terminal', () => {
  const open = (...args: readonly string[]) => openBae(args, { cwd, interactive: true });

  it('is asked for with the change that would be made', async () => {
    const terminal = open();
    await terminal.shows('home>');
    terminal.type('<E:docs/a.md old="two" new="2">\r');
    await terminal.shows('a = always edit in home, f = always edit below docs/, r = ');
    expect(terminal.screen()).toContain('  --- docs/a.md\n  +++ docs/a.md\n  @@ -1,2 +1,2 @@\n   one\n  -two\n  +2\n');
    expect(content('docs/a.md')).toBe('one\ntwo\n');
    terminal.type('what?\r');
    await terminal.shows('run it?', 2);
    terminal.type('y\r');
    await terminal.shows('Replaced');
    expect(content('docs/a.md')).toBe('one\n2\n');
    terminal.type('exit\r');
    expect((await terminal.end).code).toBe(0);
  });

  it('shows a long change in part, and all of it for d', async () => {
    const terminal = open();
    await terminal.shows('home>');
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
    writeFileSync(join(cwd, 'long.txt'), lines.join('\n'));
    terminal.type('<W:long.txt>short</W>\r');
    await terminal.shows('  … 46 more lines\n');
    expect(terminal.screen()).not.toContain('-line 60');
    await terminal.shows('d = the whole change');
    terminal.type('d\r');
    await terminal.shows('-line 60');
    terminal.type('n\r');
    await terminal.shows('you said no');
    terminal.type('exit\r');
    expect((await terminal.end).code).toBe(0);
  });

  it('is remembered for a folder, and not beyond it', async () => {
    const terminal = open();
    await terminal.shows('home>');
    terminal.type('<W:docs/b.md>b</W>\r');
    await terminal.shows('no: ');
    terminal.type('f\r');
    await terminal.shows('to docs/b.md');
    terminal.type('<W:docs/deep/c.md>c</W>\r');
    await terminal.shows('to docs/deep/c.md');
    terminal.type('<W:d.md>d</W>\r');
    await terminal.shows('<W:d.md> in home changes something here');
    terminal.type('n\r');
    await terminal.shows('you said no');
    expect([content('docs/deep/c.md'), existsSync(join(cwd, 'd.md'))]).toEqual(['c', false]);
    terminal.type('exit\r');
    await terminal.end;
  });

  it(
    'is given by typing the line, but not for secrets, nor against a rule, nor by a paste',
    { tags: ['long'] },
    async () => {
      rules({ target: 'docs/**', decision: 'deny' });
      const terminal = open(...NAMED);
      const typeLine = async (line: string): Promise<void> => {
        terminal.type(line);
        await terminal.shows(line);
        terminal.type('\r');
      };
      await terminal.shows('home>');
      await typeLine('write("x.md", "typed")');
      await terminal.shows('x.md (');
      expect(content('x.md')).toBe('typed');
      await typeLine('write("docs/a.md", "typed")');
      await terminal.shows('a rule denies it');
      await typeLine('read(".env")');
      await terminal.shows('n = no: ');
      terminal.type('n\r');
      await terminal.shows('you said no');
      terminal.type('<W:y.md>pasted</W>\r');
      await terminal.shows('<W:y.md> in home changes something here');
      terminal.type('n\r');
      await terminal.shows('you said no', 2);
      expect([content('docs/a.md'), existsSync(join(cwd, 'y.md'))]).toEqual(['one\ntwo\n', false]);
      terminal.type('exit\r');
      await terminal.end;
      expect(terminal.screen()).not.toContain('hush');
    },
  );

  it('may be kept as a rule in the file of the user, which is named, and holds in later sessions', async () => {
    const home = join(cwd, 'home');
    const terminal = openBae([], { cwd, interactive: true, env: { HOME: home } });
    await terminal.shows('home>');
    terminal.type('<W:x.md>x</W>\r');
    await terminal.shows('n = no: ');
    expect(terminal.screen().replaceAll('\r\n', '')).toContain('r = always, by a rule in ~/.config/bae/rules.json');
    terminal.type('r\r');
    await terminal.shows('kept in ~/.config/bae/rules.json:');
    await terminal.shows('{"space":"home","tool":"write","decision":"allow"}');
    terminal.type('exit\r');
    await terminal.end;
    expect(content('x.md')).toBe('x');
    const later = await runBae(['do'], { cwd, env: { HOME: home }, input: '<W:y.md>y</W>' });
    expect([later.code, content('y.md')]).toEqual([0, 'y']);
    const file = join(home, '.config/bae/rules.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      [cwd]: [{ space: 'home', tool: 'write', decision: 'allow' }],
    });
    writeFileSync(file, '{"x": 1}');
    expect((await runBae(['do'], { cwd, env: { HOME: home }, input: '<R:.>' })).err).toContain(
      'bae: ~/.config/bae/rules.json: expected folders with their rules',
    );
  });

  it('is refused by Ctrl-C, which stops the rest too', async () => {
    const terminal = open();
    await terminal.shows('home>');
    terminal.type('<W:x.md>x</W>\r');
    await terminal.shows('no: ');
    terminal.type('\u0003');
    await terminal.shows('cancelled ai:1');
    terminal.type('<R:docs/a.md>\r');
    await terminal.shows('one\ntwo');
    expect(existsSync(join(cwd, 'x.md'))).toBe(false);
    terminal.type('exit\r');
    expect((await terminal.end).code).toBe(0);
  });

  it('is asked for before a secret is shown, once for a file when that is wanted, and also with --yes', async () => {
    const terminal = open('--yes');
    await terminal.shows('home>');
    terminal.type('<R:.env>\r');
    await terminal.shows('a = always for .env, n = no: ');
    expect(terminal.screen()).toContain('needs consent, because it may hold passwords');
    expect(terminal.screen()).not.toContain('hush');
    terminal.type('a\r');
    await terminal.shows('TOKEN=hush');
    terminal.type('<Grep:TOKEN .env>\r');
    await terminal.shows('.env:1: TOKEN=hush');
    terminal.type('exit\r');
    expect((await terminal.end).code).toBe(0);
    expect(terminal.screen().split('run it?')).toHaveLength(2);
  });

  it('is asked for before an undo, with what it would change', async () => {
    await runBae(['do', '--yes'], { cwd, input: '<E:docs/a.md old="two" new="2">' });
    const refused = open('undo');
    await refused.shows('undo it? y = yes, n = no: ');
    expect(refused.screen()).toContain('  -2\n  +two\n');
    refused.type('n\r');
    expect([(await refused.end).code, content('docs/a.md')]).toEqual([0, 'one\n2\n']);
    const allowed = open('undo');
    await allowed.shows('undo it? ');
    allowed.type('y\r');
    await allowed.shows('undone: ');
    expect([(await allowed.end).code, content('docs/a.md')]).toEqual([0, 'one\ntwo\n']);
  });

  it('to an undo is worth nothing when something else changed meanwhile', async () => {
    await runBae(['do', '--yes'], { cwd, input: '<W:docs/a.md>2</W>' });
    const terminal = open('undo');
    await terminal.shows('undo it? ');
    writeFileSync(join(cwd, 'docs/a.md'), 'mine\n');
    terminal.type('y\r');
    await terminal.shows('not undone: other changes were made in the meantime.');
    expect([(await terminal.end).code, content('docs/a.md')]).toEqual([1, 'mine\n']);
  });
});

describe('consent without anybody to ask', () => {
  it('is refused, with a line that explains how to allow it', async () => {
    const { code, out } = await runBae(['do'], { cwd, input: '<W:x.md>x</W>\n<R:.env>' });
    expect(out).toContain(
      'ApprovalError: write was not run: it has the effect \'write\', and no one is available to approve it. To allow it, start bae with --yes. A --config file may allow only this: {"approve":[{"space":"home","tool":"write","decision":"allow"}]}\n',
    );
    expect(out).toContain(
      'ApprovalError: read on .env was not run: it may hold passwords, and no one is available to approve it. To allow it, start bae with a --config file that says {"approve":[{"space":"home","target":".env","decision":"allow"}]}\n',
    );
    expect([code, existsSync(join(cwd, 'x.md')), out.includes('hush')]).toEqual([1, false, false]);
  });

  it('is not given to secrets by --yes, but by a rule that names them', async () => {
    const withYes = await runBae(['do', '--yes'], { cwd, input: '<R:.env>' });
    expect([withYes.code, withYes.out.includes('hush')]).toEqual([1, false]);
    rules({ target: '.env', decision: 'allow' });
    expect((await runBae(['do', ...NAMED], { cwd, input: '<R:.env>' })).out).toContain('TOKEN=hush');
  });

  it('is given by rules, where no other rule denies it', async () => {
    rules({ tool: 'write', decision: 'allow' }, { target: 'docs/**', decision: 'deny' });
    const input = '<W:x.md>x</W>\n<W:docs/a.md>x</W>\n<W:./docs//A.md>x</W>';
    const { out } = await runBae(['do', '--yes', ...NAMED], { cwd, input });
    expect(out.match(/ApprovalError: .*/g)).toEqual([
      'ApprovalError: write was not run: a rule denies it: {"target":"docs/**","decision":"deny"}. To allow it, change "approve" in the configuration.',
      'ApprovalError: as #2',
    ]);
    expect([content('x.md'), content('docs/a.md')]).toEqual(['x', 'one\ntwo\n']);
  });

  it('is not given by rules of a file that was only found, which may deny', async () => {
    rules({ tool: 'write', decision: 'allow' }, { target: 'docs/**', decision: 'deny' });
    writeFileSync(join(cwd, 'bae.config.json'), content('mine.json'));
    const found = await runBae(['do'], { cwd, input: '<W:x.md>x</W>' });
    expect(found.err).toBe(
      'bae.config.json: what approve allows is not used, because the file was only found here. To use it: bae trust, or --config bae.config.json\n',
    );
    expect(existsSync(join(cwd, 'x.md'))).toBe(false);
    const denied = await runBae(['do', '--yes'], { cwd, input: '<W:docs/a.md>x</W>' });
    expect(denied.out).toContain('a rule denies it');
  });

  it('does not start with rules that make no sense', async () => {
    rules({ tol: 'write', decision: 'deny' });
    expect(await runBae(['do', ...NAMED], { cwd, input: '<R:.>' })).toMatchObject({
      code: 1,
      err: 'bae: mine.json: approve[0].tol: no such field. Did you mean tool?\nTry: bae doctor\n',
    });
  });
});
