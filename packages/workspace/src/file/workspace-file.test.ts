import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { HAS_DESCRIPTORS } from '../path/pinned-path.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const ME = { session: { id: 's1' } };

function workspaceWith(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const folder = temporaryFolder(files);
  const contentOf = (path: string) => readFileSync(join(folder, path), 'utf8');
  return { folder, contentOf, root: new WorkspaceRoot(folder) };
}

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

describe('a file', () => {
  it('knows where it is, however it was spelled', () => {
    const { folder, root } = workspaceWith({ 'docs/a.md': 'a\n', '.env': 'KEY=1' });
    symlinkSync('docs', join(folder, 'link'));
    for (const given of ['docs//./a.md', 'link/a.md', join(folder, 'docs/a.md')]) {
      expect(root.open(given)).toMatchObject({ given, path: 'docs/a.md', info: { kind: 'file', size: 2 } });
    }
    expect(root.open('new.md').info.kind).toBe('missing');
    expect(root.open('.env').info.secrecy).toBe('may hold passwords');
  });

  it('is looked up when it is used, not before', async () => {
    const { root } = workspaceWith();
    const file = root.open('../x');
    expect(await describeOutcome(() => file.path)).toMatch(/^PathError: \.\.\/x is outside/);
  });

  it('keeps its content as last read', async () => {
    const { folder, root } = workspaceWith({ a: '1\n' });
    const file = root.open('a');
    const { hash } = await file.readText();
    writeFileSync(join(folder, 'a'), 'changed\n');
    expect(await file.read()).toMatchObject({ hash, lines: 1, size: 2 });
    expect((await file.readText()).text).toBe('1\n');
    expect(await root.open('b').read()).toBeUndefined();
  });

  it('shows a secret only when the user allows it, and refuses to be opened to be changed', async () => {
    const { root } = workspaceWith({ '.env': 'KEY=1' });
    expect(await describeOutcome(() => root.open('.env').readText())).toContain(
      'it is shown only when the user allows it',
    );
    expect((await root.open('.env').readText({ secrets: true })).text).toBe('KEY=1');
    const change = await describeOutcome(() => root.open('.env', { toChange: true }).readText({ secrets: true }));
    expect(change).toContain('no tool writes it');
    expect(await describeOutcome(() => root.open('.env').read())).toContain('it is shown only when the user allows it');
  });

  it('is the same file with every access, or a conflict', async () => {
    const { folder, root } = workspaceWith({ 'one/a': '1', 'two/a': '2' });
    symlinkSync('one', join(folder, 'link'));
    const file = root.open('link/a');
    expect(file.path).toBe('one/a');
    rmSync(join(folder, 'link'));
    symlinkSync('two', join(folder, 'link'));
    expect(await describeOutcome(() => file.readText())).toBe(
      'ConflictError: link/a leads to two/a now, and led to one/a before. Nothing was changed. Read it again, then change it.\nTry: <R:link/a>',
    );
  });

  it('leaves nothing to undo when something else wrote the same before the change was made', async () => {
    const { folder, root } = workspaceWith({ a: 'old\n' });
    const change = await root.open('a').planWrite('new\n');
    writeFileSync(join(folder, 'a'), 'new\n');
    expect(await describeOutcome(() => change.apply(ME))).toMatch(/^ConflictError: a was changed by someone else/);
    expect(await root.operations()).toEqual([]);
  });
});

describe('a planned write', () => {
  it('shows the difference, names the file that it touches where a link leads to it, and changes nothing until applied', async () => {
    const { folder, contentOf, root } = workspaceWith({ 'docs/a.md': 'old\n' });
    symlinkSync('docs', join(folder, 'link'));
    const change = await root.open('link/a.md').planWrite('new\n', { action: 'edit' });
    expect(change.touches).toEqual([{ path: 'docs/a.md' }]);
    expect(change.preview()).toBe('--- docs/a.md\n+++ docs/a.md\n@@ -1 +1 @@\n-old\n+new\n');
    expect(contentOf('docs/a.md')).toBe('old\n');
    expect(await change.apply(ME)).toMatchObject({ lines: 1, size: 4, undoable: true });
    expect(contentOf('docs/a.md')).toBe('new\n');
    expect(await root.operations()).toMatchObject([{ path: 'docs/a.md', session: 's1', action: 'edit' }]);
  });

  it('creates a file and its folders', async () => {
    const { contentOf, root } = workspaceWith();
    const change = await root.open('new/a.md').planWrite('hello\n');
    expect(change.preview()).toBe('--- /dev/null\n+++ new/a.md\n@@ -0,0 +1 @@\n+hello\n');
    await change.apply();
    expect(contentOf('new/a.md')).toBe('hello\n');
  });

  it('is described in words when what is there is no text', async () => {
    const { root } = workspaceWith({ 'b.bin': new Uint8Array([1, 0, 2]), big: 'x'.repeat(4_000_001) });
    const preview = async (path: string) => (await root.open(path).planWrite('x')).preview();
    expect(await preview('b.bin')).toBe('b.bin: 3 bytes that are not text -> 1 characters');
    expect(await preview('big')).toBe('big: 4000001 -> 1 characters, too many to compare');
  });

  it('is refused for what no tool may write, for a folder, and for half of a character', async () => {
    const { root } = workspaceWith({ '.env': 'KEY=1', 'd/a': '' });
    expect(await describeOutcome(() => root.open('.env').planWrite('x'))).toContain('no tool writes it');
    expect(await describeOutcome(() => root.open('d').planWrite('x'))).toBe(
      'FileError: d is a folder, not a file.\nTry: <R:d>',
    );
    expect(await describeOutcome(() => root.open('a').planWrite('\ud83d'))).toContain('half of a character');
  });

  it('is a conflict when the content changed since it was planned', async () => {
    const { folder, contentOf, root } = workspaceWith({ a: '1' });
    const change = await root.open('a').planWrite('2');
    writeFileSync(join(folder, 'a'), 'of the person');
    expect(await describeOutcome(() => change.apply())).toBe(
      'ConflictError: a was changed by someone else at the same moment. It was left unchanged.\nTry: <R:a>',
    );
    expect(contentOf('a')).toBe('of the person');
    const creation = await root.open('b').planWrite('2');
    writeFileSync(join(folder, 'b'), 'of the person');
    expect(await describeOutcome(() => creation.apply())).toContain('ConflictError: b was changed');
    expect(await root.operations()).toEqual([]);
  });

  it('is a conflict when its content was made from something else than what is there', async () => {
    const { root } = workspaceWith({ a: '1' });
    const { hash } = await root.open('a').readText();
    await root.write('a', '2');
    expect(await describeOutcome(() => root.open('a').planWrite('1!', { expected: hash }))).toContain(
      'ConflictError: a',
    );
    expect(await describeOutcome(() => root.open('a').planWrite('1!', { expected: null }))).toContain(
      'ConflictError: a',
    );
  });

  it('is a conflict when a link on its path was swapped since it was planned', async () => {
    const { folder, contentOf, root } = workspaceWith({ 'one/a': 'same', 'two/a': 'same' });
    symlinkSync('one', join(folder, 'link'));
    const throughLink = await root.open('link/a').planWrite('2');
    const direct = await root.open('one/a').planWrite('2');
    rmSync(join(folder, 'link'));
    symlinkSync('two', join(folder, 'link'));
    expect(await describeOutcome(() => throughLink.apply())).toContain(
      'link/a leads to two/a now, and led to one/a before.',
    );
    rmSync(join(folder, 'one'), { recursive: true });
    symlinkSync('two', join(folder, 'one'));
    expect(await describeOutcome(() => direct.apply())).toContain('one/a leads to two/a now, and led to one/a before.');
    expect(contentOf('two/a')).toBe('same');
  });

  it.runIf(HAS_DESCRIPTORS)('holds nothing when it is forgotten', async () => {
    const { root } = workspaceWith({ 'deep/er/a': '1' });
    await root.open('deep/er/a').planWrite('2');
    const before = openDescriptors();
    const forgotten = await Promise.all(Array.from({ length: 50 }, () => root.open('deep/er/a').planWrite('2')));
    expect(openDescriptors()).toBe(before);
    expect(await forgotten[0]!.apply()).toMatchObject({ size: 1 });
  });

  it('becomes what a tool returns', async () => {
    const { root } = workspaceWith();
    const change = (await root.open('a').planWrite('x\n')).map(({ lines }) => `Wrote ${lines} line`);
    expect(change.touches).toEqual([{ path: 'a' }]);
    expect(await change.apply(ME)).toBe('Wrote 1 line');
  });

  it('reads the file anew for the next one on the same file', async () => {
    const { contentOf, root } = workspaceWith({ a: '1' });
    const file = root.open('a');
    await (await file.planWrite('2')).apply();
    const next = await file.planWrite('3');
    expect(next.preview()).toContain('-2');
    await next.apply();
    expect(contentOf('a')).toBe('3');
  });
});

describe('a planned removal', () => {
  it('shows what goes, removes it, and can be undone', async () => {
    const { folder, contentOf, root } = workspaceWith({ a: '1\n' });
    const change = await root.open('a').planRemove();
    expect(change.preview()).toBe('--- a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n');
    await change.apply();
    expect(existsSync(join(folder, 'a'))).toBe(false);
    await root.undo();
    expect(contentOf('a')).toBe('1\n');
  });

  it('names the nearest sibling of what is missing', async () => {
    const { root } = workspaceWith({ 'src/main.py': '' });
    expect(await describeOutcome(() => root.open('src/mian.py').planRemove())).toBe(
      'FileNotFoundError: src/mian.py. Did you mean src/main.py?\nTry: <R:src/main.py>',
    );
  });
});

describe('a planned move', () => {
  it('keeps bytes and mode, and one undo takes it back', async () => {
    const { folder, contentOf, root } = workspaceWith({ 'a.sh': new Uint8Array([1, 0, 2]) });
    const { mode } = statSync(join(folder, 'a.sh'));
    const change = await root.planMoves([[root.open('a.sh'), root.open('bin/b.sh')]]);
    expect(change.touches).toEqual([{ path: 'bin/b.sh' }, { path: 'a.sh' }]);
    expect(change.preview()).toBe('a.sh -> bin/b.sh\n');
    await change.apply();
    expect([existsSync(join(folder, 'a.sh')), contentOf('bin/b.sh')]).toEqual([false, '\u0001\0\u0002']);
    expect(statSync(join(folder, 'bin/b.sh')).mode).toBe(mode);
    expect((await root.undo()).undone).toHaveLength(2);
    expect(readdirSync(folder)).toEqual(['a.sh']);
  });

  it('is refused when something has the other path', async () => {
    const { root } = workspaceWith({ a: '1', b: '2' });
    expect(await describeOutcome(() => root.planMoves([[root.open('a'), root.open('b')]]))).toBe(
      'FileError: b already exists. Delete it first, or choose another name.\nTry: <R:b>',
    );
  });
});

describe('a planned group', () => {
  it('shows and changes all files, and one undo takes them back', async () => {
    const { folder, contentOf, root } = workspaceWith({ a: '1\n', gone: 'x\n' });
    const change = await root.planGroup([
      { file: root.open('a'), content: '2\n', action: 'edit', lines: [1, 1] },
      { file: root.open('gone'), content: null },
      { file: root.open('new'), content: '3\n' },
    ]);
    expect(change.touches).toEqual([{ path: 'a' }, { path: 'gone' }, { path: 'new' }]);
    expect(change.preview()).toBe(
      '--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n--- gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- /dev/null\n+++ new\n@@ -0,0 +1 @@\n+3\n',
    );
    expect(await change.apply(ME)).toMatchObject([{ size: 2 }, undefined, { size: 2 }]);
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'new']);
    expect((await root.undo()).undone).toHaveLength(3);
    expect([readdirSync(folder).toSorted(), contentOf('a')]).toEqual([['a', 'gone'], '1\n']);
  });

  it('changes nothing when one of the files is not what it was planned on', async () => {
    const { folder, contentOf, root } = workspaceWith({ a: '1', b: '1' });
    const change = await root.planGroup([
      { file: root.open('new/a'), content: '2' },
      { file: root.open('a'), content: '2' },
      { file: root.open('b'), content: '2' },
    ]);
    writeFileSync(join(folder, 'b'), 'of the person');
    expect(await describeOutcome(() => change.apply(ME))).toContain('ConflictError: b was changed');
    expect([readdirSync(folder).toSorted(), contentOf('a')]).toEqual([['a', 'b'], '1']);
    expect(await root.operations()).toEqual([]);
  });

  it('changes nothing when it is cancelled half-way', async () => {
    const { folder, root } = workspaceWith({ a: '1' });
    const cancel = new AbortController();
    const files = ['a', 'b'].map((path) => ({ file: root.open(path), content: '2' }));
    const change = await root.planGroup(files);
    const applied = change.apply({ signal: cancel.signal });
    cancel.abort(new Error('cancelled'));
    await expect(applied).rejects.toThrow('cancelled');
    expect([readdirSync(folder), readFileSync(join(folder, 'a'), 'utf8')]).toEqual([['a'], '1']);
  });

  it('reports it when what was changed by then cannot be taken back', async () => {
    const { folder, root } = workspaceWith({ a: '1', b: '1' });
    const change = await root.planGroup(['a', 'b'].map((path) => ({ file: root.open(path), content: '2' })));
    const signal = {
      throwIfAborted: () => {
        if (readFileSync(join(folder, 'a'), 'utf8') === '1') return;
        writeFileSync(join(folder, 'a'), 'of the person');
        throw new Error('cancelled');
      },
    } as AbortSignal;
    expect(await describeOutcome(() => change.apply({ signal }))).toMatch(
      /^EditError: not all files could be written, and those that were are left: a changed after the write/,
    );
  });
});

describe('a new file that begins with the program which runs it', () => {
  const modeOf = (folder: string, path: string): number => statSync(join(folder, path)).mode & 0o777;

  it('is made executable, which is shown and undone', async () => {
    const { folder, root } = workspaceWith({ 'old.sh': '#!/bin/sh\n' });
    const change = await root.open('bin/run').planWrite('#!/usr/bin/env node\n');
    expect(change.preview()).toContain('+#!/usr/bin/env node\nbin/run: executable\n');
    await change.apply(ME);
    expect(modeOf(folder, 'bin/run')).toBe(0o777 & ~process.umask());
    await root.undo();
    expect(existsSync(join(folder, 'bin/run'))).toBe(false);
    for (const [path, text] of [
      ['old.sh', '#!/bin/sh\necho\n'],
      ['new.txt', 'a #!/bin/sh\n'],
    ] as const) {
      const other = await root.open(path).planWrite(text);
      expect(other.preview()).not.toContain('executable');
      await other.apply(ME);
      expect(modeOf(folder, path) & 0o111).toBe(0);
    }
  });

  it('is made executable and shown as that when a draft is applied, too', async () => {
    const { folder, root } = workspaceWith();
    const draft = root.createDraft();
    await draft.run(async () => (await root.open('run').planWrite('#!/bin/sh\n')).apply(ME));
    const change = (await draft.plan())!;
    expect(change.files.map(({ preview }) => preview).join('')).toContain('run: executable\n');
    await change.apply({ session: { id: 's1', seen: new Map() }, signal: new AbortController().signal });
    await draft.dispose();
    expect(modeOf(folder, 'run') & 0o111).not.toBe(0);
  });
});

describe('a planned undo', () => {
  it('shows and takes back the last change', async () => {
    const { contentOf, root } = workspaceWith({ a: '1\n' });
    await root.write('a', '2\n', { session: 's1' });
    const change = await root.planUndo({ session: 's1' });
    expect(change.touches).toEqual([{ path: 'a' }]);
    expect(change.preview()).toBe('--- a\n+++ a\n@@ -1 +1 @@\n-2\n+1\n');
    expect((await change.apply()).undone).toHaveLength(1);
    expect(contentOf('a')).toBe('1\n');
  });

  it('is a conflict when other changes were made in the meantime', async () => {
    const { contentOf, root } = workspaceWith({ a: '1', b: '1' });
    await root.write('a', '2');
    const change = await root.planUndo();
    await root.write('b', '2');
    expect(await describeOutcome(() => change.apply())).toBe(
      'ConflictError: other changes were made in the meantime. Nothing was undone. Look at them, then undo again.\nTry: <undo:>',
    );
    expect([contentOf('a'), contentOf('b')]).toEqual(['2', '2']);
  });

  it('touches nothing when there is nothing to undo', async () => {
    expect(await workspaceWith().root.planUndo()).toMatchObject({ touches: [], operations: [] });
  });
});
