import type { FileVersion, Operation } from './operation.ts';

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
