import type { Operation } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { sampleOperation } from '../../test/sample-operation.ts';
import { renderOperation, renderUndo, resolveSession } from './undo.ts';

describe('renderOperation', () => {
  it('shows time, file, size and session', () => {
    const line = renderOperation(sampleOperation({ session: '0123456789abcdef' }));
    expect(line).toMatch(/^2026-11-\d\d \d\d:\d\d:\d\d {2}edit docs\/a\.md \(2 -> 3 lines\) {2}01234567$/);
  });

  it('lets no name act on the terminal', () => {
    const line = renderOperation(sampleOperation({ path: 'a\n\u001B[2J', session: '' }));
    expect(line.includes('\n') || line.includes('\u001B')).toBe(false);
    expect(line).toMatch(/\(2 -> 3 lines\)$/);
  });
});

describe('renderUndo', () => {
  it('puts the changes of all files together', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const changes = [
      { path: 'a', before: bytes('1\n'), after: bytes('2\n') },
      { path: 'b', before: bytes('3\n') },
    ];
    expect(renderUndo({ operations: [], changes })).toBe(
      '--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n--- b\n+++ /dev/null\n@@ -1 +0,0 @@\n-3\n',
    );
  });
});

const operations: readonly Operation[] = ['ab12cd', 'ab99', 'ab12cd', 'c0ffee'].map((session) =>
  sampleOperation({ session }),
);

describe('resolveSession', () => {
  it('takes the beginning of an id', () => {
    expect(resolveSession(operations, 'c')).toBe('c0ffee');
    expect(resolveSession(operations, 'ab12cd')).toBe('ab12cd');
  });

  it.each([
    ['ab', '--session ab: several sessions have an id that begins like this. There are ab12cd, ab99.'],
    [
      'x',
      '--session x: no session with changes that can be undone has an id that begins like this. There are ab12cd, ab99, c0ffee.',
    ],
  ])('refuses %j', (beginning, message) => {
    expect(() => resolveSession(operations, beginning)).toThrow(message);
  });

  it('has none to name where there are none', () => {
    expect(() => resolveSession([], 'x')).toThrow(
      /^--session x: no session with changes that can be undone has an id that begins like this\.$/,
    );
  });
});
