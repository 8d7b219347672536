import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endProcesses } from '../../test/journal-on-disk.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { PathQueue } from '../write/file-lock.ts';
import { RootFolder } from '../path/root-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';
import { FileKeeper } from './file-keeper.ts';
import type { JournalRecord } from './journal-record.ts';
import { Journal, MemoryStore } from './journal.ts';
import { Undo } from './undo.ts';

const NAMES = Array.from({ length: 40 }, (_, number) => `d${number % 3}/f${number}.txt`);
const FILES = Object.fromEntries(NAMES.map((name) => [name, `old ${name}`]));

function changeAll(folder: string): void {
  for (const name of NAMES) writeFileSync(join(folder, name), `new ${name}`);
}

/** The files with their old content. */
function listOld(folder: string): readonly string[] {
  return NAMES.filter((name) => readFileSync(join(folder, name), 'utf8') === `old ${name}`);
}

it('writes what a command changed in the journal before any of it is undone, and each file before the journal says so', async () => {
  const folder = temporaryFolder(FILES);
  /** What each record, or several written together, said, and the files that were old then. */
  const written: { readonly said: readonly JournalRecord[]; readonly old: readonly string[] }[] = [];
  class WatchedStore extends MemoryStore {
    override readonly append = async (...records: readonly JournalRecord[]): Promise<void> => {
      written.push({ said: records, old: listOld(folder) });
    };
  }
  const bounds = { operations: 100, bytes: 100_000, kept: 100_000 };
  const journal = new Journal('one', new WatchedStore(), { bounds, writer: { pid: 1, birth: '', host: '' } });
  const ports = { root: new RootFolder(folder), journal, queue: new PathQueue() };
  const undo = new Undo(ports);
  const kept = await new FileKeeper(ports, () => undo.settle()).keep();
  changeAll(folder);
  await kept.record('one');
  const paths = new Map((await undo.operations()).map(({ id, path }) => [id, path]));
  expect((await undo.undo({})).undone).toHaveLength(40);
  expect(listOld(folder)).toHaveLength(40);

  const started = written.findLastIndex(({ said }) => said.some(({ type }) => type === 'start'));
  expect(written[started]?.old).toEqual([]);
  const undone = written.filter(({ said }) => said.some(({ type }) => type === 'undone'));
  expect(written.slice(started + 1)).toEqual(undone);
  for (const { said, old } of undone) {
    const named = said.map((record) => paths.get('id' in record ? record.id : ''));
    expect(old).toEqual(expect.arrayContaining(named));
  }
  // Files are restored at the same time, so there are fewer waits than files.
  expect(undone.length).toBeLessThan(10);
});

it('is completed by the next undo when its process was killed', async () => {
  const folder = temporaryFolder(FILES);
  const workspace = new WorkspaceRoot(folder, { journal: 'disk' });
  const kept = await workspace.keepFiles();
  changeAll(folder);
  await kept.record('one');
  const { undone } = await workspace.undo({});
  // Killed before the last records, when half of those files were restored.
  const last = undone.slice(-8);
  const half = last.slice(4).map(({ path }) => path);
  for (const path of half) writeFileSync(join(folder, path), `new ${path}`);
  endProcesses(folder, (log) => {
    const lines = log.split('\n');
    return lines.filter((line) => !(line.includes('"undone"') && last.some(({ id }) => line.includes(`"${id}"`)))).join('\n');
  });
  const next = new WorkspaceRoot(folder, { journal: 'disk' });
  const report = await next.undo({});
  expect(report.problem).toBeUndefined();
  expect(report.undone.map(({ path }) => path)).toEqual(last.map(({ path }) => path));
  expect(listOld(folder)).toHaveLength(40);
}); // prettier-ignore

it('removes a file before it puts back the folder whose place it took', async () => {
  const folder = temporaryFolder({ 'd/a.txt': 'a', 'd/b.txt': 'b' });
  const workspace = new WorkspaceRoot(folder);
  const kept = await workspace.keepFiles();
  rmSync(join(folder, 'd'), { recursive: true });
  writeFileSync(join(folder, 'd'), 'new');
  await kept.record('one');
  expect((await workspace.undo({})).problem).toBeUndefined();
  expect(['d/a.txt', 'd/b.txt'].map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual(['a', 'b']);
});
