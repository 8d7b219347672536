import { BaeError } from '@bae/core';
import { digestOf } from '../file/file-digest.ts';
import { readSnapshot } from '../file/open-file.ts';
import { PlannedChange } from '../file/planned-change.ts';
import type { Change, FileVersion, Operation } from './journal-record.ts';
import { placeOf, reversalOf, type Undo, type UndoPorts, type UndoReport, type UndoRequest } from './undo.ts';
import { renderFileChange } from '../text/unified-diff.ts';

/** A file as it is, and as it would be. */
export interface FileChange {
  /** Below the root, without links. */
  readonly path: string;
  /** Absent when there is none, or would be none. */
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}

/** What an undo would do. */
export interface UndoPreview {
  readonly operations: readonly Operation[];
  /** One for each file. */
  readonly changes: readonly FileChange[];
  /** Why it would stop there. */
  readonly problem?: BaeError;
}

interface Content {
  readonly version: Pick<FileVersion, 'hash' | 'lines'>;
  readonly bytes: Uint8Array;
}

type PreviewPorts = UndoPorts & Pick<UndoRequest, 'words'>;

interface Course {
  readonly first: Content | undefined;
  readonly last: Content | undefined;
}

/** An undo that is planned and not made yet. */
export class PlannedUndo extends PlannedChange<UndoReport> implements UndoPreview {
  readonly operations: readonly Operation[];
  readonly changes: readonly FileChange[];
  readonly problem?: BaeError;

  constructor({ operations, changes, problem }: UndoPreview, apply: () => Promise<UndoReport>) {
    const stop = problem === undefined ? [] : [`and no more: ${problem.message}`];
    super({
      touches: changes.map(({ path }) => ({ path })),
      preview: () => [...changes.map(renderFileChange), ...stop].join(''),
      apply,
    });
    this.operations = operations;
    this.changes = changes;
    if (problem !== undefined) this.problem = problem;
  }
}

/** Goes through an undo without doing it: each change is taken back from what the one before would leave. */
export async function planUndo(undo: Undo, ports: UndoPorts, request: UndoRequest): Promise<PlannedUndo> {
  const selected = await undo.selected(request);
  const files = new Map<string, Course>();
  const operations: Operation[] = [];
  let problem: BaeError | undefined;
  for (const change of selected) {
    try {
      for (const [path, course] of await coursesOf(change, files, { ...ports, words: request.words }))
        files.set(path, course);
      operations.push(...change);
    } catch (error) {
      if (!BaeError.is(error)) throw error;
      problem = error;
      break;
    }
  }
  const changes = [...files].map(([path, { first, last }]) => ({
    path,
    ...(first !== undefined && { before: first.bytes }),
    ...(last !== undefined && { after: last.bytes }),
  }));
  const preview = { operations, changes, ...(problem !== undefined && { problem }) };
  return new PlannedUndo(preview, () => undo.undo(request, selected));
}

/** What becomes of the files of one change. */
async function coursesOf(
  change: Change,
  known: ReadonlyMap<string, Course>,
  ports: PreviewPorts,
): Promise<ReadonlyMap<string, Course>> {
  const courses = new Map<string, Course>();
  for (const operation of change) {
    const { path } = operation;
    const { first, last } = courses.get(path) ?? known.get(path) ?? (await currentContent(operation, ports));
    courses.set(path, { first, last: await takeBack(operation, last, ports) });
  }
  return courses;
}

async function currentContent(operation: Operation, { root, journal }: UndoPorts): Promise<Course> {
  using place = placeOf(operation, root);
  const image = await readSnapshot(place, journal.largest);
  const first = image && { version: image, bytes: image.content ?? Buffer.alloc(image.size) };
  return { first, last: first };
}

async function takeBack(
  operation: Operation,
  now: Content | undefined,
  { journal, words }: PreviewPorts,
): Promise<Content | undefined> {
  const content = () => journal.content(operation.id);
  const reversal = await reversalOf({ operation, now: now?.version, content, words });
  if (reversal.kind === 'nothing') return now;
  if (reversal.kind === 'remove') return undefined;

  return { version: digestOf(reversal.content), bytes: reversal.content };
}
