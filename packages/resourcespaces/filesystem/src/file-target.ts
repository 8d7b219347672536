import { type LineRange, LineRangeError, type ToolContext } from '@bae/core';
import { EditError, type PathInfo, showPath, type WorkspaceRoot } from '@bae/workspace';

/** What an argument stands for: a path, and perhaps a part of the file. */
export interface FileTarget {
  readonly path: string;
  readonly range?: LineRange;
  /** First character wanted of the first line, 1-based. */
  readonly column?: number;
}

/**
 * Tells path and part apart. A name that exists as it is written wins over its reading as a range.
 *
 * @throws LineRangeError when the range ends before it starts, or starts before line 1
 */
export async function fileTarget(root: WorkspaceRoot, target: string, context: ToolContext): Promise<FileTarget> {
  const { range, argument } = context;
  if (range === undefined) return await withoutRange(root, target);
  if (argument !== undefined && (await root.exists(argument))) return { path: argument };
  checkRange(range, target);
  return { path: target, range };
}

async function withoutRange(root: WorkspaceRoot, target: string): Promise<FileTarget> {
  const suffix = /^(.+):(\d+)@(\d+)$/s.exec(target);
  if (suffix === null || (await root.exists(target))) return { path: target };
  const [, path = '', line, column] = suffix;
  const range = [Number(line), null] as const;
  checkRange(range, path);
  return { path, range, column: Math.max(Number(column), 1) };
}

function checkRange([start, end]: LineRange, target: string): void {
  if (start >= 1 && (end === null || end >= start)) return;
  throw new LineRangeError(`line range must be 1 ≤ start ≤ end (got ${start}-${end ?? ''}).`, [
    `<R:${showPath(target)}>`,
  ]);
}

/**
 * The path of a file that is to be written as a whole.
 *
 * @throws EditError when only some of its lines were meant
 */
export function wholeFile({ path, range }: FileTarget): string {
  if (range === undefined) return path;
  const shown = showPath(path);
  const lines = `${range[0]}-${range[1] ?? ''}`;
  throw new EditError(`write replaces the whole file. Give a line range to edit: <E:${shown}:${lines}>`, [
    `<E:${shown}:${lines}>`,
    `<W:${shown}>`,
  ]);
}

/**
 * Asks the user before the content of what may be a secret is shown.
 *
 * @returns true when it may be one, and may be shown; false for everything else
 * @throws ApprovalError when it may not be shown
 */
export async function consentToShow(
  { path, kind, secrecy }: PathInfo,
  { requestApproval }: Pick<ToolContext, 'requestApproval'>,
): Promise<boolean> {
  // What is not there has nothing to show; what it fails with says so.
  if (secrecy === undefined || kind === 'missing') return false;
  await requestApproval(`it ${secrecy}`, path);
  return true;
}
