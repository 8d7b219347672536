import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { formatPath } from '../path/show-path.ts';

export interface FileVersion {
  readonly hash: string;
  readonly size: number;
  readonly lines: number;
  readonly mode: number;
}

/** Returns what a journal records of a version of a file; undefined where there was none. */
export function toVersion(file: FileVersion | undefined): FileVersion | undefined {
  if (file === undefined) return undefined;
  const { hash, size, lines, mode } = file;
  return { hash, size, lines, mode };
}

/** Name of the action of a program that a session ran. */
export const BY_COMMAND = 'command';

/** One change of one file, as recorded in the journal. */
export interface Operation {
  /** Unique name of the operation in the workspace: its journal, a slash and its number there. */
  readonly id: string;
  readonly session: string;
  /** Start time, in ISO 8601. */
  readonly time: string;
  /** Name of the action, as a noun for people: `write`, `edit`, `remove`. */
  readonly action: string;
  readonly path: string;
  /** The version before the change; absent when the file did not exist. */
  readonly before?: FileVersion;
  /**
   * The version after the change; absent when the file was removed. With its mode if the change may have set it, so that
   * an undo restores that too.
   */
  readonly after?: Omit<FileVersion, 'mode'> & Partial<Pick<FileVersion, 'mode'>>;
  /** Number of replaced lines, and of the lines that replaced them. */
  readonly lines: readonly [before: number, after: number];
  /** Folders created for the file, outermost first. */
  readonly folders: readonly string[];
  /** Identifier shared by operations that were made, and are undone, together; absent for a single operation. */
  readonly group?: string;
  /** False when the old content was too large to keep, so that the operation cannot be undone. */
  readonly kept: boolean;
  /** Files that were changed together with this one and that an undo leaves: their old contents were not kept. */
  readonly unkept?: readonly string[];
}

export type OperationDraft = Omit<Operation, 'id' | 'time'>;

export function parseNumber(id: string): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}

/** Returns the name of the change that an operation belongs to. */
export function getChangeId({ id, group }: Operation): string {
  return group ?? id;
}

/** Operations that were made together; in most cases one operation. */
export type OperationGroup = readonly [Operation, ...Operation[]];

/** Groups operations by change, in the order of the first operation of each. */
export function groupOperations(operations: readonly Operation[]): readonly OperationGroup[] {
  return [...Map.groupBy(operations, getChangeId).values()] as unknown as OperationGroup[];
}

/** Maximum number of files named in a sentence. */
const NAMED = 5;

/** Says what an undo of operations leaves as it is, in one line; empty if nothing is. */
export function describeLeft(operations: readonly Operation[]): string {
  if (!operations.some(({ action }) => action === BY_COMMAND)) return '';
  const paths = [...new Set(operations.flatMap(({ unkept = [] }) => unkept))];
  const more = paths.length > NAMED ? `, and ${paths.length - NAMED} more` : '';
  const names = `${paths.slice(0, NAMED).map(formatPath).join(', ')}${more}`;
  const files = paths.length === 0 ? '' : `${names}, whose old content was not kept, and `;
  return `Not undone: what the command did to ${files}ignored files, such as node_modules.`;
}

/** One line of a journal. */
export type JournalRecord =
  /** The first record: the process that writes this journal. */
  | { readonly type: 'journal'; readonly pid: number; readonly birth: string; readonly host: string }
  | { readonly type: 'start'; readonly operation: Operation }
  /**
   * The outcome of an operation, possibly of another journal whose process ended before it could record the outcome.
   */
  | { readonly type: 'end'; readonly id: string; readonly happened: boolean }
  | { readonly type: 'undone'; readonly id: string }
  /** Operations of this journal up to this number are no longer kept. */
  | { readonly type: 'forgotten'; readonly number: number };

/** Computes the code of a record of one journal, which proves that it was written there with a key. */
export type SignRecord = (json: string) => string;

/**
 * Returns what signs the records of a journal. The code covers the name of the journal, so that no record counts in
 * another one; the old content of a file is covered by its hash in the record.
 */
export function createSigner(key: KeyObject, journal: string): SignRecord {
  return (json) => createHmac('sha256', key).update(`undo\n${journal}\n${json}`).digest('base64url');
}

function isSigned(json: string, mac: unknown, sign: SignRecord): boolean {
  if (typeof mac !== 'string') return false;
  const [expected, given] = [Buffer.from(sign(json)), Buffer.from(mac)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/**
 * Renders a record for appending to a journal: an incomplete record before it stays on a line of its own.
 *
 * @param sign adds the proof of who wrote it
 */
export function renderRecord(record: JournalRecord, sign?: SignRecord): string {
  const json = JSON.stringify(record);
  return `\n${sign === undefined ? json : JSON.stringify({ ...record, mac: sign(json) })}`;
}

/** The records of a journal that count, and the operations in it that do not, because their code is missing or wrong. */
export interface ParsedRecords {
  readonly records: readonly JournalRecord[];
  readonly unproven: readonly Operation[];
}

/**
 * Parses a journal. Incomplete lines are skipped: the process was killed, or the disk was full, while they were
 * written.
 *
 * @param sign signs as the user does; without it every record counts
 */
export function parseRecords(text: string, sign?: SignRecord): ParsedRecords {
  const records: JournalRecord[] = [];
  const unproven: Operation[] = [];
  for (const line of text.split('\n')) {
    try {
      const { mac, ...json } = JSON.parse(line) as JournalRecord & { readonly mac?: unknown };
      if (!hasShape(RECORDS[json.type])(json)) continue;
      const record = json as JournalRecord;
      if (sign === undefined || isSigned(JSON.stringify(json), mac, sign)) records.push(record);
      else if (record.type === 'start') unproven.push(record.operation);
    } catch {
      // An incomplete line.
    }
  }
  return { records, unproven };
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isInteger: Check = Number.isInteger;
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const hasShape =
  (shape: Readonly<Record<string, Check>> | undefined): Check =>
  (value) => {
    if (shape === undefined || typeof value !== 'object' || value === null) return false;
    return Object.entries(shape).every(([key, check]) => check((value as Readonly<Record<string, unknown>>)[key]));
  };

const VERSION = { hash: isText, size: isInteger, lines: isInteger, mode: orAbsent(isInteger) };

const OPERATION = {
  id: isText,
  session: isText,
  time: isText,
  action: isText,
  path: isText,
  before: orAbsent(hasShape(VERSION)),
  after: orAbsent(hasShape(VERSION)),
  lines: (value: unknown) => Array.isArray(value) && value.length === 2 && value.every(isInteger),
  folders: isTexts,
  group: orAbsent(isText),
  kept: isFlag,
  unkept: orAbsent(isTexts),
};

const RECORDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  journal: { pid: isInteger, birth: isText, host: isText },
  start: { operation: hasShape(OPERATION) },
  end: { id: isText, happened: isFlag },
  undone: { id: isText },
  forgotten: { number: isInteger },
};
