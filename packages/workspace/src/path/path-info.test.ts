import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

it('tells what is at a path, without reading it', async () => {
  const folder = temporaryFolder({ 'a.txt': 'four', '.env': 'KEY=1' });
  symlinkSync('a.txt', join(folder, 'link'));
  spawnSync('mkfifo', [join(folder, 'pipe')]);
  const root = new WorkspaceRoot(folder);
  onTestFinished(() => root[Symbol.dispose]());
  const secrecy = undefined;
  expect(await root.info('a.txt')).toEqual({ path: 'a.txt', kind: 'file', size: 4, secrecy });
  expect(await root.info('./link')).toEqual({ path: 'a.txt', kind: 'file', size: 4, secrecy });
  expect(await root.info('.')).toMatchObject({ path: '', kind: 'folder' });
  expect(await root.info('pipe')).toMatchObject({ kind: 'special' });
  expect(await root.info('new/b.txt')).toEqual({ path: 'new/b.txt', kind: 'missing', size: 0, secrecy });
  expect(await root.info('.env')).toMatchObject({ kind: 'file', secrecy: 'may hold passwords' });
  expect(await root.info('deep/.env')).toMatchObject({ kind: 'missing', secrecy: 'may hold passwords' });
});

it('tells beforehand what no tool may write', () => {
  const root = new WorkspaceRoot(temporaryFolder({ 'a.txt': '' }));
  onTestFinished(() => root[Symbol.dispose]());
  expect(() => root.checkWritable('a.txt')).not.toThrow();
  expect(() => root.checkWritable('.git/hooks/pre-commit')).toThrow('no tool writes it');
});
