import type { ToolContext, ToolOutput } from '@bae/core';
import { showPath, type Operation, type WorkspaceRoot } from '@bae/workspace';
import { counted } from './counted.ts';
import { SeenFiles } from './seen-files.ts';

export const NOTHING_TO_UNDO = 'Nothing to undo: no change of this session is left.';

/**
 * Undoes the last changes of a session, the last one first, and says which.
 *
 * @throws ConflictError when the very first one cannot be undone
 */
export async function undoChanges(root: WorkspaceRoot, steps: number, context: ToolContext): Promise<ToolOutput> {
  const { undone, problem } = await root.undo({ steps, session: context.session.id });
  const files = new SeenFiles(context);
  for (const { path, before } of undone) files.reverted(path, before);
  if (undone.length === 0 && problem !== undefined) throw problem;
  if (undone.length === 0) return { text: NOTHING_TO_UNDO, format: 'plain' };
  const lines = undone.map(sentence);
  if (problem !== undefined) return { text: lines.join('\n'), format: 'plain', errors: [problem] };
  if (undone.length < steps) lines.push('Nothing more to undo.');
  return { text: lines.join('\n'), format: 'plain', hint: counted(undone.length, 'operation') };
}

function sentence({ action, path, before, after, lines: [removed, added] }: Operation): string {
  const what = `Undid ${action} of ${showPath(path)}`;
  if (before === undefined) return `${what} (the new file is gone)`;
  if (after === undefined) return `${what} (${counted(before.lines, 'line')} are back)`;
  return `${what} (${added} -> ${removed} lines)`;
}
