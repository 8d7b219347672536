import { renderFileChange, showPath, type Operation, type UndoPreview } from '@bae/workspace';
import { visibleLine } from '../terminal/make-visible.ts';

/** Characters of a session's id that are shown; as many as it takes to name it. */
const ID = 8;

/** One line about a change: `2026-11-20 10:21:05  edit docs/a.md (2 -> 3 lines)  1f2e3d4c`. */
export function operationLine({ time, action, path, lines, session }: Operation): string {
  const [before, after] = lines;
  const when = new Date(time).toLocaleString('sv-SE');
  return visibleLine(
    `${when}  ${action} ${showPath(path)} (${before} -> ${after} lines)  ${session.slice(0, ID)}`.trimEnd(),
  );
}

/** What an undo would do to the files, as one unified diff. */
export function undoDiff({ changes }: UndoPreview): string {
  return changes.map(renderFileChange).join('');
}
