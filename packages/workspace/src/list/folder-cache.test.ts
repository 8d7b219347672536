// @module-tag long

import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { computeStamp } from './folder-cache.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

/** Until the clock of the disk distinguishes two changes: what changed before is read again each time. */
const settled = () => setTimeout(120);

const FILES = { 'a.ts': '1', 'src/b.ts': '2', 'src/deep/c.ts': '3', 'src/deep/d.md': '4', 'lib/e.ts': '5' };

async function paths(root: WorkspaceRoot, pattern = '**/*.ts'): Promise<readonly string[]> {
  return [...(await root.stamps({ pattern })).keys()].toSorted();
}

/** A root that knows all its folders, and what changes something in it. */
async function known(files: Record<string, string> = FILES) {
  const folder = temporaryFolder(files);
  await settled();
  const root = new WorkspaceRoot(folder);
  await paths(root);
  return { root, folder, at: (path: string) => join(folder, path) };
}

describe('folders that were read before', () => {
  it('are read again only when something in them was created, removed or renamed', async () => {
    const { root, at } = await known();
    // The rules are asked for with every folder that is read.
    using read = vi.spyOn(IgnoreRules.prototype, 'inside');
    await paths(root);
    writeFileSync(at('src/b.ts'), 'changed');
    await paths(root);
    expect(read.mock.calls).toEqual([]);
    writeFileSync(at('src/deep/new.ts'), '');
    expect(await paths(root)).toEqual(['a.ts', 'lib/e.ts', 'src/b.ts', 'src/deep/c.ts', 'src/deep/new.ts']);
    expect(read.mock.calls).toEqual([['src/deep']]);
  });

  it('have the stamps of their files taken anew', async () => {
    const { root, at } = await known();
    const before = await root.stamps({ pattern: '**/*.ts' });
    writeFileSync(at('src/b.ts'), 'changed');
    const after = await root.stamps({ pattern: '**/*.ts' });
    expect([...after.keys()].filter((path) => after.get(path) !== before.get(path))).toEqual(['src/b.ts']);
  });

  it.each([
    ['of their own', 'src/deep/.gitignore'],
    ['of a folder between', 'src/.gitignore'],
    ['of the root', '.gitignore'],
  ])('follow rules %s that come, change and go', async (_which, path) => {
    const { root, at } = await known();
    writeFileSync(at(path), 'c.ts');
    expect(await paths(root)).toEqual(['a.ts', 'lib/e.ts', 'src/b.ts']);
    await settled();
    await paths(root);
    writeFileSync(at(path), '*.md');
    expect(await paths(root)).toEqual(['a.ts', 'lib/e.ts', 'src/b.ts', 'src/deep/c.ts']);
    writeFileSync(at(path), 'c.ts');
    await settled();
    await paths(root);
    rmSync(at(path));
    expect(await paths(root)).toEqual(['a.ts', 'lib/e.ts', 'src/b.ts', 'src/deep/c.ts']);
  });

  it('follow rules that changed while a folder was read', async () => {
    const { root, at } = await known({ ...FILES, 'src/deep/.gitignore': '*.md' });
    writeFileSync(at('src/deep/new.ts'), '');
    await settled();
    const original = Reflect.get<typeof IgnoreRules.prototype, 'inside'>(IgnoreRules.prototype, 'inside');
    {
      // The rules are asked for after the names of a folder were read.
      using inside = vi.spyOn(IgnoreRules.prototype, 'inside');
      inside.mockImplementation(async function changing(this: IgnoreRules, path) {
        const rules = await original.call(this, path);
        if (path === 'src/deep') writeFileSync(at('src/deep/.gitignore'), 'new.ts');
        await settled();
        return rules;
      });
      expect(await paths(root, '**/new.ts')).toEqual(['src/deep/new.ts']);
    }
    expect(await paths(root, '**/new.ts')).toEqual([]);
  });

  it('follow rules from above where the pattern begins', async () => {
    const { root, at } = await known();
    expect(await paths(root, 'src/deep/**')).toEqual(['src/deep/c.ts', 'src/deep/d.md']);
    writeFileSync(at('.gitignore'), '*.md');
    expect(await paths(root, 'src/deep/**')).toEqual(['src/deep/c.ts']);
  });

  it('are not entered any more when a link has taken their place', async () => {
    const { root, at } = await known();
    const other = temporaryFolder({ 'secret.ts': '' });
    renameSync(at('src'), at('lib/src'));
    symlinkSync(other, at('src'));
    expect(await paths(root)).toEqual(['a.ts', 'lib/e.ts', 'lib/src/b.ts', 'lib/src/deep/c.ts']);
  });

  it('are found where a link at the beginning of the pattern leads now', async () => {
    const { root, at } = await known();
    symlinkSync('lib', at('link'));
    expect(await paths(root, 'link/*.ts')).toEqual(['link/e.ts']);
    rmSync(at('link'));
    symlinkSync('src', at('link'));
    expect(await paths(root, 'link/*.ts')).toEqual(['link/b.ts']);
  });

  it('stop being looked at when the signal aborts', async () => {
    const { root } = await known();
    const signal = AbortSignal.abort(new Error('no more'));
    await expect(root.stamps({ pattern: '**', signal })).rejects.toThrow('no more');
  });

  const lookAfterChanges = async (numRuns: number) => {
    const path = fc.constantFrom('a.ts', 'x', 'x/a.ts', 'x/y', 'x/y/a.ts', 'x/y/b.ts', 'z', 'z/b.ts');
    const change = fc.oneof(
      fc.record({ write: path }),
      fc.record({ remove: path }),
      fc.record({ from: path, to: path }),
      fc.record({ rules: fc.constantFrom('', 'x/', 'x/y/', 'z/'), text: fc.constantFrom('a.ts', 'y/', '!b.ts') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 6 }), async (changes) => {
        const { root, folder, at } = await known({ 'x/y/a.ts': '', 'x/a.ts': '', 'z/b.ts': '' });
        for (const one of changes) {
          applied(one, at);
          expect(await paths(root)).toEqual(await paths(new WorkspaceRoot(folder)));
          await settled();
          expect(await paths(root)).toEqual(await paths(new WorkspaceRoot(folder)));
        }
      }),
      { numRuns },
    );
  };

  it('are what somebody finds who never looked before, whatever happens', () => lookAfterChanges(2));
  it('are what somebody finds who never looked before, whatever happens, 8 times', { tags: ['long'] }, () =>
    lookAfterChanges(8),
  );
});

type Change =
  | { readonly write: string }
  | { readonly remove: string }
  | { readonly from: string; readonly to: string }
  | { readonly rules: string; readonly text: string };

/** Makes a change; one that cannot be made is none. */
function applied(change: Change, at: (path: string) => string): void {
  try {
    if ('remove' in change) return rmSync(at(change.remove), { recursive: true, force: true });
    if ('from' in change) return renameSync(at(change.from), at(change.to));
    const path = at('rules' in change ? `${change.rules}.gitignore` : change.write);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'rules' in change ? change.text : '');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

/** Longer than the disk needs to distinguish two changes. */
const SETTLED = 150;

describe('the stamp of a file', () => {
  it('is the same as long as nothing changes, and another one afterwards', async () => {
    const folder = temporaryFolder({ 'a.ts': 'one', 'b/c.ts': 'two', 'd.md': '' });
    const root = new WorkspaceRoot(folder);
    const stamps = () => root.stamps({ pattern: '**/*.ts' });
    await setTimeout(SETTLED);
    const before = await stamps();
    expect([...before.keys()].toSorted()).toEqual(['a.ts', 'b/c.ts']);
    expect(await stamps()).toEqual(before);
    writeFileSync(join(folder, 'a.ts'), 'uno');
    const after = await stamps();
    expect(after.get('a.ts')).not.toBe(before.get('a.ts'));
    expect(after.get('b/c.ts')).toBe(before.get('b/c.ts'));
  });

  it('is another one when the time of the file was put back', async () => {
    const folder = temporaryFolder({ 'a.ts': 'one' });
    const path = join(folder, 'a.ts');
    utimesSync(path, 1, 1);
    await setTimeout(SETTLED);
    const before = computeStamp(statSync(path));
    writeFileSync(path, 'uno');
    utimesSync(path, 1, 1);
    await setTimeout(SETTLED);
    expect(computeStamp(statSync(path))).not.toBe(before);
  });

  it('is never the same for a file that was changed a moment ago', () => {
    const path = join(temporaryFolder({ 'a.ts': 'one' }), 'a.ts');
    const stats = statSync(path);
    expect(computeStamp(stats)).not.toBe(computeStamp(stats));
  });

  it('leaves out what is ignored, and links', async () => {
    const { symlinkSync } = await import('node:fs');
    const folder = temporaryFolder({ '.gitignore': 'out', 'out/a.ts': '', 'a.ts': '' });
    symlinkSync(join(folder, 'a.ts'), join(folder, 'linked.ts'));
    expect([...(await new WorkspaceRoot(folder).stamps({ pattern: '**/*.ts' })).keys()]).toEqual(['a.ts']);
  });
});
