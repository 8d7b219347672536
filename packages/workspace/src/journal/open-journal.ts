import { randomBytes } from 'node:crypto';
import { PathQueue } from '../path-queue.ts';
import type { RootFolder } from '../root-folder.ts';
import { DiskStore } from './disk-store.ts';
import { Journal, JOURNAL_BOUNDS, type JournalBounds } from './journal.ts';
import { JournaledFiles } from './journaled-files.ts';
import { MemoryStore } from './memory-store.ts';
import { thisProcess } from './process-life.ts';
import { Undo, type UndoPorts } from './undo.ts';

/** Where a journal is kept: as long as the process lives, or in the folder `.bae/journal` of the workspace. */
export type JournalKind = 'memory' | 'disk';

/** Everything that a journal makes possible. */
export interface OpenJournal {
  readonly files: JournaledFiles;
  readonly undo: Undo;
  readonly ports: UndoPorts;
}

/** Begins a journal of what is done to files from now on. Nothing is written before something is done. */
export function openJournal(root: RootFolder, kind: JournalKind, bounds: JournalBounds = JOURNAL_BOUNDS): OpenJournal {
  const name = journalName();
  const store = kind === 'disk' ? new DiskStore(root, name) : new MemoryStore();
  const journal = new Journal(name, store, { bounds, writer: thisProcess() });
  const ports = { root, journal, queue: new PathQueue() };
  const undo = new Undo(ports);
  return { files: new JournaledFiles(ports, undo), undo, ports };
}

/** Names sort by the time they were given: `20261120T101500123Z-1f2e3d4c`. */
function journalName(): string {
  return `${new Date().toISOString().replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}`;
}
