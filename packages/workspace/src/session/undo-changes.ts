import type { ToolContext, ToolOutput } from '@bae/core';
import { changesOf } from '../journal/changes-of.ts';
import type { Operation } from '../journal/operation.ts';
import type { FileWords } from '../journal/reversal.ts';
import { renderFileChange } from '../render-file-change.ts';
import { showPath } from '../show-path.ts';
import type { WorkspaceRoot } from '../workspace-root.ts';
import { counted } from './counted.ts';
import { SeenFiles } from './seen-files.ts';

/** How many changes to undo, and how their files are called in the answer. */
export interface UndoSteps {
  readonly steps: number;
  /** Default: by path. */
  readonly words?: FileWords | undefined;
}

const NOTHING_TO_UNDO = 'Nothing to undo: no change of this session is left.';

/**
 * Undoes the last changes of a session, the last one first, and says which.
 *
 * @throws ConflictError when the very first one cannot be undone
 */
export async function undoChanges(
  root: WorkspaceRoot,
  { steps, words }: UndoSteps,
  context: ToolContext,
): Promise<ToolOutput> {
  const { undone, problem } = await root.undo({ steps, words, session: context.session.id });
  const { nameOf } = words ?? { nameOf: showPath };
  const files = new SeenFiles(context);
  for (const { path, before } of undone) files.reverted(path, before);
  if (undone.length === 0 && problem !== undefined) throw problem;
  if (undone.length === 0) return { text: NOTHING_TO_UNDO, format: 'plain' };
  const lines = undone.map((operation) => sentence(operation, nameOf(operation.path)));
  if (problem !== undefined) return { text: lines.join('\n'), format: 'plain', errors: [problem] };
  if (changesOf(undone).length < steps) lines.push('Nothing more to undo.');
  return { text: lines.join('\n'), format: 'plain', hint: counted(undone.length, 'operation') };
}

/**
 * Shows what an undo would change, and changes nothing.
 *
 * @throws what the undo would fail with
 */
export async function previewUndo(
  root: WorkspaceRoot,
  { steps, words }: UndoSteps,
  { session }: ToolContext,
): Promise<string> {
  const { operations, changes, problem } = await root.previewUndo({ steps, words, session: session.id });
  if (operations.length === 0 && problem !== undefined) throw problem;
  if (operations.length === 0) return NOTHING_TO_UNDO;
  const stop = problem === undefined ? [] : [`and no more: ${problem.message}`];
  return [...changes.map(renderFileChange), ...stop].join('');
}

function sentence({ action, before, after, lines: [removed, added] }: Operation, name: string): string {
  const what = `Undid ${action} of ${name}`;
  if (before === undefined) return `${what} (the new file is gone)`;
  if (after === undefined) return `${what} (${counted(before.lines, 'line')} are back)`;
  return `${what} (${added} -> ${removed} lines)`;
}
