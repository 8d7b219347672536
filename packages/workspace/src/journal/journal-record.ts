/** A version of a file's content. */
export interface FileVersion {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  readonly lines: number;
  /** Permission bits. */
  readonly mode: number;
}

/** One change of one file, as the journal keeps it. */
export interface Operation {
  /** Name of the operation among all of the workspace: its journal, a slash and its number there. */
  readonly id: string;
  /** Who made it. */
  readonly session: string;
  /** When it began, in ISO 8601. */
  readonly time: string;
  /** What was done, as a noun for people: `write`, `edit`, `remove`. */
  readonly action: string;
  /** Path below the root, without links. */
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

/** An operation that has not been numbered yet. */
export type OperationDraft = Omit<Operation, 'id' | 'time'>;

/** The number of an operation in its journal. */
export function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}

/** The name of the journal that an operation is in. */
export function journalOf(id: string): string {
  return id.slice(0, id.lastIndexOf('/'));
}

/** The name of an operation among all of the workspace. */
export function idOf(journal: string, number: number): string {
  return `${journal}/${number}`;
}

/** What was changed together, in the order of the operations it was found among; mostly one operation. */
export type Change = readonly [Operation, ...Operation[]];

/** Name of the change that an operation is a part of, or all of. */
export function changeOf({ id, group }: Operation): string {
  return group ?? id;
}

/** Operations by change, in their order; what came between those of one change follows it. */
export function changesOf(operations: readonly Operation[]): readonly Change[] {
  const changes = new Map<string, [Operation, ...Operation[]]>();
  for (const operation of operations) {
    const change = changes.get(changeOf(operation));
    if (change === undefined) changes.set(changeOf(operation), [operation]);
    else change.push(operation);
  }
  return [...changes.values()];
}

/** One line of a journal. */
export type JournalRecord =
  /** First of all: which process writes this journal. */
  | { readonly type: 'journal'; readonly pid: number; readonly birth: string; readonly host: string }
  /** An operation is about to happen. */
  | { readonly type: 'start'; readonly operation: Operation }
  /** What became of an operation; of another journal too, when its process did not live to say it. */
  | { readonly type: 'end'; readonly id: string; readonly happened: boolean }
  /** An operation, of any journal, was undone. */
  | { readonly type: 'undone'; readonly id: string }
  /** Operations of this journal up to this number are not kept any more. */
  | { readonly type: 'forgotten'; readonly number: number };

/**
 * The records in a journal's text. A line that is no whole record is left out: the process was killed, or the
 * disk was full, while it was written.
 */
export function parseRecords(text: string): readonly JournalRecord[] {
  return text.split('\n').flatMap((line) => {
    const record = line === '' ? undefined : parseLine(line);
    return record === undefined ? [] : [record];
  });
}

/** A record as it is added to a journal: what was torn before it stays on a line of its own. */
export function renderRecord(record: JournalRecord): string {
  return `\n${JSON.stringify(record)}`;
}

type Json = Readonly<Record<string, unknown>>;

function parseLine(line: string): JournalRecord | undefined {
  try {
    const json = JSON.parse(line) as Json;
    return isRecord(json) ? (json as JournalRecord) : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(json: Json): boolean {
  switch (json['type']) {
    case 'journal':
      return Number.isInteger(json['pid']) && isText(json['birth']) && isText(json['host']);
    case 'start':
      return isOperation(json['operation'] as Json | undefined);
    case 'end':
      return isText(json['id']) && typeof json['happened'] === 'boolean';
    case 'undone':
      return isText(json['id']);
    case 'forgotten':
      return Number.isInteger(json['number']);
    default:
      return false;
  }
}

function isOperation(json: Json | undefined): boolean {
  if (json === undefined) return false;
  const texts = [json['id'], json['session'], json['time'], json['action'], json['path'], json['group'] ?? ''];
  const folders = json['folders'];
  const lines = json['lines'];
  return (
    texts.every(isText) &&
    [json['before'], json['after']].every(isVersion) &&
    Array.isArray(lines) &&
    lines.length === 2 &&
    lines.every(Number.isInteger) &&
    Array.isArray(folders) &&
    folders.every(isText) &&
    typeof json['kept'] === 'boolean'
  );
}

function isVersion(value: unknown): boolean {
  if (value === undefined) return true;
  const { hash, size, lines, mode = 0 } = value as Partial<FileVersion>;
  return isText(hash) && [size, lines, mode].every(Number.isInteger);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
