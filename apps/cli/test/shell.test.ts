import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveModel } from './model-server.ts';
import { openBae, runBae, startProgram } from './run-bae.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-shell-'));
  writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

describe('bae, with piped input', () => {
  it('replies to every line without prompt or echo, and ends by itself', async () => {
    const { code, out, err } = await runBae([], { cwd, input: '<R:a.txt>\n/read a.txt:2\nread("a.txt:1")\n' });
    expect(out.split('\n').slice(1)).toEqual(['one', 'two', '2|two', '1|one', '']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('shows in one line the folder, and how to get a model', async () => {
    const { out } = await runBae([], { cwd, input: '' });
    expect(out).toBe(
      'bae in ~ · no model (export ANTHROPIC_API_KEY=…, --model ollama/NAME, or {"model": "provider/name"} in bae.config.json)\n',
    );
  });

  it('shows in the ai view, byte for byte, what the model is sent', async () => {
    const model = await serveModel(['I look.\n<R:a.txt>', 'Two lines.']);
    try {
      const { out } = await runBae(model.args, { cwd, input: '/view ai\nWhat is in a.txt? \u00e4\u{1f600}\n' });
      const { messages } = JSON.parse(model.requests.at(-1)!) as { messages: { role: string; content: string }[] };
      const blocks = out.split(/^\[(system|ai-input|ai-output:1)\]\n/m).slice(1);
      const shown = blocks.flatMap((name, index) => (index % 2 === 0 ? [[name, blocks[index + 1]!]] : []));
      const names: Readonly<Record<string, string>> = { system: 'system', user: 'ai-input', assistant: 'ai-output:1' };
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
      expect(shown).toEqual([
        ...messages.map(({ role, content }) => [names[role], `${content}\n`]),
        ['ai-output:1', 'Two lines.\n'],
      ]);
    } finally {
      await model.close();
    }
  });

  it('shows what can be typed when there is no model to ask', async () => {
    const { code, err } = await runBae([], { cwd, input: 'who are you?\nsourc()\n/raed\n' });
    expect(err).toBe(`\
There is no model to ask. Type a tag (<R:package.json>), a place (nav() shows them), help, or exit.
no tool or space 'sourc' here. Did you mean source()?
no command /raed here. Did you mean /read?
`);
    expect(code).toBe(0);
  });

  it('replies to a program that waits before it sends the next line: after a block, and after a tag that may have a body', async () => {
    const bae = openBae([], { cwd });
    bae.type('/code\nif (true) { console.log("first") }\n');
    await bae.shows('first\n');
    bae.type('if (false) {\n}\n');
    bae.type('else console.log("second")\n');
    await bae.shows('second\n');
    bae.type('/code\n<E:a.txt:1>\n');
    await bae.shows('one\n');
    bae.terminal.input.end();
    expect(await bae.end).toMatchObject({ code: 0 });
  });

  it('leaves code that is open with /code, and reports it', async () => {
    const { out, err } = await runBae([], { cwd, input: '/code\nif (true) {\n/code\n/read a.txt:2\n' });
    expect(err.split('\n').slice(1)).toEqual([
      'the code before /code was not run: it is incomplete.',
      'lines are for the model and for tags again.',
      '',
    ]);
    expect(out).toContain('2|two\n');
  });

  it('explains how the help is written where lines are code, unless the code has such a name', async () => {
    const { out, err } = await runBae([], { cwd, input: '/code\nhelp grep\nhelp\nvar help = 7\nhelp\n' });
    expect(err.split('\n').slice(1)).toEqual([
      'lines are code here. For the help of bae type /help grep',
      'lines are code here. For the help of bae type /help',
      '',
    ]);
    expect(out).toMatch(/'help' is not defined[^]*\n7\n$/);
  });

  it('reads bodies, edits and unclosed tags as they were meant', async () => {
    const input = '<W:b.txt>\nx\n\ny\n</W>\n<R:a.txt>\n<E:a.txt:1>\nONE\n</E>\n<E:a.txt:1>\n<W:c.txt>\nlost\n';
    const { out } = await runBae(['--yes'], { cwd, input });
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('x\n\ny\n');
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('ONE\ntwo\n');
    expect(existsSync(join(cwd, 'c.txt'))).toBe(false);
    expect(out).toContain('line 1: <W:c.txt> has no closing </W>');
  });

  it('refuses to write where nobody can be asked', async () => {
    const { out } = await runBae([], { cwd, input: '<W:b.txt>hi</W>\n' });
    expect(out).toContain('ApprovalError: write was not run');
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false);
  });

  it('stops at exit', async () => {
    expect((await runBae([], { cwd, input: 'exit\n<R:a.txt>\n' })).out.split('\n')).toHaveLength(2);
  });

  it('makes control characters of files visible', async () => {
    writeFileSync(join(cwd, 'evil.txt'), 'a\u001B]8;;http://x\u0007b\u001B[31mc\u009B2Jd\u202Ee\u200B\n');
    const { out } = await runBae([], { cwd, input: '<R:evil.txt>\n' });
    expect(out.split('\n')[1]).toBe('a␛]8;;http://x␇b␛[31mc<U+009B>2Jd<U+202E>e<U+200B>');
  });

  it('asks the model, shows what it does, and continues after a failure', async () => {
    const server = await serveModel(['<R:a.txt>', 'Two lines.', (response) => void response.writeHead(401).end('{}')]);
    const { code, out, err } = await runBae([...server.args], {
      cwd,
      input: 'What is in a.txt?\nAnd now?\n<R:a.txt:1>\n',
    });
    await server.close();
    expect(out.split('\n').slice(1)).toEqual(['Two lines.', '1|one', '']);
    expect(err).toMatch(/^◆ read\(a\.txt\) -> string \(2 lines\)\nbae: .+\nTry: .+\n$/);
    expect(code).toBe(0);
  });

  it('ends with 130 on an interrupt from outside', async () => {
    const bae = startProgram([], { cwd });
    bae.child.stdin?.write('<R:a.txt>\n');
    await bae.printed('two\n');
    bae.child.kill('SIGINT');
    expect(await bae.end).toMatchObject({ code: 130 });
  });
});
