import type { ApprovalRequest } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { approvalQuestion, consentOf } from './approval-question.ts';

const style = { columns: 40, paint: (_: string, text: string) => text };

describe('approvalQuestion', () => {
  it('shows the call, its place and how its body begins', () => {
    const content = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
    const request: ApprovalRequest = {
      space: 'home',
      tool: 'write',
      effect: 'write',
      tag: '<W:a.txt>',
      args: { path: 'a.txt', content },
    };
    expect(approvalQuestion(request, style)).toBe(`\
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
  … 12 more lines`);
  });

  it('hides nothing that would act on the terminal, and cuts long lines', () => {
    const args = { title: `\u001B[1A${'x'.repeat(100)}`, count: 3 };
    const request: ApprovalRequest = {
      space: 'github',
      tool: 'create',
      effect: 'external',
      tag: '<create:\u202Ex>',
      args,
    };
    expect(approvalQuestion(request, style)).toBe(`\
? <create:<U+202E>x> in github reaches beyond this machine:
  title: ␛[1Axxxxxxxxxxxxxxxxxxxxxxxxxx…
  count: 3`);
  });
});

describe('consentOf', () => {
  it.each([
    ['y', 'once'],
    [' YES ', 'once'],
    ['a', 'always'],
    ['n', 'no'],
    ['', undefined],
    ['sure', undefined],
  ])('takes %j for %s', (answer, consent) => {
    expect(consentOf(answer)).toBe(consent);
  });
});
