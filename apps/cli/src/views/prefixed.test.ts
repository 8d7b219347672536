import { describe, expect, it } from 'vitest';
import { painterFor } from '../terminal/paint.ts';
import { indented, prefixed } from './prefixed.ts';

const plain = painterFor({ color: false });

describe('prefixed', () => {
  it('names the channel and the session', () => {
    expect(prefixed('hello', { channel: 'ai', label: '2' }, plain)).toBe('[ai:2] hello');
    expect(prefixed('hello', { channel: 'debug' }, plain)).toBe('[debug] hello');
  });

  it('colours the speaker only', () => {
    expect(prefixed('hello', { channel: 'ai', label: '1' }, painterFor({ color: true }))).toBe(
      '\u001B[38;2;135;215;255m[ai:1]\u001B[0m hello',
    );
  });
});

describe('indented', () => {
  it('leaves the first line and blank lines as they are', () => {
    expect(indented('a\n\nb\n  c\n')).toBe('a\n\n  b\n    c\n');
  });
});
