import { describe, expect, it } from 'vitest';
import { plainText, searchableText } from './searchable-text.ts';

describe('searchableText', () => {
  it('keeps up to 10,000 characters', () => {
    const text = 'x'.repeat(10_000);
    expect(searchableText(text)).toEqual({ content: text, meta: {} });
  });

  it('cuts what is longer, and says how long it was', () => {
    expect(searchableText('x'.repeat(10_001))).toEqual({
      content: 'x'.repeat(10_000),
      meta: { truncated: true, original_length: 10_001 },
    });
  });

  it('cuts no character in two', () => {
    const { content } = searchableText(`x${'😀'.repeat(6000)}`);
    expect(content).toBe(`x${'😀'.repeat(4999)}`);
    expect(searchableText('😀'.repeat(6000)).content).toBe('😀'.repeat(5000));
  });
});

describe('plainText', () => {
  it('replaces what SQLite cannot hold', () => {
    expect(plainText('a\0b\ud800c\udc00 😀')).toBe('a\ufffdb\ufffdc\ufffd 😀');
  });
});
