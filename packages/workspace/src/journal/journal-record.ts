export interface FileVersion {
  readonly hash: string;
  readonly size: number;
  readonly lines: number;
  readonly mode: number;
}

/** One change of one file, as the journal keeps it. */
export interface Operation {
  /** Name of the operation among all of the workspace: its journal, a slash and its number there. */
  readonly id: string;
  readonly session: string;
  /** When it began, in ISO 8601. */
  readonly time: string;
  /** What was done, as a noun for people: `write`, `edit`, `remove`. */
  readonly action: string;
  readonly path: string;
  /** What was there; absent when nothing was. */
  readonly before?: FileVersion;
  /** What was left there; absent when nothing was. */
  readonly after?: Omit<FileVersion, 'mode'>;
  /** Lines that were replaced, and lines that took their place. */
  readonly lines: readonly [before: number, after: number];
  /** Folders created for the file, outermost first. */
  readonly folders: readonly string[];
  /** What was changed together has the same one, and is taken back together; absent for what was changed alone. */
  readonly group?: string;
  /** False when the old content was too large to be kept: then it cannot be undone. */
  readonly kept: boolean;
}

export type OperationDraft = Omit<Operation, 'id' | 'time'>;

export function parseNumber(id: string): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}

/** Name of the change that an operation is a part of, or all of. */
export function getChangeId({ id, group }: Operation): string {
  return group ?? id;
}

/** What was changed together, mostly one operation. */
export type OperationGroup = readonly [Operation, ...Operation[]];

/** Groups operations by change, in the order of the first of each. */
export function groupOperations(operations: readonly Operation[]): readonly OperationGroup[] {
  return [...Map.groupBy(operations, getChangeId).values()] as unknown as OperationGroup[];
}

/** One line of a journal. */
export type JournalRecord =
  /** First of all: which process writes this journal. */
  | { readonly type: 'journal'; readonly pid: number; readonly birth: string; readonly host: string }
  | { readonly type: 'start'; readonly operation: Operation }
  /** What became of an operation; of another journal too, when its process did not live to record it. */
  | { readonly type: 'end'; readonly id: string; readonly happened: boolean }
  | { readonly type: 'undone'; readonly id: string }
  /** Operations of this journal up to this number are not kept any more. */
  | { readonly type: 'forgotten'; readonly number: number };

/** Renders a record as it is added to a journal: what was torn before it stays on a line of its own. */
export function renderRecord(record: JournalRecord): string {
  return `\n${JSON.stringify(record)}`;
}

/**
 * Parses a journal. A line that is no whole record is left out: the process was killed, or the disk was full, while
 * it was written.
 */
export function parseRecords(text: string): readonly JournalRecord[] {
  return text.split('\n').flatMap((line) => {
    try {
      const json = JSON.parse(line) as JournalRecord;
      return hasShape(RECORDS[json.type])(json) ? [json] : [];
    } catch {
      return [];
    }
  });
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isInteger: Check = Number.isInteger;
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
  folders: (value: unknown) => Array.isArray(value) && value.every(isText),
  group: orAbsent(isText),
  kept: isFlag,
};

const RECORDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  journal: { pid: isInteger, birth: isText, host: isText },
  start: { operation: hasShape(OPERATION) },
  end: { id: isText, happened: isFlag },
  undone: { id: isText },
  forgotten: { number: isInteger },
};
