import { describe, expect, it } from 'vitest';
import { renderFeedback } from './render-feedback.ts';

const NONCE = '9f2c41d07ab3e685';
const EMPTY = { nonce: NONCE, items: [], outputs: [], problems: [], notes: [] };

describe('renderFeedback', () => {
  it('shows results under a header each, then problems, then notes', () => {
    const text = renderFeedback({
      ...EMPTY,
      items: [
        { tag: '<R:core.router>', space: 'source', status: 'ok', text: 'core.router -- dispatch' },
        {
          tag: '<R:nope>',
          space: 'source',
          status: 'ResourceError',
          text: "ResourceError: module 'nope' not found.\nTry: <G:*nope*>",
        },
      ],
      problems: [{ code: 'unclosed-body', line: 4, message: '<W:a> has no closing </W>.' }],
      notes: ['1 <run> block was not executed.'],
    });
    expect(text).toBe(`[Tool output 9f2c41d07ab3e685]
#1 <R:core.router> [source] ok
core.router -- dispatch
---
#2 <R:nope> [source] ResourceError
ResourceError: module 'nope' not found.
Try: <G:*nope*>
[end 9f2c41d07ab3e685]
[Parse problem] line 4: <W:a> has no closing </W>.
[Note] 1 <run> block was not executed.`);
  });

  it('consists of the problem alone when nothing ran', () => {
    const problems = [{ code: 'unclosed-body', line: 1, message: 'no closing </W>.' }] as const;
    expect(renderFeedback({ ...EMPTY, problems })).toBe('[Parse problem] line 1: no closing </W>.');
  });

  it('says so when there is no output', () => {
    expect(renderFeedback({ ...EMPTY, outputs: ['2', ''] })).toBe(
      `[Output ${NONCE}]\n2\n---\n(no output)\n[end ${NONCE}]`,
    );
  });
});
