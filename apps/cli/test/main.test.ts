import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { findLimits } from '@bae/project';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../src/command-line/command-list.ts';
import { LAUNCHER, runBae, runProgram, startProgram } from './run-bae.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-main-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const put = (name: string, text: string): void => writeFileSync(join(cwd, name), text);

describe('bae', () => {
  it.each(Object.keys(COMMANDS))('has help with an example for %s', async (name) => {
    const { code, out, err } = await runBae(name === 'shell' ? ['--help'] : [name, '--help'], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/\nExamples\n {2}\S/);
    expect(out).not.toContain('\u001B');
  });

  it('tells its version', async () => {
    expect(await runProgram(['--version'], { cwd })).toEqual({ code: 0, out: '0.1.0\n', err: '' });
    expect(await runBae(['ask', '-v'], { cwd })).toEqual({ code: 0, out: '0.1.0\n', err: '' });
  });

  it.each([
    [['check'], 2, "bae: no command 'check'. Did you mean doctor?\nMore: bae --help\n"],
    [['aks'], 2, "bae: no command 'aks'. Did you mean ask?\nMore: bae --help\n"],
    [
      ['zzzzzz'],
      2,
      "bae: no command 'zzzzzz'. There are ask, do, tasks, memory, undo, sessions, approvals, audit, parse, prune, spaces, inspect, trust, untrust, mcp, acp, serve, worker, create, dev, manifest, conformance, doctor.\nMore: bae --help\n",
    ],
    [['spaces', '--jsno'], 2, 'bae: no option --jsno. Did you mean --json?\nMore: bae spaces --help\n'],
    [['--cap', 'abc'], 2, "bae: --cap: expected a whole number of at least 50; got 'abc'.\nMore: bae --help\n"],
    [['ask'], 2, 'bae: bae ask needs a question: bae ask "Where is the port set?"\nMore: bae ask --help\n'],
    [
      ['do', '--json', 'x'],
      2,
      'bae: bae do --json reads requests from standard input; got "x".\nMore: bae do --help\n',
    ],
    [['parse'], 2, 'bae: bae parse needs a file: bae parse FILE, or - for standard input.\nMore: bae parse --help\n'],
    [['--json'], 2, 'bae: the shell has no --json; use bae do --json or bae ask --json.\nMore: bae --help\n'],
    [
      ['spaces', '--cwd', 'nope'],
      1,
      'bae: --cwd nope: there is no such folder.\nTry: --cwd DIR with a folder that exists\n',
    ],
    [
      ['spaces', '--config', 'nope.json'],
      1,
      'bae: nope.json: cannot be read: there is no such file.\nTry: a file like {"model": "ollama/NAME", "cap": 500}\n',
    ],
    [['prune', 'nope.md'], 1, 'bae: nope.md: there is no such file.\nTry: bae prune - reads standard input\n'],
    [['prune', '.'], 1, 'bae: .: it is a folder.\nTry: name a file in it\n'],
    [['inspect', 'hom'], 1, "bae: no space 'hom'. Did you mean home?\nTry: bae inspect home\n"],
  ])('answers %j with exit code %i and what to do', async (args, code, err) => {
    expect(await runBae(args, { cwd })).toEqual({ code, out: '', err });
  });

  it('starts nothing with a bad configuration', async () => {
    put('bae.config.json', '{"cap": "big"}');
    for (const args of [[], ['do'], ['spaces'], ['ask', 'hi']]) {
      expect(await runBae(args, { cwd, input: '<R:>\n' })).toEqual({
        code: 1,
        out: '',
        err: 'bae: bae.config.json: cap: expected a whole number of at least 50 (tokens); got "big".\nTry: bae doctor\n',
      });
    }
  });

  it('takes settings from the folder, and lets the command line win', async () => {
    put('bae.config.json', '{"model": "nobody/x", "approve": "none"}');
    expect((await runBae(['ask', 'hi'], { cwd })).err).toContain("no model provider 'nobody'");
    expect((await runBae(['ask', 'hi', '--model', 'nobody2/x'], { cwd })).err).toContain("no model provider 'nobody2'");
    expect((await runBae(['do', '--yes'], { cwd, input: '<W:a>x</W>' })).out).toContain(
      'the configuration says approve: "none".',
    );
  });

  it('runs a configuration in code only when it is named', async () => {
    put('bae.config.ts', 'const approve: string = "all";\nexport default { approve };\n');
    const found = await runBae(['do'], { cwd, input: '<W:a>x</W>' });
    expect(found).toMatchObject({
      code: 1,
      err: 'bae.config.ts is code and was not run. To use it: bae trust, or --config bae.config.ts\n',
    });
    expect(await runBae(['do', '--config', 'bae.config.ts'], { cwd, input: '<W:a>x</W>' })).toMatchObject({ code: 0 });
  });

  it('ends quietly when nobody reads any more', async () => {
    const shell = spawnSync('/bin/sh', ['-c', `"${process.execPath}" "${LAUNCHER}" spaces | head -c 1`], {
      cwd,
      encoding: 'utf8',
    });
    expect(shell).toMatchObject({ status: 0, stdout: 'h', stderr: '' });
  });

  it('ends quietly when its reader goes away in the middle', async () => {
    const bae = startProgram(['do', '--json'], { cwd });
    bae.child.stdin?.write('{"text": "<R:.>"}\n');
    await bae.printed('\n');
    bae.child.stdout?.destroy();
    bae.child.stdin?.write('{"text": "<R:.>"}\n'.repeat(1000));
    expect(await bae.end).toMatchObject({ code: 0, err: '' });
  });

  it('works with a closed standard input', async () => {
    const shell = spawnSync('/bin/sh', ['-c', `"${process.execPath}" "${LAUNCHER}" do <&-`], { cwd, encoding: 'utf8' });
    expect(shell).toMatchObject({ status: 0, stdout: '' });
  });

  it('shows the tree of spaces, and what a model sees', async () => {
    expect((await runBae(['spaces'], { cwd })).out).toMatch(
      /^home -- .+\n {2}read, write, edit, glob, grep, delete, mkdir, move, undo\n {2}memory\(\) -- .+\n {4}read, edit, grep\n {4}memory\.facts\(\) -- .+\n {6}read, write, grep, delete\n {2}scripts\(\) -- .+\n {4}read, check, run_script\n {2}search\(\) -- .+\n {4}read, grep, find\n {2}source\(\) -- [^]*\n {2}tasks\(\) -- .+\n {4}read, write, edit, glob, grep\n$/,
    );
    expect(JSON.parse((await runBae(['spaces', '--json'], { cwd })).out)).toMatchObject({
      path: 'home',
      children: [{ path: 'memory' }, { path: 'scripts' }, { path: 'search' }, { path: 'source' }, { path: 'tasks' }],
    });
    expect((await runBae(['inspect', 'filesystem'], { cwd })).out).toBe((await runBae(['inspect'], { cwd })).out);
    expect((await runBae(['inspect'], { cwd })).out).toMatch(/^home\n[^]*<Grep:[^]*\n\n\d+ tokens \(\d+ units\)\n$/);
    expect(JSON.parse((await runBae(['inspect', 'home()', '--json'], { cwd })).out)).toMatchObject({
      space: 'home',
      tokens: expect.any(Number) as number,
    });
  });

  it('takes a text apart', async () => {
    put('answer.md', 'Look:\n<R:a.ts>\n<W:b.txt>\nx\ny\n</W>\n@home()\n<nowhere.read:x>\n<W:c>\n');
    expect((await runBae(['parse', 'answer.md'], { cwd })).out).toMatch(
      /^call {5}line 2: read a\.ts\ncall {5}line 3: write b\.txt \(body of 2 lines\)\ncall {5}line 7: go home\nproblem {2}line 9: unclosed-body: .+\nprose\n {2}Look:\n {2}<nowhere\.read:x>\n/,
    );
    const both = '<R:a.ts>\n<run>\n1\n</run>\n';
    expect((await runBae(['parse', '-'], { cwd, input: both })).out).toBe(
      'call     line 1: read a.ts\nrun      1 chars (not executed: calls run first): 1\n',
    );
    const { out } = await runBae(['parse', '-', '--json'], { cwd, input: '<R:a.ts>' });
    expect(JSON.parse(out)).toMatchObject({
      calls: [{ verb: 'read', arg: 'a.ts' }],
      runs: [],
      problems: [],
      prose: '',
    });
  });

  it('cuts a text, and leaves a short one as it is to the byte', async () => {
    expect((await runBae(['prune', '-'], { cwd, input: 'short\r\n' })).out).toBe('short\r\n');
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}: some content here`);
    put('long.md', lines.join('\n'));
    const { out } = await runBae(['prune', 'long.md'], { cwd });
    expect(out).toMatch(/\n…\nline 199: some content here\n\[pruned: 200 -> \d\d items\]$/);
    const json = JSON.parse((await runBae(['prune', 'long.md', '--json', '--cap', '100'], { cwd })).out) as {
      units: { after: number };
    };
    expect(json.units.after).toBeLessThanOrEqual(400);
  });

  it('examines itself', async () => {
    const { code, out } = await runBae(['doctor'], { cwd });
    expect(out.split('\n').map((line) => line.split(':')[0])).toEqual([
      '✓ Node',
      '✓ config',
      '✓ folder',
      '✗ model',
      expect.stringMatching(/. ripgrep/),
      expect.stringMatching(/. commands/),
      expect.stringMatching(/. limits/),
      '',
    ]);
    expect(code).toBe(0);
    put('bae.config.json', '{');
    const broken = await runBae(['doctor'], { cwd });
    expect(broken.out).toContain('✗ config: bae.config.json: cannot be read');
    expect(broken.code).toBe(1);
    expect((await runBae(['doctor', '--model', 'anthropic/x', '--config', '/dev/null'], { cwd })).code).toBe(1);
  });

  it('says what limits the commands of a model', async () => {
    const examine = async (commands: unknown) => {
      put('mine.json', JSON.stringify({ commands }));
      return (await runBae(['doctor', '--config', 'mine.json'], { cwd })).out;
    };
    const support = await findLimits();
    const none = `limits: none, since ${'reason' in support ? support.reason : ''}: commands may write whatever you may, and use the network.`;
    const holds = (rest: string) =>
      'reason' in support
        ? none
        : `limits: commands write only the workspace without protected files, a /tmp of the session${rest}. With the network they reach the services of this machine.`;
    expect(await examine(true)).toContain(
      holds(' and a home folder of the session, and have no network unless network=true is given and allowed'),
    );
    expect(await examine({ network: true, writable: ['~/data'] })).toContain(
      holds(', a home folder of the session and ~/data, and use the network, by commands.network'),
    );
    expect(await examine({ limits: false })).toContain('✓ limits: off by commands.limits: commands may write whatever');
    expect(await examine({ nework: true })).toContain(
      'commands: expected true, false, or limits like {"terminal": true, "network": false, "writable": ["~/.tool"], "limits": true}; got {"nework":true}.',
    );
  });

  it('limits commands as its settings say', { tags: ['long'] }, async () => {
    const outside = mkdtempSync(join(process.getuid?.() === 0 ? '/opt' : import.meta.dirname, 'bae-main-'));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    const canWrite = async (commands: unknown, ...options: readonly string[]) => {
      put('mine.json', JSON.stringify({ commands }));
      const tag = `<terminal.exec:touch ${join(outside, 'new')}>`;
      await runBae(['do', '--config', 'mine.json', '--yes', ...options, tag], { cwd });
      const isThere = existsSync(join(outside, 'new'));
      rmSync(join(outside, 'new'), { force: true });
      return isThere;
    };
    const isFree = 'reason' in (await findLimits());
    expect(await canWrite(true)).toBe(isFree);
    expect(await canWrite(false, '--allow-commands')).toBe(isFree);
    expect(await canWrite({ terminal: true, writable: [outside] })).toBe(true);
    expect(await canWrite({ terminal: true, limits: false })).toBe(true);
    expect(await canWrite({ limits: false }, '--allow-commands')).toBe(true);
    expect(await canWrite({ limits: false })).toBe(false);
  });

  it.skipIf(process.getuid?.() === 0)('finds a folder that cannot be written to', async () => {
    chmodSync(cwd, 0o500);
    expect(await runBae(['doctor'], { cwd })).toMatchObject({
      code: 1,
      out: expect.stringContaining('✗ folder') as string,
    });
  });
});
