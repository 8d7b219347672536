import { describe, expect, it } from 'vitest';
import { MemoryOutput } from '../../test/memory-terminal.ts';
import { answer, callEnd, notice, runEnd } from '../../test/sample-events.ts';
import { JsonView } from './json-view.ts';
import { TypedView } from './typed-view.ts';

describe('TypedView', () => {
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

  it('frames run blocks', () => {
    const out = new MemoryOutput({ width: 24 });
    new TypedView(out).handle(runEnd({ ok: false, output: 'RunError: there is no sandbox here' }));
    expect(out.text.split('\n')).toEqual([
      '╭─ exec ───────────────╮',
      '│ 1 + 1                │',
      '├──────────────────────┤',
      '│ RunError: there is … │',
      '╰──────────────────────╯',
      '',
    ]);
  });
});

describe('JsonView', () => {
  it('writes every event as one line', () => {
    const out = new MemoryOutput();
    const view = new JsonView(out);
    const events = [callEnd({ text: 'a\nb' }), answer('Done.')];
    for (const event of events) view.handle(event);
    expect(
      out.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(events);
  });
});
