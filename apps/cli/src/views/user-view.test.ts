import { createAgent, type AgentEvent } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { MemoryOutput } from '../../test/memory-terminal.ts';
import { answer, callEnd, notice, runEnd, runStart } from '../../test/sample-events.ts';
import { sampleHome } from '../../test/sample-spaces.ts';
import { createPainter } from '../terminal/terminal-text.ts';
import { addSpeaker, createUserView } from './user-view.ts';

describe('a view of turns', () => {
  it('has of equal calls that follow one another in code the first at once, and then their number', () => {
    const { view, progress } = plain();
    void view(runStart('for (const at of all) await nav(at)'));
    const same = callEnd({ summary: '◆ nav() (5 lines)' });
    for (let count = 0; count < 200; count++) void view(same);
    expect(progress.text).toBe('◆ nav() (5 lines)\n');
    void view(callEnd({ summary: '◆ read(a.txt) -> string (1 line)' }));
    void view(same);
    void view(same);
    void view(runEnd({ code: 'for (const at of all) await nav(at)', output: 'over' }));
    expect(progress.text.split('\n').slice(0, 5)).toEqual([
      '◆ nav() (5 lines)',
      '◆ nav() (5 lines) ×199 more',
      '◆ read(a.txt) -> string (1 line)',
      '◆ nav() (5 lines)',
      '◆ nav() (5 lines) ×1 more',
    ]);
    expect(progress.text).toContain('over');
  });

  it('shows one line per call, with its space where that is not home', () => {
    const { view, progress } = plain();
    void view(callEnd({ summary: '◆ read(a.txt) -> string (1 line)' }));
    void view(callEnd({ summary: '[source] ◆ read(nope) -> ResourceError', ok: false }));
    expect(progress.text).toBe('◆ read(a.txt) -> string (1 line)\n[source] ◆ read(nope) -> ResourceError\n');
  });

  it('explains how a refused call could be allowed when there was nobody to ask', () => {
    const refusal = {
      summary: '◆ write(a.txt) -> ApprovalError',
      ok: false,
      errorType: 'ApprovalError',
      text: 'ApprovalError: write was not run: no one is available to approve it.\u001B[2J To allow it, start bae with --yes.',
    };
    const alone = plain({ unattended: true });
    void alone.view(callEnd(refusal));
    expect(alone.progress.text).toBe(
      '◆ write(a.txt) -> ApprovalError\nwrite was not run: no one is available to approve it.␛[2J To allow it, start bae with --yes.\n',
    );
    const attended = plain();
    void attended.view(callEnd(refusal));
    expect(attended.progress.text).toBe('◆ write(a.txt) -> ApprovalError\n');
  });

  it('colours the bullet, the rest, errors and the word pruned', () => {
    const { view, progress } = plain({ color: true });
    void view(callEnd({ summary: '[tasks] ◆ read(7) -> string (2 lines)' }));
    void view(callEnd({ summary: '◆ read(x) -> ResourceError', ok: false }));
    void view(callEnd({ summary: '◆ grep(x) -> string (200 lines, pruned to 71)', pruned: true }));
    void view(callEnd({ summary: '◆ test() (1 passed, 1 failed)', failed: true }));
    expect(progress.text.replaceAll('\u001B', 'ESC').split('\n')).toEqual([
      'ESC[3;38;5;246m[tasks] ESC[0mESC[96m◆ESC[0mESC[3;38;5;246m read(7) -> string (2 lines)ESC[0m',
      'ESC[31m◆ read(x) -> ResourceErrorESC[0m',
      'ESC[96m◆ESC[0mESC[3;38;5;246m grep(x) -> string (200 lines, ESC[0mESC[33mpruned to 71ESC[0mESC[3;38;5;246m)ESC[0m',
      'ESC[31m◆ test() (1 passed, 1 failed)ESC[0m',
      '',
    ]);
  });

  it('writes no escape code where colours are not wanted', async () => {
    const { view, progress, answers } = plain({ isTerminal: true });
    for (const event of EVERYTHING) await view(event);
    expect(progress.text + answers.text).not.toContain('\u001B');
  });

  it('puts the speaker before an answer on a terminal, and indents the lines after the first', async () => {
    const { view, answers } = plain({ isTerminal: true });
    await view(answer('First.\n\n- second', '2'));
    expect(answers.text).toBe('[ai:2] First.\n\n  • second\n');
  });

  it('writes the plain answer to a file', () => {
    const { view, answers } = plain();
    void view(answer('First.\nSecond.'));
    expect(answers.text).toBe('First.\nSecond.\n');
  });

  it('removes calls from an answer, and writes nothing when nothing is left', () => {
    const { view, answers } = plain();
    void view(answer('Before\n<call>'));
    void view(answer('<call>'));
    expect(answers.text).toBe('Before\n');
  });

  it('frames a run block with its output', () => {
    const { view, progress } = plain({ width: 30 });
    void view(runEnd({ code: '1 + 1', output: '2' }));
    void view(runEnd({ code: 'x = 日本', output: '' }));
    expect(progress.text).toBe(`\
╭─ ai:1 ─────────────────────╮
│ 1 + 1                      │
├────────────────────────────┤
│ 2                          │
╰───────────────────── 1 ms ─╯
╭─ ai:1 ─────────────────────╮
│ x = 日本                   │
├────────────────────────────┤
│ (executed)                 │
╰───────────────────── 1 ms ─╯
`);
  });

  it('tells what cut a turn short, and keeps quiet about what the model mends itself', () => {
    const { view, progress } = plain();
    void view(notice('limit', 'stopped after 3 tool rounds; 1 call not run'));
    void view(notice('parse-problem', 'line 1: …'));
    void view(notice('error', 'ModelError: …'));
    expect(progress.text).toBe('stopped after 3 tool rounds; 1 call not run\n');
  });

  it('makes visible whatever would act on the terminal', () => {
    const { view, progress, answers } = plain();
    void view(callEnd({ summary: '◆ read(\u001B[2J\nx) -> string (1 line)' }));
    void view(answer('\u001B]52;c;x\u0007done\u202E'));
    void view(runEnd({ code: 'a', output: '\u009B31m' }));
    expect(progress.text.split('\n')[0]).toBe('◆ read(␛[2J⏎x) -> string (1 line)');
    expect(progress.text).toContain('<U+009B>31m');
    expect(answers.text).toBe('␛]52;c;x␇done<U+202E>\n');
  });

  it('leaves intermediate responses out', () => {
    const { view, progress, answers } = plain();
    void view({ label: '1', turn: 1, type: 'response-delta', text: 'Let me look.' });
    void view({ label: '1', turn: 1, type: 'turn-start', prompt: 'hi' });
    expect(progress.text + answers.text).toBe('');
  });
});

const EVERYTHING: readonly AgentEvent[] = [
  callEnd({}),
  callEnd({ ok: false }),
  runEnd({}),
  notice('limit', 'stopped'),
  answer('Done.'),
];

interface Setting {
  readonly isTerminal?: boolean;
  readonly color?: boolean;
  readonly width?: number;
  readonly unattended?: boolean;
}

function plain({ unattended = false, ...options }: Setting = {}) {
  const progress = new MemoryOutput(options);
  const answers = new MemoryOutput(options);
  const view = createUserView(progress, { answers, unattended, prose: (text) => text.replace('<call>', '').trim() });
  return { view, progress, answers };
}

describe('a view of what a person typed', () => {
  it('has of equal calls that follow one another in code the first at once, and then their number', () => {
    const out = new MemoryOutput();
    const view = createUserView(out, 'lines');
    void view(runStart('for (const at of all) await nav(at)'));
    const same = callEnd({ summary: '◆ nav() (5 lines)' });
    for (let count = 0; count < 200; count++) void view(same);
    expect(out.text).toBe('◆ nav() (5 lines)\n');
    void view(callEnd({ summary: '◆ read(a.txt) -> string (1 line)' }));
    void view(same);
    void view(same);
    void view(runEnd({ code: 'for (const at of all) await nav(at)', output: 'over' }));
    expect(out.text.split('\n').slice(0, 5)).toEqual([
      '◆ nav() (5 lines)',
      '◆ nav() (5 lines) ×199 more',
      '◆ read(a.txt) -> string (1 line)',
      '◆ nav() (5 lines)',
      '◆ nav() (5 lines) ×1 more',
    ]);
    expect(out.text).toContain('over');
  });

  it('shows the text of a result without any envelope', () => {
    const out = new MemoryOutput();
    const view = createUserView(out);
    void view(callEnd({ text: 'one\ntwo\n' }));
    void view(callEnd({ text: '' }));
    void view(answer('not asked for'));
    expect(out.text).toBe('one\ntwo\n(no output)\n');
  });

  it('shows failures in red, and problems as one line', () => {
    const out = new MemoryOutput({ color: true });
    const view = createUserView(out);
    void view(callEnd({ ok: false, text: 'ResourceError: no.\nTry: <R:>' }));
    void view(notice('parse-problem', 'line 1: <W:a> has no closing </W>.'));
    expect(out.text).toBe(
      '\u001B[31mResourceError: no.\nTry: <R:>\u001B[0m\n\u001B[33mline 1: <W:a> has no closing </W>.\u001B[0m\n',
    );
  });

  it('makes visible whatever would act on the terminal', () => {
    const out = new MemoryOutput();
    void createUserView(out)(callEnd({ text: 'a\u001B]8;;x\u0007b\u009Bc\u200Bd' }));
    expect(out.text).toBe('a␛]8;;x␇b<U+009B>c<U+200B>d\n');
  });

  it('shows a block that does nothing but a call as that call', () => {
    const out = new MemoryOutput();
    const view = createUserView(out);
    void view(runStart('read("a.txt")'));
    void view(callEnd({ tag: 'read("a.txt")', text: 'one' }));
    void view(runEnd({ code: 'read("a.txt")', output: 'one' }));
    void view(runStart('read("b.txt")'));
    void view(callEnd({ tag: 'read("b.txt")', ok: false, text: 'FileNotFoundError: b.txt.' }));
    void view(runEnd({ code: 'read("b.txt")', ok: false, output: 'FileNotFoundError: b.txt.' }));
    expect(out.text).toBe('one\nFileNotFoundError: b.txt.\n');
  });

  it('shows what a block has changed once the block has ended well, and never if it has not', () => {
    const out = new MemoryOutput();
    const { tree } = createAgent({ home: sampleHome });
    const view = createUserView(out, 'lines', tree);
    const code = 'write("p.txt", "x")';
    const wrote = callEnd({ tag: code, verb: 'write', text: 'Wrote 1 char' });
    void view(runStart(code));
    void view(wrote);
    expect(out.text).toBe('');
    void view(runEnd({ code, ok: false, output: 'Wrote 1 char\nthe user said no.' }));
    expect(out.text).toBe('the user said no.\n');
    void view(runStart(code));
    void view(wrote);
    void view(runEnd({ code, output: '' }));
    expect(out.text).toBe('the user said no.\nWrote 1 char\n');
  });

  it('shows what functions give that are no tools', () => {
    const out = new MemoryOutput({ width: 24 });
    const view = createUserView(out);
    for (const code of ['Math.max(1, 2)', 'await lengthOf("a.txt")']) {
      void view(runStart(code));
      if (code.includes('lengthOf')) void view(callEnd({ tag: 'read("a.txt")', text: 'content' }));
      void view(runEnd({ code, output: '2' }));
    }
    expect(out.text.match(/│ 2 /g)).toHaveLength(2);
  });

  it('shows a line for each call of other blocks, above their panel', () => {
    const out = new MemoryOutput({ width: 24 });
    const view = createUserView(out);
    void view(runStart('(await read("a")).length'));
    void view(callEnd({ text: 'a long text' }));
    void view(runEnd({ code: '(await read("a")).length', output: '11' }));
    expect(out.text.split('\n').slice(0, 2)).toEqual(['◆ read(a.txt) -> string (1 line)', '╭─ exec ───────────────╮']);
  });

  it('frames run blocks', () => {
    const out = new MemoryOutput({ width: 24 });
    void createUserView(out)(runEnd({ ok: false, output: 'RunError: there is no sandbox here' }));
    expect(out.text.split('\n')).toEqual([
      '╭─ exec ───────────────╮',
      '│ 1 + 1                │',
      '├──────────────────────┤',
      '│ RunError: there is … │',
      '╰─────────────── 1 ms ─╯',
      '',
    ]);
  });

  it('shows what typed code came to as lines, and nothing when it came to nothing', () => {
    const out = new MemoryOutput({ isTerminal: true });
    const view = createUserView(out, 'lines');
    void view(runStart('const a = 1'));
    void view(runEnd({ code: 'const a = 1', output: '' }));
    void view(runStart('(await read("a")).split("\\n")'));
    void view(callEnd({ text: 'a long text' }));
    void view(runEnd({ code: '(await read("a")).split("\\n")', output: '["one",\n"two\u0007"]' }));
    void view(runEnd({ ok: false, output: 'Error: no\n  at line 1' }));
    expect(out.text).toBe(
      '◆ read(a.txt) -> string (1 line)\n[code] ["one",\n  "two␇"]\n[code] Error: no\n    at line 1\n',
    );
  });

  it('wraps what bae says at words, and leaves the content of a file as it is', () => {
    const out = new MemoryOutput({ isTerminal: true, width: 20 });
    const view = createUserView(out, 'lines');
    const text = 'words that are longer than it';
    void view(callEnd({ verb: 'help', text }));
    void view(callEnd({ verb: 'read', text }));
    expect(out.text).toBe('words that are\nlonger than it\nwords that are longer than it\n');
  });

  it('shows an error in a colour of its own', () => {
    const out = new MemoryOutput({ color: true });
    const view = createUserView(out, 'lines');
    void view(runEnd({ ok: false, output: 'Error: no' }));
    expect(out.text).toBe(`${createPainter(out)('error', 'Error: no')}\n`);
    expect(out.text).not.toBe('Error: no\n');
  });

  it('has no speaker in front of lines in a pipe', () => {
    const out = new MemoryOutput();
    const view = createUserView(out, 'lines');
    void view(runStart('1 + 1'));
    void view(runEnd({ code: '1 + 1', output: '2' }));
    expect(out.text).toBe('2\n');
  });
});

const colourless = createPainter({ color: false });

describe('addSpeaker', () => {
  it('names the channel and the session', () => {
    expect(addSpeaker('hello', { channel: 'ai', label: '2' }, colourless)).toBe('[ai:2] hello');
    expect(addSpeaker('hello', { channel: 'code' }, colourless)).toBe('[code] hello');
  });

  it('indents later lines, and leaves blank lines as they are', () => {
    expect(addSpeaker('a\n\nb\n  c\n', { channel: 'code' }, colourless)).toBe('[code] a\n\n  b\n    c\n');
  });

  it('colours the speaker only', () => {
    expect(addSpeaker('hello', { channel: 'ai', label: '1' }, createPainter({ color: true }))).toBe(
      '\u001B[38;2;135;215;255m[ai:1]\u001B[0m hello',
    );
  });
});
