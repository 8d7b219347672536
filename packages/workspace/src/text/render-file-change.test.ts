import { describe, expect, it } from 'vitest';
import { renderFileChange } from './unified-diff.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('renderFileChange', () => {
  it('is the difference between two texts', () => {
    expect(renderFileChange({ path: 'a.txt', before: bytes('\uFEFFé\n'), after: bytes('e\n') })).toBe(
      '--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-\uFEFFé\n+e\n',
    );
    expect(renderFileChange({ path: 'a.txt', after: bytes('e\n') })).toBe(
      '--- /dev/null\n+++ a.txt\n@@ -0,0 +1 @@\n+e\n',
    );
  });

  it('is in words for what is no text, or too much of it', () => {
    const noText = ' bytes that are no text\n';
    expect(renderFileChange({ path: 'a.bin', before: new Uint8Array([0]), after: bytes('e') })).toBe(
      `a.bin: 1 -> 1${noText}`,
    );
    expect(renderFileChange({ path: 'a.bin', before: new Uint8Array([0xff, 0xfe]) })).toBe(`a.bin: 2 -> 0${noText}`);
    expect(renderFileChange({ path: 'a.txt', before: bytes('x'.repeat(4_000_000)), after: bytes('y') })).toBe(
      'a.txt: 4000000 -> 1 bytes, too many to compare\n',
    );
  });
});
