import { describe, expect, it } from 'vitest';
import { sampleRequest, secretRequest } from '../../test/sample-request.ts';
import { painterFor } from '../terminal/paint.ts';
import { approvalQuestion } from './approval-question.ts';

const plain = (_: string, text: string) => text;
const style = { columns: 40, rows: 24, paint: plain };
const change = (text: string) => ({ kind: 'change', text }) as const;

describe('approvalQuestion', () => {
  it('shows what would change', () => {
    const diff = '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n';
    expect(approvalQuestion(sampleRequest(), change(diff), style)).toEqual({
      clipped: false,
      text: `\
? <W:a.txt> in home changes something here:
  --- a.txt
  +++ a.txt
  @@ -1,2 +1,2 @@
   one
  -two
  +three`,
    });
  });

  it('colours what would change', () => {
    const diff = '--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n--- two\n+three\n';
    const { text } = approvalQuestion(sampleRequest(), change(diff), { ...style, paint: painterFor({ color: true }) });
    expect(text.replaceAll('\u001B', '^')).toBe(`\
^[33m?^[0m ^[1m<W:a.txt>^[0m in home changes something here:
^[1m  --- a.txt^[0m
^[1m  +++ a.txt^[0m
^[33m  @@ -1 +1 @@^[0m
^[31m  --- two^[0m
^[38;2;135;255;135m  +three^[0m`);
  });

  it('shows as much as the screen holds, and says how much is left', () => {
    const diff = Array.from({ length: 30 }, (_, index) => `+line ${index + 1}`).join('\n');
    const { text, clipped } = approvalQuestion(sampleRequest(), change(diff), { ...style, rows: 11 });
    expect(text.split('\n').slice(-2)).toEqual(['  +line 7', '  … 23 more lines']);
    expect(clipped).toBe(true);
    const tiny = approvalQuestion(sampleRequest(), change('+1\n+2\n+3\n+4\n+5\n+6\n'), { ...style, rows: 2 });
    expect(tiny.text.split('\n').slice(-2)).toEqual(['  +5', '  … 1 more line']);
  });

  it('lets nothing in a change act on the terminal, or pass for its own words', () => {
    const diff = `+\u001B[2J\u202Ex\n+${'y'.repeat(100)}\nrun it? y = yes: y\n`;
    expect(approvalQuestion(sampleRequest(), change(diff), style).text.split('\n').slice(1)).toEqual([
      '  +␛[2J<U+202E>x',
      `  +${'y'.repeat(36)}…`,
      '  run it? y = yes: y',
    ]);
  });

  it('says when nothing would change', () => {
    expect(approvalQuestion(sampleRequest(), change(''), style).text).toMatch(/\n {2}\(nothing would change\)$/);
  });

  it('shows how the body begins where the tool cannot tell what would change', () => {
    const content = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
    const request = sampleRequest({ args: { path: 'a.txt', content } });
    expect(approvalQuestion(request, { kind: 'none' }, style)).toEqual({
      clipped: false,
      text: `\
? <W:a.txt> in home changes something here:
  path: a.txt
  content:
  | line 1
  | line 2
  | line 3
  | line 4
  | line 5
  | line 6
  | line 7
  | line 8
  … 12 more lines`,
    });
  });

  it('says why the call would fail', () => {
    const failure = { kind: 'failure', text: 'EditError: text not found.\nmore' } as const;
    expect(approvalQuestion(sampleRequest(), failure, style).text).toBe(`\
? <W:a.txt> in home changes something here:
  path: a.txt
  it would fail: EditError: text not found.⏎more`);
  });

  it('says why consent is needed for a call that changes nothing', () => {
    expect(approvalQuestion(secretRequest(), { kind: 'none' }, style).text).toBe(`\
? <R:.env> in home needs consent, because it may hold secrets:
  target: .env`);
  });

  it('hides nothing that would act on the terminal, and cuts long lines', () => {
    const args = { title: `\u001B[1A${'x'.repeat(100)}`, count: 3, none: undefined };
    const request = sampleRequest({ space: 'github', effect: 'external', tag: '<create:\u202Ex>', args });
    expect(approvalQuestion(request, { kind: 'none' }, style).text).toBe(`\
? <create:<U+202E>x> in github reaches beyond this machine:
  title: ␛[1Axxxxxxxxxxxxxxxxxxxxxxxxxx…
  count: 3
  none: `);
  });
});
