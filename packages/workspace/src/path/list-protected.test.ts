import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { approvalPolicy } from '@bae/core';
import { expect, it, onTestFinished } from 'vitest';
import { WorkspaceRoot } from '../workspace-root.ts';

function makeFolder(...paths: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-protected-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  return folder;
}

it('lists what no tool writes, three levels deep, without what is built or installed', async () => {
  const folder = makeFolder(
    '.env',
    '.bae/journal',
    '.git/config',
    'bae.config.json',
    'src/a.ts',
    'data/own.db',
    'packages/a/.env',
    'packages/a/deep/.env',
    'node_modules/a/.env',
    'dist/key.pem',
    '.ssh/id_rsa',
  );
  symlinkSync('.env', join(folder, '.env.local'));
  using root = new WorkspaceRoot(folder, { ownFiles: { data: [join(folder, 'data/own.db')] } });
  const listed = await root.listProtected();
  const lines = listed.map(({ path, isFolder, isHidden }) => [relative(folder, path), isFolder, isHidden].join(' '));
  expect(lines.toSorted()).toEqual([
    '.bae true true',
    '.env false false',
    '.ssh true false',
    'bae.config.json false false',
    'data/own.db false true',
    'packages/a/.env false false',
  ]);
  expect(root.ownData).toEqual([join(folder, 'data/own.db')]);
});

it('lists what has come since, and follows rules that were added since', async () => {
  const folder = makeFolder('.env', '.bashrc');
  using root = new WorkspaceRoot(folder);
  const list = async () =>
    (await root.listProtected()).map(({ path, isHidden }) => `${relative(folder, path)} ${isHidden}`);
  expect((await list()).toSorted()).toEqual(['.bashrc false', '.env false']);
  writeFileSync(join(folder, 'key.pem'), '');
  rmSync(join(folder, '.env'));
  expect((await list()).toSorted()).toEqual(['.bashrc false', 'key.pem false']);
  const { fileRules = [] } = approvalPolicy({ rules: [{ effect: 'read', target: '.bashrc', decision: 'deny' }] });
  root.restrict(fileRules);
  expect((await list()).toSorted()).toEqual(['.bashrc true', 'key.pem false']);
});

it('lists what rules name at any depth, hidden if they are about reading', async () => {
  const folder = makeFolder('a/b/c/d/e/f.txt', 'a/b/other.txt', 'notes/n.md', 'src/a.ts', '.env');
  using root = new WorkspaceRoot(folder);
  const { fileRules = [] } = approvalPolicy({
    rules: [
      { effect: 'read', target: 'a/b/c/d/e/*.txt', decision: 'deny' },
      { effect: 'read', target: 'NOTES', decision: 'ask' },
      { target: 'src/**', decision: 'deny' },
      { target: 'a/b/other.txt', decision: 'ask' },
    ],
  });
  root.restrict(fileRules);
  const lines = (await root.listProtected()).map(({ path, isHidden }) => `${relative(folder, path)} ${isHidden}`);
  expect(lines).toEqual(['.env false', 'notes true', 'src false', 'src/a.ts false', 'a/b/c/d/e/f.txt true']);
});

it('says when rules name too many files', async () => {
  using root = new WorkspaceRoot(makeFolder(...Array.from({ length: 1001 }, (_, number) => `a/${number}.txt`)));
  root.restrict(approvalPolicy({ rules: [{ effect: 'read', target: 'a/*.txt', decision: 'deny' }] }).fileRules!);
  await expect(root.listProtected()).rejects.toThrow('rules name more than 1000 files here: name folders.');
});

it('lists at most 200, the upper ones first', async () => {
  const many = Array.from({ length: 250 }, (_, number) => `fixtures/${number}.pem`);
  using root = new WorkspaceRoot(makeFolder('.env', ...many));
  const listed = await root.listProtected();
  expect(listed).toHaveLength(200);
  expect(listed[0]!.path).toMatch(/\.env$/);
});
