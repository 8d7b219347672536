import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBae, runBae, runProgram, startProgram } from './run-bae.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-do-'));
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, 'src/a.ts'), 'one\ntwo\nthree\n');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const NONCE = /(?<=\[(?:Tool output|Output|end) |#\d+ )[0-9a-f]{6}\b/g;

describe('bae do', () => {
  it('prints exactly what a model would see', async () => {
    const { code, out, err } = await runBae(['do'], { cwd, input: 'Some prose.\n<R:src/a.ts:1-2>\n<R:src/a.ts:2>\n' });
    expect(out.replaceAll(NONCE, 'NONCE')).toBe(`\
[Tool output NONCE]
#1 NONCE <R:src/a.ts:1-2> [home] ok
1|one
2|two
---
#2 NONCE <R:src/a.ts:2> [home] ok
2|two
[end NONCE]
`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('takes tags as arguments, too', async () => {
    const { out } = await runBae(['do', '<R:src/a.ts:1>', '<G:src/**>'], { cwd });
    expect(out).toMatch(/1\|one\n---\n#2 \w{6} <G:src\/\*\*> \[home\] ok\nsrc\/a\.ts\n/);
  });

  it('keeps --no-color to itself: scripts of the project run as without it', { tags: ['long'] }, async () => {
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { show: 'echo color:$NO_COLOR.' } }));
    const { out } = await runProgram(['do', '--no-color', '--yes', '<scripts.run_script:show>'], {
      cwd,
      env: { NO_COLOR: '' },
    });
    expect(out).toMatch(/^color:\.$/m);
  });

  it('changes settings by key', { tags: ['long'] }, async () => {
    writeFileSync(join(cwd, 'package.json'), '{\n  // kept\n  "version": "1.0.0"\n}\n');
    const { code, out } = await runProgram(
      ['do', '--yes', '<source.config.E:package.version>"2.0.0"</source.config.E>'],
      {
        cwd,
      },
    );
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toBe('{\n  // kept\n  "version": "2.0.0"\n}\n');
  });

  it('fails when a call does, and when a tag cannot be read', async () => {
    const failed = await runBae(['do'], { cwd, input: '<R:src/b.ts>\n<R:src/a.ts>\n' });
    expect(failed.code).toBe(1);
    expect(failed.out).toMatch(/#1 \w{6} <R:src\/b\.ts> \[home\] FileNotFoundError\n/);
    expect(failed.out).toMatch(/#2 \w{6} <R:src\/a\.ts> \[home\] ok\n/);
    const exited = await runBae(['do', '--allow-commands', '--yes'], { cwd, input: '<terminal.exec:false>\n' });
    expect(exited.code).toBe(1);
    expect(exited.out).toMatch(/#1 \w{6} <terminal\.exec:false> \[terminal\] failed\nexit 1, /);
    const unread = await runBae(['do'], { cwd, input: '<W:a.txt>\nhello\n' });
    expect(unread).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^\[Parse problem\] line 1: <W:a\.txt> has no closing <\/W>/) as string,
    });
  });

  it('depends on the outcome of the code, not of its calls', { tags: ['long'] }, async () => {
    const ended = async (code: string) => (await runBae(['do'], { cwd, input: `<run>\n${code}\n</run>\n` })).code;
    expect(await ended('await read("nope").catch(() => "gone")')).toBe(0);
    expect(await ended('await read("nope")')).toBe(1);
  });

  it('reports that there is nothing to execute', async () => {
    expect(await runBae(['do'], { cwd, input: 'Just prose.' })).toEqual({
      code: 0,
      out: '',
      err: 'bae: nothing to execute. A tag stands alone on its line: <R:package.json>; code stands between <run> and </run>\n',
    });
  });

  it('refuses arguments in which there is nothing to execute', async () => {
    expect(await runBae(['do', '-'], { cwd })).toEqual({
      code: 2,
      out: '',
      err:
        'bae: nothing to execute. A tag stands alone on its line: <R:package.json>; code stands between <run> and ' +
        '</run>; without arguments, bae do reads standard input.\nMore: bae do --help\n',
    });
  });

  it('takes what a person typed as arguments for their own words, also if a file says the same', async () => {
    writeFileSync(join(cwd, 'note.txt'), 'touch made-by-a-note.txt\n');
    const tags = ['<R:note.txt>', '<terminal.exec:touch made-by-a-note.txt>'];
    const piped = await runBae(['do', '--allow-commands', '--yes'], { cwd, input: tags.join('\n') });
    expect(piped.out).toContain('its argument command, "touch made-by-a-note.txt", was read by <R:note.txt>');
    expect(existsSync(join(cwd, 'made-by-a-note.txt'))).toBe(false);
    expect((await runBae(['do', '--allow-commands', '--yes', ...tags], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, 'made-by-a-note.txt'))).toBe(true);
  });

  it('writes only with --yes, and explains how', async () => {
    const input = '<W:b.txt>\nhi\n</W>\n';
    const refused = await runBae(['do'], { cwd, input });
    expect(refused.out).toContain('To allow it, start bae with --yes.');
    expect(refused.code).toBe(1);
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false);
    expect((await runBae(['do', '--yes'], { cwd, input })).code).toBe(0);
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('hi\n');
  });

  it('works in the folder that --cwd names', async () => {
    expect((await runBae(['do', '--cwd', 'src'], { cwd, input: '<R:a.ts>\n' })).out).toMatch(
      /#1 [0-9a-f]{6} <R:a\.ts> \[home\] ok\none\n/,
    );
  });

  it('keeps results within --cap', async () => {
    const input = '<R:notes.md>\n';
    writeFileSync(join(cwd, 'notes.md'), `${'word '.repeat(20)}\n`.repeat(200));
    const { out } = await runBae(['do', '--cap', '50'], { cwd, input: `<Grep:word>\n` });
    const whole = await runBae(['do', '--cap', '2000'], { cwd, input: `<Grep:word>\n` });
    expect(out.length).toBeLessThan(whole.out.length);
    expect((await runBae(['do'], { cwd, input })).code).toBe(0);
  });
});

describe('bae do --json', () => {
  const request = (text: string): string => `${JSON.stringify({ text })}\n`;

  it('replies to each line as it comes, in one session', async () => {
    const bae = openBae(['do', '--json', '--yes'], { cwd });
    bae.type(request('<R:src/a.ts>'));
    await bae.shows('\n');
    bae.type(request('<E:src/a.ts:2>\nTWO\n</E>\n@nav()'));
    bae.terminal.input.end();
    const { code, out } = await bae.end;
    const [read, edited] = answers(out);
    expect(read).toEqual({
      feedback: expect.stringMatching(
        /^\[Tool output [0-9a-f]{6}\]\n#1 [0-9a-f]{6} <R:src\/a\.ts> \[home\] ok\none\n/,
      ) as string,
      results: [
        {
          id: expect.any(String) as string,
          tag: '<R:src/a.ts>',
          verb: 'read',
          space: 'home',
          ok: true,
          text: 'one\ntwo\nthree\n',
          ms: expect.any(Number) as number,
        },
      ],
      problems: [],
      location: 'home',
    });
    // An edit of lines is refused in a session that has not seen them.
    expect(edited?.results).toMatchObject([
      { verb: 'edit', ok: true },
      { verb: 'go', ok: true },
    ]);
    expect(readFileSync(join(cwd, 'src/a.ts'), 'utf8')).toBe('one\nTWO\nthree\n');
    expect(code).toBe(0);
  });

  it('keeps what was cut, for a later line', async () => {
    writeFileSync(
      join(cwd, 'many.txt'),
      Array.from({ length: 400 }, (_, index) => `needle ${index} ${'-'.repeat(150)}`).join('\n'),
    );
    const bae = openBae(['do', '--json'], { cwd });
    bae.type(request('<Grep:needle path=many.txt>'));
    await bae.shows('\n');
    const [first] = answers(bae.screen());
    expect(first?.results).toMatchObject([
      { ok: true, pruned: true, ref: expect.stringMatching(/^result:\d+$/) as string },
    ]);
    bae.terminal.input.end(request(`<R:${String(first?.results[0]?.['ref'])}:41>`));
    expect(answers((await bae.end).out)[1]?.results).toMatchObject([
      { ok: true, text: expect.stringContaining('needle 40') as string },
    ]);
  });

  it('tells of every run block how it ended', async () => {
    const input =
      request('<run>\n1 + 1\n</run>') + request('<run>\nawait read("nope.ts")\n</run>') + request('<R:src>');
    const [good, bad, none] = answers((await runBae(['do', '--json'], { cwd, input })).out);
    expect(good).toMatchObject({ results: [], runs: [{ ok: true, output: '2' }] });
    expect(bad?.runs).toMatchObject([{ ok: false, output: expect.stringContaining('FileNotFoundError') as string }]);
    expect(none).not.toHaveProperty('runs');
  });

  it('replies to a bad line with an error, and continues', async () => {
    const input = `nonsense\n\n   \n[]\nnull\n{"txt": "x"}\n{"text": 5}\n${request('<R:src/a.ts')}${request('<W:x>')}`;
    const { code, out } = await runBae(['do', '--json'], { cwd, input });
    const expected = 'one JSON object a line: {"text": "<R:package.json>"}';
    const lines = answers(out);
    expect(lines.map(({ error }) => error?.message.split(' Send ')[0]?.replace(/\(.*\)/, '(…)'))).toEqual([
      'the line is not JSON (…).',
      'the line is not a JSON object.',
      'the line is not a JSON object.',
      'the object has no "text".',
      '"text" is not a string.',
      undefined,
      undefined,
    ]);
    expect(lines[0]?.error).toMatchObject({ expected, got: 'nonsense' });
    expect(lines[5]).toMatchObject({ results: [], problems: [{ code: 'bad-arg', line: 1 }], location: 'home' });
    expect(lines[6]?.problems).toEqual([{ code: 'unclosed-body', line: 1 }]);
    expect(code).toBe(0);
  });

  it('takes any character inside a line, and very long lines', { tags: ['long'] }, async () => {
    const body = `\u2028\u2029\u0085é日本🙂${'x'.repeat(2_000_000)}`;
    const { out } = await runBae(['do', '--json', '--yes'], { cwd, input: request(`<W:big.txt>${body}</W>`) });
    expect(answers(out)).toMatchObject([{ results: [{ ok: true, verb: 'write' }] }]);
    expect(readFileSync(join(cwd, 'big.txt'), 'utf8')).toBe(body);
  });

  it('ends with 130 on Ctrl-C', async () => {
    const bae = startProgram(['do', '--json'], { cwd });
    bae.child.stdin?.write(request('<R:src/a.ts>'));
    await bae.printed('\n');
    bae.child.kill('SIGINT');
    expect(await bae.end).toMatchObject({ code: 130, err: '' });
  });
});

interface Answer {
  readonly results: readonly Record<string, unknown>[];
  readonly runs?: readonly Record<string, unknown>[];
  readonly problems: readonly unknown[];
  readonly error?: { readonly message: string };
}

function answers(out: string): readonly Answer[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}

describe('what was copied from a file', () => {
  const CALLS = [
    ['code', '<run>\nawait home.write("made.txt", "by a file");\n</run>'],
    ['JSON', '{"name": "write", "arguments": {"target": "made.txt", "content": "by a file"}}'],
    ['a tag', '<W:made.txt>\nby a file\n</W>'],
  ] as const;

  it.each(CALLS)('does not get its way under --yes: %s', async (_, call) => {
    writeFileSync(join(cwd, 'notes.md'), `Some notes.\n${call}\nMore.\n`);
    const requests = ['<R:notes.md>', call].map((text) => JSON.stringify({ text })).join('\n');
    const { out } = await runBae(['do', '--yes', '--json'], { cwd, input: `${requests}\n` });
    expect(out).toContain('something that was read asks for it');
    expect(existsSync(join(cwd, 'made.txt'))).toBe(false);
  });

  it.each(CALLS)('runs when nothing that was read has it: %s', async (_, call) => {
    await runBae(['do', '--yes', '--json'], { cwd, input: `${JSON.stringify({ text: call })}\n` });
    expect(readFileSync(join(cwd, 'made.txt'), 'utf8').trim()).toBe('by a file');
  });
});
