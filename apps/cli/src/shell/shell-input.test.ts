import { expect, it } from 'vitest';
import { resolveCommandFolder } from './shell-input.ts';

const FOLDERS: Readonly<Record<string, readonly string[]>> = { '.': ['src/', 'a.txt'], src: ['my app/'] };
const listFolder = async (path: string) => FOLDERS[path] ?? [];

it.each([
  ['', 'src', 'src'],
  ['', 'src/', 'src'],
  ['src', '"my app"', 'src/my app'],
  ['src/my app', '..', 'src'],
  ['src', '..', ''],
  ['src', '', ''],
  ['src', '~', ''],
  ['', '..', undefined],
  ['', '/etc', undefined],
  ['', 'a.txt', undefined],
  ['', 'nowhere/deep', undefined],
])('in %j, cd %j leads to %j', async (folder, typed, path) => {
  expect(await resolveCommandFolder(typed, { folder, listFolder })).toBe(path);
});
