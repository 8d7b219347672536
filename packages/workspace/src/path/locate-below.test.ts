import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { locateBelow } from './locate-below.ts';

it('finds the path of a file below a folder, without links', () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'bae-below-')));
  const folder = join(outside, 'root');
  mkdirSync(join(folder, 'a'), { recursive: true });
  writeFileSync(join(folder, 'a/..b.txt'), '');
  writeFileSync(join(outside, 'secret.txt'), '');
  symlinkSync('a', join(folder, 'link'));
  symlinkSync('../secret.txt', join(folder, 'out.txt'));
  symlinkSync(folder, join(outside, 'other'));

  expect(locateBelow(folder, join(folder, 'a/..b.txt'))).toBe('a/..b.txt');
  expect(locateBelow(folder, join(folder, 'link/..b.txt'))).toBe('a/..b.txt');
  expect(locateBelow(folder, folder)).toBe('');
  // The folder may be named by a link, and the file by where it is, or the other way round.
  expect(locateBelow(join(outside, 'other'), join(folder, 'a'))).toBe('a');
  expect(locateBelow(join(outside, 'other'), join(outside, 'other/a'))).toBe('a');

  expect(locateBelow(folder, join(folder, 'out.txt'))).toBeUndefined();
  expect(locateBelow(folder, join(outside, 'secret.txt'))).toBeUndefined();
  expect(locateBelow(folder, join(folder, 'missing.txt'))).toBeUndefined();
  expect(locateBelow(folder, outside)).toBeUndefined();
});
