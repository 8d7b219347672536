import { posix, win32 } from 'node:path';
import { expect, it } from 'vitest';
import { capitalizeDrive, encodePath, writeSlashes } from './disk.ts';

it('a path of Windows has slashes in tags and addresses, and its drive in upper case', () => {
  expect(writeSlashes(String.raw`packages\a\AGENTS.md`, win32)).toBe('packages/a/AGENTS.md');
  expect(encodePath(String.raw`C:\Users\Ada L\a.ts`, win32)).toBe('/C:/Users/Ada%20L/a.ts');
  expect(encodePath(String.raw`\\server\share\a.ts`, win32)).toBe('//server/share/a.ts');
  expect(capitalizeDrive(String.raw`c:\work`, win32)).toBe(String.raw`C:\work`);
  expect(capitalizeDrive(String.raw`\\c:\work`, win32)).toBe(String.raw`\\c:\work`);
});

it('elsewhere a backslash and a colon belong to names', () => {
  expect(writeSlashes(String.raw`a\b`, posix)).toBe(String.raw`a\b`);
  expect(encodePath(String.raw`/a\b c`, posix)).toBe('/a%5Cb%20c');
  expect(capitalizeDrive('c:/work', posix)).toBe('c:/work');
});
