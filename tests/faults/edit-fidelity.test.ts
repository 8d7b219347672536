import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaeError } from '@bae/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFiles } from './open-files.ts';
import { scratchFolder } from './scratch-folder.ts';

const EDITS = 10_000;

/** Lines of any characters but line breaks; a lone carriage return is one character of a line. */
const line = fc.oneof(
  fc.constantFrom('', 'a', 'a', 'same', '\t', '  trailing  ', 'a\rb', '\u2028', '\ufeff', 'é', 'e\u0301', '😀', '$&', '$1'),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replaceAll(/[\r\n\0]/g, '-')),
); // prettier-ignore
const endings = fc.oneof(
  fc.constant(['\n']),
  fc.constant(['\r\n']),
  fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 1, maxLength: 4 }),
);

/** A file: a mark or none, lines with their line breaks, the last one perhaps without. */
const file = fc
  .record({
    mark: fc.constantFrom('', '\ufeff'),
    lines: fc.array(line, { minLength: 1, maxLength: 12 }),
    endings,
    ended: fc.boolean(),
    mode: fc.constantFrom(0o644, 0o600, 0o755, 0o664, 0o640, 0o2755, 0o200),
  })
  .map(({ mark, lines, endings, ended, mode }) => ({
    mode,
    lines: lines.map((text, index) => {
      const last = index === lines.length - 1;
      const ending = last && !ended ? '' : endings[index % endings.length]!;
      // What ends in a carriage return before a line feed is another line.
      return `${index === 0 ? mark : ''}${text.replace(/\r$/, '-')}${ending}`;
    }),
  }))
  .filter(({ lines }) => lines.at(-1) !== '');

const edit = fc.record({
  file,
  from: fc.nat(),
  count: fc.nat({ max: 3 }),
  body: fc.array(line.map((text) => text.replaceAll('\r', '-')), { maxLength: 4 }),
}); // prettier-ignore

describe('random edits of lines', () => {
  it('change no other byte, and no bit of the mode', async () => {
    const folder = scratchFolder();
    const path = join(folder, 'f.txt');
    const files = openFiles(folder);
    let edits = 0;
    let mode = -1;
    const property = fc.asyncProperty(edit, async ({ file, from, count, body }) => {
      edits++;
      const { lines } = file;
      const first = (from % lines.length) + 1;
      const last = Math.min(first + count, lines.length);
      writeFileSync(path, lines.join(''));
      if (mode !== file.mode) chmodSync(path, (mode = file.mode));
      await files.call('read', { target: 'f.txt' }, [first, last]);
      await files.call('edit', { target: 'f.txt', content: body.join('\n') }, [first, last]);
      const now = readFileSync(path);
      const before = Buffer.from(lines.slice(0, first - 1).join(''));
      const after = Buffer.from(lines.slice(last).join(''));
      expect(now.subarray(0, before.length).equals(before)).toBe(true);
      expect(now.subarray(now.length - after.length).equals(after)).toBe(true);
      const middle = now.subarray(before.length, now.length - after.length).toString();
      const replaced = lines.slice(first - 1, last);
      expect(middle).toBe(expectedLines(body, replaced, lines[first - 2]));
      expect(statSync(path).mode & 0o7777).toBe(file.mode);
    });
    await fc.assert(property, { numRuns: EDITS / 2 });
    expect(edits).toBe(EDITS / 2);
  });
});

/** New lines end as the first of those they replace, the last of them as the last. */
function expectedLines(body: readonly string[], replaced: readonly string[], before: string | undefined): string {
  if (body.length === 0 || (body.length === 1 && body[0] === '')) return '';
  const endOf = (text: string | undefined): string => /\r?\n$/.exec(text ?? '')?.[0] ?? '';
  const between = endOf(replaced[0]) || endOf(before) || '\n';
  return body.join(between) + endOf(replaced.at(-1));
}

describe('random edits of text', () => {
  it('change no other byte, and no bit of the mode', async () => {
    const folder = scratchFolder();
    const path = join(folder, 'f.txt');
    const files = openFiles(folder);
    const property = fc.asyncProperty(file, fc.nat(), fc.nat(), line, async ({ lines, mode }, from, to, by) => {
      const text = lines.join('');
      const [start, end] = [from % text.length, to % text.length].toSorted((a, b) => a - b) as [number, number];
      const old = text.slice(start, end + 1);
      writeFileSync(path, text);
      chmodSync(path, mode);
      await files.call('read', { target: 'f.txt' });
      const done = files.call('edit', { target: 'f.txt', old, new: by });
      const error: unknown = await done.then(() => undefined).catch((reason: unknown) => reason);
      // A cut through a character leaves no text; what overlaps itself is there more than once.
      const now = text.slice(0, start) + by + text.slice(end + 1);
      const isOnce = now.isWellFormed() && text.indexOf(old) === text.lastIndexOf(old);
      if (error !== undefined && !BaeError.is(error)) throw error;
      expect(readFileSync(path, 'utf8')).toBe(isOnce ? now : text);
      expect(statSync(path).mode & 0o7777).toBe(mode);
    });
    await fc.assert(property, { numRuns: EDITS / 2 });
  });
});

describe('what is no UTF-8', () => {
  it.each([
    ['UTF-16 with a mark', Buffer.from('\ufeffa\nb\n', 'utf16le')],
    ['UTF-16 the other way round', Buffer.from('\ufeffa\nb\n', 'utf16le').swap16()],
    ['UTF-16 without Latin letters', Buffer.from('\ufeff\u4e2d\u6587\u6f22\u5b57', 'utf16le')],
    ['Latin-1', Buffer.from('caf\xe9\n', 'latin1')],
    ['a character that is cut off', Buffer.from('a\nb€').subarray(0, -1)],
    ['a surrogate', Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x0a])],
    ['an overlong slash', Buffer.from([0xc0, 0xaf, 0x0a])],
  ])('is refused and stays as it is: %s', async (_what, bytes) => {
    const folder = scratchFolder({ 'f.txt': bytes });
    const files = openFiles(folder);
    const edits = [
      () => files.call('edit', { target: 'f.txt', content: 'x' }, [1, 1]),
      () => files.call('edit', { target: 'f.txt', old: 'a', new: 'b' }),
    ];
    for (const edit of edits) {
      await files.call('read', { target: 'f.txt' }).catch(() => undefined);
      await expect(edit()).rejects.toThrow(/^f\.txt is (not UTF-8: line \d|binary \()/);
    }
    expect(readFileSync(join(folder, 'f.txt')).equals(bytes)).toBe(true);
  });
});
