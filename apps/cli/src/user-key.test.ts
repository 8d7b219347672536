import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrustStore } from '@bae/plugins';
import { expect, it, onTestFinished } from 'vitest';
import { getFolderKey } from './user-key.ts';

function userFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bae-user-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('a key is made once, for the user alone, and is another one for each folder', () => {
  const env = { BAE_HOME: join(userFolder(), 'bae') };
  const key = getFolderKey(env, '/project/a');
  expect(getFolderKey(env, '/project/a')).toEqual(key);
  expect(getFolderKey(env, '/project/b')).not.toEqual(key);
  expect(readdirSync(env.BAE_HOME)).toEqual(['session.key']);
  expect(statSync(join(env.BAE_HOME, 'session.key')).mode & 0o777).toBe(0o600);
  expect(getFolderKey({ BAE_HOME: userFolder() }, '/project/a')).not.toEqual(key);
});

it('a key is kept beside the decisions about trust', () => {
  for (const env of [{ BAE_HOME: userFolder() }, { XDG_CONFIG_HOME: userFolder() }, { HOME: userFolder() }]) {
    getFolderKey(env, '/project');
    expect(statSync(join(TrustStore.ofUser(env).file, '../session.key')).isFile()).toBe(true);
  }
});

it('a key that is damaged, or cannot be kept, is another one', () => {
  const folder = userFolder();
  const key = getFolderKey({ BAE_HOME: folder }, '/project');
  writeFileSync(join(folder, 'session.key'), 'short');
  const next = getFolderKey({ BAE_HOME: folder }, '/project');
  expect(next).not.toEqual(key);
  expect(getFolderKey({ BAE_HOME: folder }, '/project')).toEqual(next);
  writeFileSync(join(folder, 'file'), '');
  expect(getFolderKey({ BAE_HOME: join(folder, 'file/inside') }, '/project')).toHaveLength(32);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('');
});
