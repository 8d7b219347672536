import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findChangedLines, renderFileChange, renderUnifiedDiff } from './unified-diff.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

describe('the lines that differ', () => {
  it('turn the old text into the new one, and are apart', () => {
    const list = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'), { maxLength: 12 });
    fc.assert(
      fc.property(list, list, (old, now) => {
        const changes = findChangedLines(old.join(''), now.join(''));
        const made = changes.toReversed().reduce<readonly string[]>((text, { oldStart, newStart, removed, added }) => {
          return text.toSpliced(oldStart, removed, ...now.slice(newStart, newStart + added));
        }, old);
        expect(made).toEqual(now);
        for (const [index, { oldStart }] of changes.entries()) {
          const before = changes[index - 1];
          if (before !== undefined) expect(oldStart).toBeGreaterThan(before.oldStart + before.removed);
        }
      }),
    );
  });

  it('are all of them when too many differ', () => {
    const lines = (mark: string) => Array.from({ length: 600 }, (_, index) => `${mark}${index}\n`).join('');
    expect(findChangedLines(lines('a'), lines('b'))).toEqual([{ oldStart: 0, newStart: 0, removed: 600, added: 600 }]);
  });
});

describe('unifiedDiff', () => {
  it('shows what changed with three lines around it', () => {
    const before = numbered(20);
    const after = before.with(9, 'ten\n');
    expect(renderUnifiedDiff({ path: 'a.txt', before: before.join(''), after: after.join('') })).toBe(`\
--- a.txt
+++ a.txt
@@ -7,7 +7,7 @@
 line 7
 line 8
 line 9
-line 10
+ten
 line 11
 line 12
 line 13
`);
  });

  it('shows changes that are far apart on their own, and those that are near together', () => {
    const before = numbered(40);
    const far = renderUnifiedDiff({
      path: 'a',
      before: before.join(''),
      after: before.with(1, 'x\n').with(30, 'y\n').join(''),
    });
    expect(far.match(/^@@.*$/gm)).toEqual(['@@ -1,5 +1,5 @@', '@@ -28,7 +28,7 @@']);
    const near = renderUnifiedDiff({
      path: 'a',
      before: before.join(''),
      after: before.with(1, 'x\n').with(8, 'y\n').join(''),
    });
    expect(near.match(/^@@.*$/gm)).toEqual(['@@ -1,12 +1,12 @@']);
  });

  it('shows a new file, a removed one, and a missing line feed', () => {
    expect(renderUnifiedDiff({ path: 'n', before: undefined, after: 'a\nb' })).toBe(
      '--- /dev/null\n+++ n\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n',
    );
    expect(renderUnifiedDiff({ path: 'n', before: 'a\n', after: undefined })).toBe(
      '--- n\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
    );
    expect(renderUnifiedDiff({ path: 'n', before: 'a', after: 'a\n' })).toBe(
      '--- n\n+++ n\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n',
    );
  });

  it('is empty when nothing changed', () => {
    expect(renderUnifiedDiff({ path: 'a', before: 'a\n', after: 'a\n' })).toBe('');
    expect(renderUnifiedDiff({ path: 'a', before: undefined, after: undefined })).toBe('');
  });

  it('has the names only for a file that is created empty', () => {
    expect(renderUnifiedDiff({ path: 'a', before: undefined, after: '' })).toBe('--- /dev/null\n+++ a\n');
  });

  it('turns one text into the other when it is applied', () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n');
    const text = fc
      .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom('', 'end'))
      .map(([lines, end]) => lines.join('') + end);
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applied(before, renderUnifiedDiff({ path: 'a', before, after }))).toBe(after);
      }),
    );
  });

  it('finds as many lines as two texts have in common', () => {
    const words = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n'), { maxLength: 12 });
    fc.assert(
      fc.property(words, words, (old, now) => {
        const diff = renderUnifiedDiff({ path: 'a', before: old.join(''), after: now.join('') });
        const removed = diff
          .split('\n')
          .slice(2)
          .filter((line) => line.startsWith('-'));
        expect(old.length - removed.length).toBe(longestCommon(old, now));
      }),
    );
  });

  it('keeps beginning and end when nearly everything changed', () => {
    const middle = (word: string) => Array.from({ length: 2000 }, (_, index) => `${word} ${index}`);
    const text = (word: string) => ['1', '2', '3', '4', ...middle(word), '5', '6', '7', '8', ''].join('\n');
    const lines = renderUnifiedDiff({ path: 'a', before: text('old'), after: text('new') }).split('\n');
    expect(lines.slice(2, 7)).toEqual(['@@ -2,2006 +2,2006 @@', ' 2', ' 3', ' 4', '-old 0']);
    expect(lines.slice(-5)).toEqual(['+new 1999', ' 5', ' 6', ' 7', '']);
    expect(lines).toHaveLength(4010);
  });
});

/** Applies a unified diff. */
function applied(before: string, diff: string): string {
  if (diff === '') return before;
  const old = before.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const result: string[] = [];
  let at = 0;
  let sign = '';
  for (const line of diff.split('\n').slice(2, -1)) {
    const start = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (start !== null) {
      const first = start[2] === '0' ? Number(start[1]) : Number(start[1]) - 1;
      result.push(...old.slice(at, first));
      at = first;
    } else if (line.startsWith('\\')) {
      if (sign === '+') result.push(result.pop()!.slice(0, -1));
    } else if (line.startsWith('+')) {
      result.push(`${line.slice(1)}\n`);
    } else {
      if (line.startsWith(' ')) result.push(old[at] as string);
      at++;
    }
    sign = line[0] ?? '';
  }
  return [...result, ...old.slice(at)].join('');
}

function longestCommon(old: readonly string[], now: readonly string[]): number {
  const [first, ...rest] = old;
  if (first === undefined) return 0;
  const place = now.indexOf(first);
  const without = longestCommon(rest, now);
  return place === -1 ? without : Math.max(without, 1 + longestCommon(rest, now.slice(place + 1)));
}

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

  it('is in words for what is not a text, or too much of it', () => {
    const noText = ' bytes that are not text\n';
    expect(renderFileChange({ path: 'a.bin', before: new Uint8Array([0]), after: bytes('e') })).toBe(
      `a.bin: 1 -> 1${noText}`,
    );
    expect(renderFileChange({ path: 'a.bin', before: new Uint8Array([0xff, 0xfe]) })).toBe(`a.bin: 2 -> 0${noText}`);
    expect(renderFileChange({ path: 'a.txt', before: bytes('x'.repeat(4_000_000)), after: bytes('y') })).toBe(
      'a.txt: 4000000 -> 1 bytes, too many to compare\n',
    );
  });
});
