import { describe, expect, it } from 'vitest';
import { codeFrames } from './code-frames.ts';

describe('codeFrames', () => {
  it('keeps what is in the code, and says in which block', () => {
    const stack = [
      '    at request (bae:80:20)',
      '    at read (bae:150:2)',
      '    at f (block-3:2:10)',
      '    at map (native)',
      '    at <anonymous> (block-1:7:1)',
      '    at <eval> (block-3:9:5)',
      '    at block-3:4:1',
      '',
    ].join('\n');
    expect(codeFrames(stack, 3)).toEqual(['at f (line 2)', 'at line 7 of block 1', 'at line 9', 'at line 4']);
  });

  it('names a line once, whose callback failed in it', () => {
    const stack = '    at <anonymous> (block-1:2:10)\n    at map (native)\n    at <eval> (block-1:2:5)\n';
    expect(codeFrames(stack, 1)).toEqual(['at line 2']);
  });

  it('keeps eight', () => {
    const stack = Array.from({ length: 20 }, (_, index) => `    at f (block-1:${index + 1}:1)`).join('\n');
    const frames = codeFrames(stack, 1);
    expect(frames).toHaveLength(8);
    expect(frames.at(-1)).toBe('… 13 more');
  });

  it('keeps the beginning of a long name', () => {
    const [frame] = codeFrames(`    at ${'f'.repeat(12_000)} (block-1:1:1)`, 1);
    expect(frame).toBe(`at ${'f'.repeat(80)}… (line 1)`);
  });

  it('finds nothing in what is no stack', () => {
    expect(codeFrames('x\nat /etc/passwd:1:1\n at process (node:internal:1:1)', 1)).toEqual([]);
  });
});
