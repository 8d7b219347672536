import { randomUUID } from 'node:crypto';
import type { ToolContext } from '@bae/core';
import { EditError, type ChangeOptions, type WorkspaceRoot, type WrittenFile } from '@bae/workspace';

/** A file, and what is to be in it. */
export interface FileToWrite extends Pick<ChangeOptions, 'lines' | 'action'> {
  /** Below the root. */
  readonly path: string;
  readonly text: string;
  /** SHA-256 of what is there; null for nothing. */
  readonly expected: string | null;
}

/**
 * Writes files, all of them or none; one undo takes them back.
 *
 * @returns what is there now, in the same order
 * @throws ConflictError when one is not as expected by now, and what else writing one fails with, or the signal's
 *   reason; then all are as they were
 */
export async function writeTogether(
  root: WorkspaceRoot,
  files: readonly FileToWrite[],
  { session: { id: session }, signal }: Pick<ToolContext, 'session' | 'signal'>,
): Promise<readonly WrittenFile[]> {
  const group = randomUUID();
  const written: WrittenFile[] = [];
  try {
    for (const { path, text, ...how } of files) {
      signal.throwIfAborted();
      written.push(await root.write(path, text, { ...how, session, group }));
    }
    return written;
  } catch (error) {
    await takeBack(root, session, group);
    throw error;
  }
}

/** @throws EditError when something else stands in the way of that */
async function takeBack(root: WorkspaceRoot, session: string, group: string): Promise<void> {
  const last = (await root.operations()).find((operation) => operation.session === session);
  if (last?.group !== group) return;
  const { problem } = await root.undo({ session });
  if (problem === undefined) return;
  throw new EditError(`not all files could be written, and those that were are left: ${problem.message}`, ['<undo:>']);
}
