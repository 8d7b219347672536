// @module-tag long

import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { re2Search } from './re2-search.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const namesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `f${n}`);
const own = (text: string): Uint8Array => new TextEncoder().encode(text);
const { signal } = new AbortController();

describe('re2Search', () => {
  it('gives up before two seconds are over', async () => {
    const folder = temporaryFolder({ 'a.txt': `${'a'.repeat(60_000)}\n`.repeat(500) });
    const workspace = new WorkspaceRoot(folder, { ripgrep: null });
    const search = () => workspace.grep({ pattern: '(a?){200}(a{2,100}(bbb)?){5}[^a]', path: 'a.txt' });
    expect(await describeOutcome(search)).toBe(
      'TimeoutError: grep exceeded 1.5s. Narrow the path, or search for a plainer pattern.\nTry: <Grep:bbb>',
    );
  });

  it('stops in the middle when it is cancelled', async () => {
    const controller = new AbortController();
    const read = async (path: string) => {
      if (path === 'f3') controller.abort(new Error('stop'));
      return [own('a'.repeat(600_000))];
    };
    await expect(
      re2Search({ pattern: 'b', limit: 1, width: 200, paths: namesOf(9), read, signal: controller.signal }),
    ).rejects.toThrow('stop');
  });

  it('searches more than fits one batch', async () => {
    const read = async (path: string) => [own(`${'-'.repeat(700_000)}\n${path}\n`)];
    const result = await re2Search({ pattern: '^f', limit: 2, width: 200, paths: namesOf(5), read, signal });
    expect(result).toMatchObject({
      matches: 5,
      searched: 5,
      found: Array.from({ length: 5 }, (_, n) => ({ path: `f${n}`, rows: [{ line: 2, text: `f${n}` }] })),
    });
  });

  it('numbers the lines of a file that comes in pieces', async () => {
    const read = async () => [own('x\n-\n'), own('x'.repeat(1_200_000) + '\n-\nx\n'), own('-\nx')];
    const result = await re2Search({ pattern: 'x$', limit: 3, width: 200, paths: namesOf(2), read, signal });
    expect(result).toMatchObject({ matches: 8, searched: 2 });
    expect(result.found.map(({ path, matches, rows }) => [path, matches, ...rows.map(({ line }) => line)])).toEqual([
      ['f0', 4, 1, 3, 5],
      ['f1', 4, 1, 3, 5],
    ]);
  });

  it('keeps the first rows whatever order the files come in, and counts all', async () => {
    const paths = Array.from({ length: 100 }, (_, n) => `f${String(99 - n).padStart(2, '0')}`);
    const read = async (path: string) => (path === 'f50' ? undefined : [own('x\n-\nx')]);
    const { found, ...totals } = await re2Search({ pattern: 'x', limit: 3, width: 200, paths, read, signal });
    const [first, second] = [
      { line: 1, text: 'x' },
      { line: 3, text: 'x' },
    ];
    expect(found.slice(0, 2)).toEqual([
      { path: 'f00', matches: 2, rows: [first, second] },
      { path: 'f01', matches: 2, rows: [first, second] },
    ]);
    expect(totals).toEqual({
      matches: 198,
      searched: 99,
    });
  });

  it('leaves out what cannot be read', async () => {
    const read = async (path: string) => (path === 'f1' ? undefined : [own('x')]);
    expect(await re2Search({ pattern: 'x', limit: 9, width: 200, paths: namesOf(3), read, signal })).toMatchObject({
      matches: 2,
      searched: 2,
    });
  });

  it('searches the first part of a line that is very long', async () => {
    const read = async () => [own(`${'a'.repeat(64 * 1024)}b\nb`)];
    expect(await re2Search({ pattern: 'b', limit: 9, width: 200, paths: namesOf(1), read, signal })).toMatchObject({
      matches: 1,
      found: [{ rows: [{ line: 2 }] }],
    });
  });

  it('refuses a pattern that takes too much memory', async () => {
    const read = async () => [own('a'.repeat(60_000))];
    const pattern = String.raw`(\pL{1,31}){1,31}`;
    const search = () => re2Search({ pattern, limit: 9, width: 200, paths: namesOf(9), read, signal });
    expect(await describeOutcome(search)).toMatch(/^(PatternError|no error)/);
  });
});
