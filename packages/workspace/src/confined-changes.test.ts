import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../test/describe-outcome.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import type { UndoReport } from './journal/undo.ts';
import { makeConfine, WorkspaceRoot } from './workspace-root.ts';

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'docs/c.txt': 'c\n' };

function open() {
  const folder = temporaryFolder(FILES);
  mkdirSync(join(folder, 'empty'));
  return { folder, root: new WorkspaceRoot(folder) };
}

const list = (folder: string) => readdirSync(folder, { recursive: true }).map(String).toSorted();

function throwProblem({ problem }: UndoReport): void {
  if (problem !== undefined) throw problem;
}

/** Every way to change `b.txt`, or something else that was not named. */
const CHANGES: Readonly<Record<string, (root: WorkspaceRoot) => Promise<unknown>>> = {
  write: (root) => root.write('b.txt', 'x'),
  'write, spelled otherwise': (root) => root.write('./b.txt', 'x'),
  'write of a new file': (root) => root.write('new.txt', 'x'),
  remove: (root) => root.remove('b.txt'),
  'a planned write': async (root) => (await root.open('b.txt').planWrite('x')).apply(),
  'a planned removal': async (root) => (await root.open('b.txt').planRemove()).apply(),
  'a move to it': async (root) => (await root.planMoves([[root.open('a.txt'), root.open('new.txt')]])).apply(),
  'a move of it': async (root) => (await root.planMoves([[root.open('b.txt'), root.open('a2.txt')]])).apply(),
  'a group with it': async (root) =>
    (
      await root.planGroup([
        { file: root.open('a.txt'), content: 'x' },
        { file: root.open('b.txt'), content: 'x' },
      ])
    ).apply(),
  'a new folder': async (root) => (await root.planFolder('more')).apply(),
  'an empty folder, removed': (root) => root.removeEmptyFolders(['empty']),
  undo: async (root) => throwProblem(await root.undo()),
  'a planned undo': async (root) => throwProblem(await (await root.planUndo()).apply()),
  'a draft': async (root) => {
    const draft = root.createDraft();
    await makeConfine(root)(['b.txt'], () => draft.run(() => root.write('b.txt', 'x')));
    await (await draft.plan())?.apply({ session: { id: '', seen: new Map() }, signal: AbortSignal.timeout(1e4) });
  },
  'a link to it': async (root) => {
    symlinkSync('b.txt', join(root.folder, 'link.txt'));
    await makeConfine(root)(['link.txt'], () => root.write('link.txt', 'x'));
  },
  'a name that only looks absolute': (root) => makeConfine(root)(['/b.txt'], () => root.write('b.txt', 'x')),
  'work that goes on afterwards': async (root) => {
    const late = makeConfine(root)(['b.txt'], () => Promise.resolve()).then(() => wait(1));
    await late.then(() => root.write('b.txt', 'x'));
  },
};

describe('work that may change only a.txt', () => {
  it.each(Object.entries(CHANGES))('does not change anything else: %s', async (_, change) => {
    const { folder, root } = open();
    await root.write('b.txt', 'changed\n');
    const before = list(folder);
    const outcome = await describeOutcome(() => makeConfine(root)(['a.txt'], () => change(root)));
    expect(outcome).toMatch(/^UndeclaredChangeError: .* was not changed: the call has not declared that it changes it/);
    expect(list(folder).filter((path) => path !== 'link.txt')).toEqual(before);
    expect((await root.readText('a.txt')).text + (await root.readText('b.txt')).text).toBe('a\nchanged\n');
  });

  it('changes it, in whatever spelling', async () => {
    const { root } = open();
    for (const named of ['a.txt', './a.txt', 'a.txt/'])
      await makeConfine(root)([named], () => root.write('./a.txt', `${named}\n`));
    expect((await root.readText('a.txt')).text).toBe('a.txt/\n');
  });

  it('is told which file it is, what was declared, and what to do', async () => {
    const { root } = open();
    const outcome = await describeOutcome(() =>
      makeConfine(root)(['a.txt', 'c', 'd', 'e'], () => root.write('b.txt', 'x')),
    );
    expect(outcome).toBe(`\
UndeclaredChangeError: b.txt was not changed: the call has not declared that it changes it, only a.txt, c, d and more. The author of a tool lists every file in \`touches\` of the change that it plans.
Try: touches: [{ path: "b.txt" }]`);
  });
});

it('folders are removed that a change of named files has emptied', async () => {
  const { folder, root } = open();
  await makeConfine(root)(['docs/c.txt'], async () => {
    await root.remove('docs/c.txt');
    await root.removeEmptyFolders(['docs']);
  });
  expect(list(folder)).toEqual(['a.txt', 'b.txt', 'empty']);
});

it('work outside of any call changes what it likes', async () => {
  const { root } = open();
  await makeConfine(root)([], async () => root.readText('a.txt'));
  await root.write('b.txt', 'x');
  expect((await root.readText('b.txt')).text).toBe('x');
});
