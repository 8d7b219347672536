import { ConflictError, type LineRange } from '@bae/core';
import { renderRange, showPath, type FileView } from '@bae/workspace';

/**
 * Refuses to change lines by their numbers when nobody has seen them.
 *
 * @throws ConflictError when the file was never shown
 */
export function refuseUnread({ base }: FileView, path: string, [start, end]: LineRange): void {
  if (base !== undefined) return;
  const lines = end === null ? `${start}-` : renderRange(start, end);
  const tag = `<R:${showPath(path)}:${lines}>`;
  throw new ConflictError(`${showPath(path)} was not read in this session. Read it first: ${tag}`, [tag]);
}
