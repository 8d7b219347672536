import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { approvalPolicy, asModelText, createAgent, type ApprovalPolicy } from '@bae/core';
import { provideWorkspace } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { FilesystemSpace } from './filesystem-space.ts';

/** An agent whose person looks at every change and refuses it. */
function setUp(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = temporaryFolder(files);
  const previews: string[] = [];
  const targets: string[] = [];
  const ask: ApprovalPolicy['ask'] = async ({ preview, target }) => {
    targets.push(target);
    previews.push((await preview?.().catch((error: Error) => `${error.name}: ${error.message}`)) ?? 'none');
    return { decision: 'deny' };
  };
  const agent = createAgent({
    home: FilesystemSpace,
    provide: [provideWorkspace(folder)],
    approver: approvalPolicy({ ask }),
  });
  const run = async (text: string) => (await agent.run(asModelText(text))).calls.map(({ result }) => result.text);
  return { folder, previews, targets, run };
}

const FIVE = 'line1\nline2\nline3\nline4\nline5\n';

describe('the change that is shown to the person who is asked', () => {
  it('is the difference that an edit of lines makes', async () => {
    const { previews, run } = setUp({ 's.py': FIVE });
    await run('<R:s.py>');
    await run('<E:s.py:2-3>\nreplaced\n</E>');
    expect(previews).toEqual([
      '--- s.py\n+++ s.py\n@@ -1,5 +1,4 @@\n line1\n-line2\n-line3\n+replaced\n line4\n line5\n',
    ]);
  });

  it('is the difference that an edit of text makes, in all places', async () => {
    const { previews, run } = setUp({ 's.py': 'a\r\nb\r\na\r\n' });
    await run('<E:s.py old="a" new="c" every=true>');
    expect(previews).toEqual(['--- s.py\n+++ s.py\n@@ -1,3 +1,3 @@\n-a\r\n+c\r\n b\r\n-a\r\n+c\r\n']);
  });

  it('is the whole text of a new file, and the difference to an old one', async () => {
    const { previews, run } = setUp({ 's.py': FIVE });
    await run('<W:new/n.txt>\nhello\n</W>\n<W:s.py>line1</W>');
    expect(previews).toEqual([
      '--- /dev/null\n+++ new/n.txt\n@@ -0,0 +1 @@\n+hello\n',
      '--- s.py\n+++ s.py\n@@ -1,5 +1 @@\n-line1\n-line2\n-line3\n-line4\n-line5\n+line1\n\\ No newline at end of file\n',
    ]);
  });

  it('is the link itself, not what it leads to, and an empty folder', async () => {
    const { folder, previews, targets, run } = setUp({ 'real/a.txt': 'a' });
    symlinkSync('real', join(folder, 'rl'));
    await run('<delete:rl>\n<move:rl to=x>\n<mkdir:d/e>');
    expect(previews).toEqual(['remove the link rl -> real\n', 'rl (the link to real) -> x\n', 'new folder d/e\n']);
    expect(targets).toEqual(['rl', 'rl', 'd/e']);
  });

  it('is not asked for where the change cannot be made: the error is reported at once', async () => {
    const { folder, previews, run } = setUp({ 's.py': FIVE, 'b.bin': new Uint8Array([1, 0, 2]), '.env': 'hush' });
    await run('<R:s.py>');
    const errors = await run(
      '<E:s.py:9-12>\nx\n</E>\n<E:s.py old="nowhere" new="x">\n<E:b.bin:1>\nx\n</E>\n<W:.env>x</W>\n<W:.git/hooks/new>x</W>\n<E:none.py:1>\nx\n</E>',
    );
    await run('<R:s.py>');
    writeFileSync(join(folder, 's.py'), 'changed\n');
    errors.push(...(await run('<W:s.py>x</W>\n<E:s.py:1>\nx\n</E>')));
    expect(previews).toEqual([]);
    expect(errors.map((text) => text.split(/[.;]/)[0])).toEqual([
      'RangeError: s',
      'EditError: text not found in s',
      'BinaryFileError: b',
      'ProtectedFileError: ',
      'ProtectedFileError: ',
      'FileNotFoundError: none',
      'ConflictError: s',
      'ConflictError: s',
    ]);
  });

  it('is in words when what was there is no text', async () => {
    const { previews, run } = setUp({ 'b.bin': new Uint8Array([1, 0, 2]), 'bad.txt': new Uint8Array([0x61, 0xff]) });
    await run('<W:b.bin>x</W>\n<W:bad.txt>xy</W>');
    expect(previews).toEqual([
      'b.bin: 3 bytes that are not text -> 1 characters',
      'bad.txt: 2 bytes that are not text -> 2 characters',
    ]);
  });

  it('is in words when there is too much to compare', async () => {
    const { previews, run } = setUp({ 's.txt': 'x'.repeat(4_000_001) });
    await run('<W:s.txt>y</W>');
    expect(previews).toEqual(['s.txt: 4000001 -> 1 characters, too many to compare']);
  });

  it('changes nothing, and nothing that the session knows', async () => {
    const { previews, run } = setUp({ 's.py': FIVE });
    const [refused] = await run('<W:s.py>x</W>');
    expect(refused).toBe('ApprovalError: write was not run: the user said no. Ask what to do instead.');
    expect(await run('<R:s.py>')).toEqual([FIVE]);
    expect(previews).toHaveLength(1);
  });

  it('comes with the one name of the file, so that no other spelling gets past a rule', async () => {
    const { folder, targets, run } = setUp({ 'docs/a.md': 'a\n' });
    symlinkSync('docs', join(folder, 'link'));
    await run('<R:docs/a.md>');
    await run(`<W:docs//./a.md>x</W>\n<W:link/a.md>x</W>\n<W:${folder}/docs/a.md>x</W>\n<E:link/a.md:1>\nx\n</E>`);
    expect(targets).toEqual(['docs/a.md', 'docs/a.md', 'docs/a.md', 'docs/a.md']);
  });

  it('is not asked for where the path leads out of the workspace', async () => {
    const { targets, run } = setUp({});
    expect((await run('<W:../a.md>x</W>'))[0]).toMatch(/^PathError: /);
    expect(targets).toEqual([]);
  });
});
