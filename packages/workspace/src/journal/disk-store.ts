import { createSecretKey, type KeyObject } from 'node:crypto';
import { constants, readFileSync } from 'node:fs';
import { open, readdir, rmdir, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { translateSystemError } from '../errors.ts';
import { openFile } from '../file/file-content.ts';
import { OWN_FOLDER } from '../path/path-protection.ts';
import { resolveBelowRoot, type ResolvedPath } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import {
  createTemporaryName,
  createUnnamedFile,
  isRunning,
  makeMissingFolder,
  writeFileAtomically,
} from '../write/write-atomically.ts';
import {
  createSigner,
  getChangeId,
  type JournalRecord,
  parseNumber,
  type ParsedRecords,
  parseRecords,
  renderRecord,
  type SignRecord,
} from './journal-record.ts';
import type { JournalStore, StoredJournal, Writer } from './journal.ts';

/** Path of the folder with the journals of a workspace. */
export const JOURNAL_FOLDER = `${OWN_FOLDER}/journal`;
/** Maximum number of journals kept from processes that have ended; the newest ones are kept. */
export const MOST_JOURNALS = 20;

const NAME = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/;
const LOG = 'log.jsonl';
/** Only the user may read old file contents. */
const PRIVATE = 0o600;

/** Returns the secret of the user that proves who wrote a journal; called when the first journal is read or written. */
export type GetKey = () => Uint8Array;

/** Keeps journals in a folder of the workspace: one folder for each process, with a log and the old contents. */
export class DiskStore implements JournalStore {
  readonly #root: RootFolder;
  readonly #name: string;
  readonly #getKey: GetKey | undefined;
  #key: KeyObject | undefined;
  /** Logs as they were last read: checking their signatures takes longer than reading them. */
  readonly #known = new Map<string, ParsedRecords & { readonly text: string }>();
  #first: JournalRecord | undefined;

  constructor(root: RootFolder, name: string, getKey?: GetKey) {
    this.#root = root;
    this.#name = name;
    this.#getKey = getKey;
  }

  async append(...records: readonly JournalRecord[]): Promise<void> {
    using log = this.#resolve(`${this.#name}/${LOG}`);
    if (this.#first === undefined || log.target === undefined) {
      await this.#begin(records);
      return;
    }
    await using file = await log.target.open(constants.O_WRONLY | constants.O_APPEND);
    try {
      await file.writeFile(this.#render(records));
      if (records.some(({ type }) => type === 'start')) await file.datasync();
    } catch (error) {
      throw translateSystemError(error, log.given);
    }
  }

  async rewrite(records: readonly JournalRecord[]): Promise<void> {
    await this.#write(LOG, Buffer.from(this.#render(records)));
  }

  async keep(number: number, content: Uint8Array): Promise<void> {
    await this.#write(`${number}.before`, content);
  }

  async keepAfterwards(number: number, chunks: Iterable<Uint8Array>): Promise<void> {
    using file = this.#resolve(`${this.#name}/${number}.before`);
    // A program may have removed the folder.
    if (file.missingFolders.length > 0) return this.keep(number, Buffer.concat([...chunks]));
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    await using handle = await open(file.folder.childAddress(file.name), flags, PRIVATE);
    await handle.writeFile(chunks);
  }

  async openUnnamed(): Promise<number> {
    await this.#ignoreOwnFolder();
    using folder = resolveBelowRoot(JOURNAL_FOLDER, this.#root);
    if (folder.target === undefined) await makeMissingFolder(folder);
    using file = this.#resolve(createTemporaryName());
    return createUnnamedFile(file.folder.childAddress(file.name));
  }

  async drop(number: number): Promise<void> {
    await this.#remove(`${this.#name}/${number}.before`);
  }

  async content(id: string): Promise<Uint8Array | undefined> {
    const journal = id.slice(0, id.lastIndexOf('/'));
    return NAME.test(journal) ? this.#read(`${journal}/${parseNumber(id)}.before`) : undefined;
  }

  async others(): Promise<readonly StoredJournal[]> {
    const names = (await this.#list('')).filter((name) => NAME.test(name) && name !== this.#name);
    return Promise.all(names.toSorted().map((name) => this.#load(name)));
  }

  /**
   * Removes texts from every journal of the workspace: the old contents that contain one, so that those changes can no
   * longer be undone, and the changes whose log lines contain one. Of a change of several files, all of it goes: undoing
   * half a move would remove a file.
   *
   * @returns the number of old contents removed
   */
  async forget(holds: (content: string) => boolean): Promise<number> {
    let count = 0;
    for (const journal of (await this.#list('')).filter((name) => NAME.test(name))) {
      const log = Buffer.from((await this.#read(`${journal}/${LOG}`)) ?? []).toString();
      const lines = log.split('\n').map((line) => ({ line, ...identifyOperation(line) }));
      const named = new Set(lines.flatMap(({ line, change }) => (holds(line) ? [change] : [])));
      const [gone = [], kept = []] = [true, false].map((goes) =>
        lines.filter(({ line, change }) => (holds(line) || (change !== undefined && named.has(change))) === goes),
      );
      // Before the log: if the process is killed in between, the log still names what cannot be undone any more.
      for (const name of (await this.#list(journal)).filter((one) => one !== LOG)) {
        const path = `${journal}/${name}`;
        const old = await this.#read(path);
        const isOfGone = gone.some(({ content }) => content === name);
        if (!isOfGone && (old === undefined || !holds(Buffer.from(old).toString()))) continue;
        await this.#remove(path);
        count++;
      }
      if (gone.length === 0) continue;
      using file = this.#resolve(`${journal}/${LOG}`);
      const content = Buffer.from(kept.map(({ line }) => line).join('\n'));
      await writeFileAtomically(file, { content, mode: PRIVATE });
    }
    return count;
  }

  /** Begins the log, and removes the oldest journals. Recreates the log if it was deleted. */
  async #begin(records: readonly JournalRecord[]): Promise<void> {
    await this.#ignoreOwnFolder();
    await this.rewrite(this.#first === undefined ? records : [this.#first, ...records]);
    if (this.#first === undefined) await this.#prune();
    this.#first ??= records[0];
  }

  /** Makes bae's own folder, which git ignores. */
  async #ignoreOwnFolder(): Promise<void> {
    using ignored = resolveBelowRoot(`${OWN_FOLDER}/.gitignore`, this.#root);
    if (ignored.stats === undefined) await writeFileAtomically(ignored, { content: Buffer.from('*\n') });
  }

  #render(records: readonly JournalRecord[]): string {
    const sign = this.#signerOf(this.#name);
    return records.map((record) => renderRecord(record, sign)).join('');
  }

  /** Removes the oldest journals of the user. Those of others are not bae's to remove. */
  async #prune(): Promise<void> {
    const ended = (await this.others()).filter(({ running, unproven }) => !running && unproven.length === 0);
    for (const { name } of ended.slice(0, Math.max(0, ended.length - MOST_JOURNALS))) {
      for (const file of await this.#list(name)) await this.#remove(`${name}/${file}`);
      using folder = this.#resolve(name);
      await rmdir(folder.folder.childAddress(folder.name)).catch(() => undefined);
    }
  }

  async #load(name: string): Promise<StoredJournal> {
    const text = Buffer.from((await this.#read(`${name}/${LOG}`)) ?? []).toString();
    const { records, unproven } = this.#parse(name, text);
    const writer = records.find((record) => record.type === 'journal');
    const last = records.findLast((record) => record.type === 'start')?.operation.time ?? 0;
    return { name, records, unproven, running: writer !== undefined && isAlive(writer, new Date(last).getTime()) };
  }

  #parse(journal: string, text: string): ParsedRecords {
    const known = this.#known.get(journal);
    if (known?.text === text) return known;
    const parsed = { ...parseRecords(text, this.#signerOf(journal)), text };
    this.#known.set(journal, parsed);
    return parsed;
  }

  #signerOf(journal: string): SignRecord | undefined {
    if (this.#getKey === undefined) return undefined;
    // A key that cannot be stored may be another one at every call.
    // An object of the key is several times faster than its bytes.
    return createSigner((this.#key ??= createSecretKey(this.#getKey())), journal);
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    try {
      using resolved = this.#resolve(path);
      if (resolved.stats === undefined) return undefined;
      await using file = await openFile(resolved);
      return await file.readFile();
    } catch {
      return undefined;
    }
  }

  async #write(name: string, content: Uint8Array): Promise<void> {
    using file = this.#resolve(`${this.#name}/${name}`);
    await writeFileAtomically(file, { content, mode: PRIVATE });
  }

  async #remove(path: string): Promise<void> {
    using file = this.#resolve(path);
    await unlink(file.folder.childAddress(file.name)).catch(() => undefined);
  }

  async #list(folder: string): Promise<readonly string[]> {
    try {
      using resolved = this.#resolve(folder);
      return resolved.target === undefined ? [] : await readdir(resolved.target.address);
    } catch {
      return [];
    }
  }

  #resolve(path: string): ResolvedPath {
    return resolveBelowRoot(`${JOURNAL_FOLDER}/${path}`, this.#root);
  }
}

/** Returns the change that a line of a log belongs to, and the name of its old content; nothing for other lines. */
function identifyOperation(line: string): { readonly change?: string; readonly content?: string } {
  const [record] = parseRecords(line).records;
  if (record?.type !== 'start') return {};
  return { change: getChangeId(record.operation), content: `${parseNumber(record.operation.id)}.before` };
}

/** Time after its last operation during which a journal of another machine counts as being written, in milliseconds. */
const ELSEWHERE_MS = 10 * 60 * 1000;

export function identifyProcess(): Writer {
  return { pid: process.pid, birth: readStartTime(process.pid), host: hostname() };
}

/** Returns true when the process that writes a journal is alive; `lastSeen` in milliseconds since 1970. */
export function isAlive({ pid, birth, host }: Writer, lastSeen: number): boolean {
  if (host !== hostname()) return Date.now() - lastSeen < ELSEWHERE_MS;
  // The process id may have been assigned to another process.
  return isRunning(pid) && readStartTime(pid) === birth;
}

/** Returns the start time of a process, as Linux counts it; empty when it is unknown. */
function readStartTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in parentheses, may contain any characters.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
