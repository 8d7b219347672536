import { describe, expect, it } from 'vitest';
import { createPainter } from '../terminal/terminal-text.ts';
import { addSpeaker } from './call-lines.ts';

const plain = createPainter({ color: false });

describe('addSpeaker', () => {
  it('names the channel and the session', () => {
    expect(addSpeaker('hello', { channel: 'ai', label: '2' }, plain)).toBe('[ai:2] hello');
    expect(addSpeaker('hello', { channel: 'code' }, plain)).toBe('[code] hello');
  });

  it('indents later lines, and leaves blank lines as they are', () => {
    expect(addSpeaker('a\n\nb\n  c\n', { channel: 'code' }, plain)).toBe('[code] a\n\n  b\n    c\n');
  });

  it('colours the speaker only', () => {
    expect(addSpeaker('hello', { channel: 'ai', label: '1' }, createPainter({ color: true }))).toBe(
      '\u001B[38;2;135;215;255m[ai:1]\u001B[0m hello',
    );
  });
});
