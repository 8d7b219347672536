import type { AgentEvent } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { MemoryOutput } from '../../test/memory-terminal.ts';
import { answer, callEnd, notice, runEnd, runStart } from '../../test/sample-events.ts';
import { UserView } from './user-view.ts';

describe('UserView', () => {
  it('has of equal calls that follow one another in code the first at once, and then their number', () => {
    const { view, progress } = plain();
    view.handle(runStart('for (const at of all) await nav(at)'));
    const same = callEnd({ summary: '◆ nav() -> string (5 lines)' });
    for (let count = 0; count < 200; count++) view.handle(same);
    expect(progress.text).toBe('◆ nav() -> string (5 lines)\n');
    view.handle(callEnd({ summary: '◆ read(a.txt) -> string (1 line)' }));
    view.handle(same);
    view.handle(same);
    view.handle(runEnd({ code: 'for (const at of all) await nav(at)', output: 'over' }));
    expect(progress.text.split('\n').slice(0, 5)).toEqual([
      '◆ nav() -> string (5 lines)',
      '◆ nav() -> string (5 lines) ×199 more',
      '◆ read(a.txt) -> string (1 line)',
      '◆ nav() -> string (5 lines)',
      '◆ nav() -> string (5 lines) ×1 more',
    ]);
    expect(progress.text).toContain('over');
  });

  it('shows one line per call, with its space where that is not home', () => {
    const { view, progress } = plain();
    view.handle(callEnd({ summary: '◆ read(a.txt) -> string (1 line)' }));
    view.handle(callEnd({ summary: '[source] ◆ read(nope) -> ResourceError', ok: false }));
    expect(progress.text).toBe('◆ read(a.txt) -> string (1 line)\n[source] ◆ read(nope) -> ResourceError\n');
  });

  it('explains how a refused call could be allowed when there was nobody to ask', () => {
    const refusal = {
      summary: '◆ write(a.txt) -> ApprovalError',
      ok: false,
      errorType: 'ApprovalError',
      text: 'ApprovalError: write was not run: nobody is here to approve it.\u001B[2J To allow it, start bae with --yes.',
    };
    const alone = plain({ unattended: true });
    alone.view.handle(callEnd(refusal));
    expect(alone.progress.text).toBe(
      '◆ write(a.txt) -> ApprovalError\nwrite was not run: nobody is here to approve it.␛[2J To allow it, start bae with --yes.\n',
    );
    const attended = plain();
    attended.view.handle(callEnd(refusal));
    expect(attended.progress.text).toBe('◆ write(a.txt) -> ApprovalError\n');
  });

  it('colours the bullet, the rest, errors and the word pruned', () => {
    const { view, progress } = plain({ color: true });
    view.handle(callEnd({ summary: '[tasks] ◆ read(7) -> string (2 lines)' }));
    view.handle(callEnd({ summary: '◆ read(x) -> ResourceError', ok: false }));
    view.handle(callEnd({ summary: '◆ grep(x) -> string (200 lines, pruned to 71)', pruned: true }));
    expect(progress.text.replaceAll('\u001B', 'ESC').split('\n')).toEqual([
      'ESC[3;38;5;246m[tasks] ESC[0mESC[96m◆ESC[0mESC[3;38;5;246m read(7) -> string (2 lines)ESC[0m',
      'ESC[31m◆ read(x) -> ResourceErrorESC[0m',
      'ESC[96m◆ESC[0mESC[3;38;5;246m grep(x) -> string (200 lines, ESC[0mESC[33mpruned to 71ESC[0mESC[3;38;5;246m)ESC[0m',
      '',
    ]);
  });

  it('writes no escape code where colours are not wanted', () => {
    const { view, progress, answers } = plain({ isTerminal: true });
    for (const event of EVERYTHING) view.handle(event);
    expect(progress.text + answers.text).not.toContain('\u001B');
  });

  it('puts the speaker before an answer on a terminal, and indents the lines after the first', () => {
    const { view, answers } = plain({ isTerminal: true });
    view.handle(answer('First.\n\n- second', '2'));
    expect(answers.text).toBe('[ai:2] First.\n\n  - second\n');
  });

  it('writes the plain answer to a file', () => {
    const { view, answers } = plain();
    view.handle(answer('First.\nSecond.'));
    expect(answers.text).toBe('First.\nSecond.\n');
  });

  it('removes calls from an answer, and writes nothing when nothing is left', () => {
    const { view, answers } = plain();
    view.handle(answer('Before\n<call>'));
    view.handle(answer('<call>'));
    expect(answers.text).toBe('Before\n');
  });

  it('frames a run block with its output', () => {
    const { view, progress } = plain({ width: 30 });
    view.handle(runEnd({ code: '1 + 1', output: '2' }));
    view.handle(runEnd({ code: 'x = 日本', output: '' }));
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
    view.handle(notice('limit', 'stopped after 3 tool rounds; 1 call not run'));
    view.handle(notice('parse-problem', 'line 1: …'));
    view.handle(notice('error', 'ModelError: …'));
    expect(progress.text).toBe('stopped after 3 tool rounds; 1 call not run\n');
  });

  it('makes visible whatever would act on the terminal', () => {
    const { view, progress, answers } = plain();
    view.handle(callEnd({ summary: '◆ read(\u001B[2J\nx) -> string (1 line)' }));
    view.handle(answer('\u001B]52;c;x\u0007done\u202E'));
    view.handle(runEnd({ code: 'a', output: '\u009B31m' }));
    expect(progress.text.split('\n')[0]).toBe('◆ read(␛[2J⏎x) -> string (1 line)');
    expect(progress.text).toContain('<U+009B>31m');
    expect(answers.text).toBe('␛]52;c;x␇done<U+202E>\n');
  });

  it('leaves intermediate responses out', () => {
    const { view, progress, answers } = plain();
    view.handle({ label: '1', turn: 1, type: 'response-delta', text: 'Let me look.' });
    view.handle({ label: '1', turn: 1, type: 'turn-start', prompt: 'hi' });
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
  const view = new UserView({ progress, answers, unattended, prose: (text) => text.replace('<call>', '').trim() });
  return { view, progress, answers };
}
