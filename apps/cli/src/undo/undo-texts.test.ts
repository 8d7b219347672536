import { describe, expect, it } from 'vitest';
import { sampleOperation } from '../../test/sample-operation.ts';
import { operationLine, undoDiff } from './undo-texts.ts';

describe('operationLine', () => {
  it('says when, what, how much and who', () => {
    const line = operationLine(sampleOperation({ session: '0123456789abcdef' }));
    expect(line).toMatch(/^2026-11-\d\d \d\d:\d\d:\d\d {2}edit docs\/a\.md \(2 -> 3 lines\) {2}01234567$/);
  });

  it('lets no name act on the terminal', () => {
    const line = operationLine(sampleOperation({ path: 'a\n\u001B[2J', session: '' }));
    expect(line.includes('\n') || line.includes('\u001B')).toBe(false);
    expect(line).toMatch(/\(2 -> 3 lines\)$/);
  });
});

describe('undoDiff', () => {
  it('puts the changes of all files together', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const changes = [
      { path: 'a', before: bytes('1\n'), after: bytes('2\n') },
      { path: 'b', before: bytes('3\n') },
    ];
    expect(undoDiff({ operations: [], changes })).toBe(
      '--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n--- b\n+++ /dev/null\n@@ -1 +0,0 @@\n-3\n',
    );
  });
});
