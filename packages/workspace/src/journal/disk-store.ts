import { constants, readFileSync } from 'node:fs';
import { readdir, rmdir, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { systemError } from '../errors.ts';
import { openFile } from '../file/open-file.ts';
import { journalOf, type JournalRecord, numberOf, parseRecords, renderRecord } from './journal-record.ts';
import type { JournalStore, StoredJournal, Writer } from './journal.ts';
import { OWN_FOLDER } from '../path/path-protection.ts';
import { findInside, type Place } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { writeAtomically } from '../write/write-atomically.ts';

/** Where all journals of a workspace are, below its root. */
export const JOURNAL_FOLDER = `${OWN_FOLDER}/journal`;
/** Journals of processes that are over: as many of the newest are kept. */
export const MOST_JOURNALS = 20;

const NAME = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/;
const LOG = 'log.jsonl';
/** Nobody but the user reads what files contained. */
const PRIVATE = 0o600;

/** Keeps journals in a folder of the workspace: one folder for each process, with a log and the old contents. */
export class DiskStore implements JournalStore {
  readonly #root: RootFolder;
  readonly #name: string;
  #first: JournalRecord | undefined;

  /** @param name of the own journal */
  constructor(root: RootFolder, name: string) {
    this.#root = root;
    this.#name = name;
  }

  async append(record: JournalRecord): Promise<void> {
    using place = this.#own(LOG);
    if (this.#first === undefined || place.target === undefined) {
      await this.#begin(record);
      return;
    }
    await using file = await place.target.open(constants.O_WRONLY | constants.O_APPEND);
    try {
      await file.writeFile(renderRecord(record));
      if (record.type === 'start') await file.datasync();
    } catch (error) {
      throw systemError(error, place.given);
    }
  }

  async rewrite(records: readonly JournalRecord[]): Promise<void> {
    using place = this.#own(LOG);
    await writeAtomically(place, { content: Buffer.from(records.map(renderRecord).join('')), mode: PRIVATE });
  }

  async keep(number: number, content: Uint8Array): Promise<void> {
    using place = this.#own(`${number}.before`);
    await writeAtomically(place, { content, mode: PRIVATE });
  }

  async drop(number: number): Promise<void> {
    using place = this.#own(`${number}.before`);
    await remove(place);
  }

  async content(id: string): Promise<Uint8Array | undefined> {
    return NAME.test(journalOf(id)) ? this.#read(`${journalOf(id)}/${numberOf(id)}.before`) : undefined;
  }

  async others(): Promise<readonly StoredJournal[]> {
    const names = (await this.#names('')).filter((name) => NAME.test(name) && name !== this.#name);
    return Promise.all(names.toSorted().map((name) => this.#load(name)));
  }

  /** Begins the log, and lets go of the oldest ones. Whoever removed it meanwhile finds a new one. */
  async #begin(record: JournalRecord): Promise<void> {
    using ignored = findInside(`${OWN_FOLDER}/.gitignore`, this.#root);
    if (ignored.stats === undefined) await writeAtomically(ignored, { content: Buffer.from('*\n') });
    await this.rewrite(this.#first === undefined ? [record] : [this.#first, record]);
    if (this.#first === undefined) await this.#prune();
    this.#first ??= record;
  }

  async #prune(): Promise<void> {
    const over = (await this.others()).filter(({ running }) => !running);
    for (const { name } of over.slice(0, Math.max(0, over.length - MOST_JOURNALS))) await this.#discard(name);
  }

  async #discard(journal: string): Promise<void> {
    for (const name of await this.#names(journal)) {
      using file = this.#place(`${journal}/${name}`);
      await remove(file);
    }
    using folder = this.#place(journal);
    await rmdir(folder.folder.at(folder.name)).catch(() => undefined);
  }

  async #load(name: string): Promise<StoredJournal> {
    const text = Buffer.from((await this.#read(`${name}/${LOG}`)) ?? []).toString();
    const records = parseRecords(text);
    const writer = records.find((record) => record.type === 'journal');
    const last = records.findLast((record) => record.type === 'start')?.operation.time ?? 0;
    return { name, records, running: writer !== undefined && isLiving(writer, new Date(last).getTime()) };
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    try {
      using place = this.#place(path);
      if (place.stats === undefined) return undefined;
      await using file = await openFile(place);
      return await file.readFile();
    } catch {
      return undefined;
    }
  }

  async #names(folder: string): Promise<readonly string[]> {
    try {
      using place = this.#place(folder);
      return place.target === undefined ? [] : await readdir(place.target.address);
    } catch {
      return [];
    }
  }

  #own(name: string): Place {
    return this.#place(`${this.#name}/${name}`);
  }

  #place(path: string): Place {
    return findInside(`${JOURNAL_FOLDER}/${path}`, this.#root);
  }
}

async function remove(place: Place): Promise<void> {
  await unlink(place.folder.at(place.name)).catch(() => undefined);
}

/** A journal of another machine counts as being written for this long after its last operation. */
const ELSEWHERE_MS = 10 * 60 * 1000;

/** What this process is known by in its journal. */
export function thisProcess(): Writer {
  return { pid: process.pid, birth: birthOf(process.pid), host: hostname() };
}

/**
 * True when the process that writes a journal lives.
 *
 * @param lastSeen when it last wrote, in milliseconds since 1970
 */
export function isLiving({ pid, birth, host }: Writer, lastSeen: number): boolean {
  if (host !== hostname()) return Date.now() - lastSeen < ELSEWHERE_MS;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // The number may have been given to another process.
  return birthOf(pid) === birth;
}

/** When a process began, as Linux counts; empty where that cannot be known. */
function birthOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in brackets, may contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
