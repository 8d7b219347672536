import { describe, expect, it } from 'vitest';
import { MemoryOutput } from '../../test/memory-terminal.ts';
import { answer, callEnd, notice, runEnd, runStart } from '../../test/sample-events.ts';
import { createPainter } from '../terminal/terminal-text.ts';
import { TypedView } from './typed-view.ts';

describe('TypedView', () => {
  it('has of equal calls that follow one another in code the first at once, and then their number', () => {
    const out = new MemoryOutput();
    const view = new TypedView(out, 'lines');
    view.handle(runStart('for (const at of all) await nav(at)'));
    const same = callEnd({ summary: '◆ nav() -> string (5 lines)' });
    for (let count = 0; count < 200; count++) view.handle(same);
    expect(out.text).toBe('◆ nav() -> string (5 lines)\n');
    view.handle(callEnd({ summary: '◆ read(a.txt) -> string (1 line)' }));
    view.handle(same);
    view.handle(same);
    view.handle(runEnd({ code: 'for (const at of all) await nav(at)', output: 'over' }));
    expect(out.text.split('\n').slice(0, 5)).toEqual([
      '◆ nav() -> string (5 lines)',
      '◆ nav() -> string (5 lines) ×199 more',
      '◆ read(a.txt) -> string (1 line)',
      '◆ nav() -> string (5 lines)',
      '◆ nav() -> string (5 lines) ×1 more',
    ]);
    expect(out.text).toContain('over');
  });

  it('shows the text of a result without any envelope', () => {
    const out = new MemoryOutput();
    const view = new TypedView(out);
    view.handle(callEnd({ text: 'one\ntwo\n' }));
    view.handle(callEnd({ text: '' }));
    view.handle(answer('not asked for'));
    expect(out.text).toBe('one\ntwo\n(no output)\n');
  });

  it('shows failures in red, and problems as one line', () => {
    const out = new MemoryOutput({ color: true });
    const view = new TypedView(out);
    view.handle(callEnd({ ok: false, text: 'ResourceError: no.\nTry: <R:>' }));
    view.handle(notice('parse-problem', 'line 1: <W:a> has no closing </W>.'));
    expect(out.text).toBe(
      '\u001B[31mResourceError: no.\nTry: <R:>\u001B[0m\n\u001B[33mline 1: <W:a> has no closing </W>.\u001B[0m\n',
    );
  });

  it('makes visible whatever would act on the terminal', () => {
    const out = new MemoryOutput();
    new TypedView(out).handle(callEnd({ text: 'a\u001B]8;;x\u0007b\u009Bc\u200Bd' }));
    expect(out.text).toBe('a␛]8;;x␇b<U+009B>c<U+200B>d\n');
  });

  it('shows a block that does nothing but a call as that call', () => {
    const out = new MemoryOutput();
    const view = new TypedView(out);
    view.handle(runStart('read("a.txt")'));
    view.handle(callEnd({ tag: 'read("a.txt")', text: 'one' }));
    view.handle(runEnd({ code: 'read("a.txt")', output: 'one' }));
    view.handle(runStart('read("b.txt")'));
    view.handle(callEnd({ tag: 'read("b.txt")', ok: false, text: 'FileNotFoundError: b.txt.' }));
    view.handle(runEnd({ code: 'read("b.txt")', ok: false, output: 'FileNotFoundError: b.txt.' }));
    expect(out.text).toBe('one\nFileNotFoundError: b.txt.\n');
  });

  it('shows what functions give that are no tools', () => {
    const out = new MemoryOutput({ width: 24 });
    const view = new TypedView(out);
    for (const code of ['Math.max(1, 2)', 'await lengthOf("a.txt")']) {
      view.handle(runStart(code));
      if (code.includes('lengthOf')) view.handle(callEnd({ tag: 'read("a.txt")', text: 'content' }));
      view.handle(runEnd({ code, output: '2' }));
    }
    expect(out.text.match(/│ 2 /g)).toHaveLength(2);
  });

  it('shows a line for each call of other blocks, above their panel', () => {
    const out = new MemoryOutput({ width: 24 });
    const view = new TypedView(out);
    view.handle(runStart('(await read("a")).length'));
    view.handle(callEnd({ text: 'a long text' }));
    view.handle(runEnd({ code: '(await read("a")).length', output: '11' }));
    expect(out.text.split('\n').slice(0, 2)).toEqual(['◆ read(a.txt) -> string (1 line)', '╭─ exec ───────────────╮']);
  });

  it('frames run blocks', () => {
    const out = new MemoryOutput({ width: 24 });
    new TypedView(out).handle(runEnd({ ok: false, output: 'RunError: there is no sandbox here' }));
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
    const view = new TypedView(out, 'lines');
    view.handle(runStart('const a = 1'));
    view.handle(runEnd({ code: 'const a = 1', output: '' }));
    view.handle(runStart('(await read("a")).split("\\n")'));
    view.handle(callEnd({ text: 'a long text' }));
    view.handle(runEnd({ code: '(await read("a")).split("\\n")', output: '["one",\n"two\u0007"]' }));
    view.handle(runEnd({ ok: false, output: 'Error: no\n  at line 1' }));
    expect(out.text).toBe(
      '◆ read(a.txt) -> string (1 line)\n[code] ["one",\n  "two␇"]\n[code] Error: no\n    at line 1\n',
    );
  });

  it('shows an error in a colour of its own', () => {
    const out = new MemoryOutput({ color: true });
    const view = new TypedView(out, 'lines');
    view.handle(runEnd({ ok: false, output: 'Error: no' }));
    expect(out.text).toBe(`${createPainter(out)('error', 'Error: no')}\n`);
    expect(out.text).not.toBe('Error: no\n');
  });

  it('has no speaker in front of lines in a pipe', () => {
    const out = new MemoryOutput();
    const view = new TypedView(out, 'lines');
    view.handle(runStart('1 + 1'));
    view.handle(runEnd({ code: '1 + 1', output: '2' }));
    expect(out.text).toBe('2\n');
  });
});
