import { FOLDER, getEntryType, LINK } from '../file/file-content.ts';
import type { ToolContext, ToolOutput } from '@bae/core';
import type { PlannedChange } from '../file/planned-change.ts';
import { SeenFiles } from '../file/seen-files.ts';
import { formatPath } from '../path/show-path.ts';
import { formatLineChange, formatQuantity } from '../text/text-lines.ts';
import type { WorkspaceRoot } from '../workspace-root.ts';
import { JOURNAL_FOLDER } from './disk-store.ts';
import { describeLeft, groupOperations, type Operation } from './journal-record.ts';
import type { FileWords, UndoReport } from './undo.ts';

/** The number of changes to undo, and the file names used in the result. */
export interface UndoSteps {
  readonly steps: number;
  /** Default: paths. */
  readonly words?: FileWords | undefined;
}

const NOTHING_TO_UNDO = 'Nothing to undo: no change of this session is left.';

/**
 * Plans to undo the last changes of a session, the newest first: undo tools return it from `plan`.
 *
 * @returns a sentence when there is nothing to undo
 * @throws ConflictError when the newest change cannot be undone
 */
export async function planUndo(
  root: WorkspaceRoot,
  how: UndoSteps,
  { session }: Pick<ToolContext, 'session'>,
): Promise<PlannedChange<ToolOutput> | string> {
  const planned = await root.planUndo({ ...how, session: session.id });
  const { operations, problem } = planned;
  if (operations.length > 0) return planned.map((report, context) => reportUndo(report, how, context));
  if (problem !== undefined) throw problem;
  const unproven = (await root.unprovenOperations()).filter((operation) => operation.session === session.id);
  return unproven.length === 0 ? NOTHING_TO_UNDO : `${NOTHING_TO_UNDO} ${describeUnproven(unproven)}`;
}

/** Maximum number of journals named in a sentence. */
const NAMED = 3;

/**
 * Describes changes that are not undone because nothing proves that the user made them, in two sentences; empty for
 * none.
 */
export function describeUnproven(operations: readonly Operation[]): string {
  if (operations.length === 0) return '';
  const names = [...new Set(operations.map(({ id }) => id.slice(0, id.lastIndexOf('/'))))];
  const more = names.length > NAMED ? `, and ${names.length - NAMED} more` : '';
  const [are, them, stay] =
    operations.length === 1 ? ['is', 'it', 'The old content stays'] : ['are', 'them', 'The old contents stay'];
  const count = formatQuantity(operations.length, 'change');
  const fact = `${count} in ${JOURNAL_FOLDER} ${are} not undone, because nothing proves that this user made ${them} here.`;
  return `${fact} ${stay} in ${names.slice(0, NAMED).join(', ')}${more}.`;
}

/** Undoes the last changes of a session without a plan, and lists them. */
export async function undoChanges(root: WorkspaceRoot, how: UndoSteps, context: ToolContext): Promise<ToolOutput> {
  return reportUndo(await root.undo({ ...how, session: context.session.id }), how, context);
}

function reportUndo({ undone, problem }: UndoReport, { steps, words }: UndoSteps, context: ToolContext): ToolOutput {
  const { nameOf } = words ?? { nameOf: formatPath };
  const files = new SeenFiles(context);
  for (const { path, before } of undone) if (getEntryType(before?.mode) === 0) files.reverted(path, before);
  if (undone.length === 0 && problem !== undefined) throw problem;
  if (undone.length === 0) return { text: NOTHING_TO_UNDO, format: 'plain' };
  const left = describeLeft(undone);
  const lines = [
    ...undone.map((operation) => renderUndone(operation, nameOf(operation.path))),
    ...(left === '' ? [] : [left]),
  ];
  if (problem !== undefined) return { text: lines.join('\n'), format: 'plain', errors: [problem] };
  if (groupOperations(undone).length < steps) lines.push('Nothing more to undo.');
  return { text: lines.join('\n'), format: 'plain', hint: formatQuantity(undone.length, 'operation') };
}

const NAMES_OF_TYPES: ReadonlyMap<number, string> = new Map([
  [LINK, 'link'],
  [FOLDER, 'empty folder'],
]);

function renderUndone({ action, before, after, lines: [removed, added] }: Operation, name: string): string {
  const what = `Undid ${action} of ${name}`;
  const type = NAMES_OF_TYPES.get(getEntryType((before ?? after)?.mode));
  if (before === undefined) return `${what} (the new ${type ?? 'file'} is gone)`;
  if (type !== undefined) return `${what} (the ${type} is back)`;
  if (after === undefined)
    return `${what} (${formatQuantity(before.lines, 'line')} ${before.lines === 1 ? 'is' : 'are'} back)`;
  return `${what} (${formatLineChange(added, removed)})`;
}
