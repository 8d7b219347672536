import { randomUUID } from 'node:crypto';
import type { ToolContext, ToolOutput } from '@bae/core';
import {
  retryOnConflict,
  EditError,
  SeenFiles,
  formatPath,
  splitLines,
  renderUnifiedDiff,
  type ChangeOptions,
  type LinePatch,
  type WorkspaceRoot,
  type WrittenFile,
} from '@bae/workspace';
import { reportProblems, type HowToCheck } from './check-change.ts';

/** A file, and its new text. */
export interface FileToWrite extends Pick<ChangeOptions, 'lines' | 'action'> {
  /** Below the root. */
  readonly path: string;
  readonly text: string;
  /** SHA-256 of the file as it is; null when there is none. */
  readonly expected: string | null;
}

/** A planned change. */
interface ModuleChangeParts {
  readonly root: WorkspaceRoot;
  /** The module that the change is about, below the root. */
  readonly path: string;
  /** All files that change; empty when everything is as it should be already. */
  readonly files: readonly (FileToWrite & { readonly before: string | undefined })[];
  readonly how?: HowToCheck | undefined;
  /** Name of a module, from its path. */
  readonly nameOf: (path: string) => string;
  /** A tag to try when the change is refused. */
  readonly instead: string;
  /** Describes what was done. */
  readonly describe: () => Omit<ToolOutput, 'format'>;
}

/** A change of modules that is planned, and valid in itself, but not made. */
export class ModuleChange {
  readonly #parts: ModuleChangeParts;

  constructor(parts: ModuleChangeParts) {
    this.#parts = parts;
  }

  /** The module that the change is about, below the root. */
  get path(): string {
    return this.#parts.path;
  }

  /** The files that it changes, below the root. */
  get touches(): readonly string[] {
    return this.#parts.files.map(({ path }) => path);
  }

  /** The change as a unified diff. */
  preview(): string {
    const { files } = this.#parts;
    return files
      .map(({ path, before, text }) => renderUnifiedDiff({ path: formatPath(path), before, after: text }))
      .join('');
  }

  /**
   * Checks the types and writes the files, all of them or none.
   *
   * @throws ConflictError when a file is not as it was when this was planned; EditError when the check refuses it; then
   *   nothing was changed
   */
  async apply(context: ToolContext): Promise<ToolOutput> {
    const { root, files, how, nameOf, instead, describe } = this.#parts;
    const { signal, tag } = context;
    const changes = files.map(({ path, before, text }) => ({ path, before, after: text }));
    const report =
      how && files.length > 0 ? await reportProblems(changes, { ...how, nameOf, signal, tag, instead }) : [];
    const written = await writeTogether(root, files, context);
    const seen = new SeenFiles(context);
    for (const [index, { path, before, text, action }] of files.entries()) {
      if (action === 'edit') seen.edited(path, written[index]!, [linePatch(before ?? '', text)]);
      else seen.written(path, written[index]!);
    }
    const { text, ...rest } = describe();
    return { ...rest, text: [text, ...report].join('\n'), format: 'code' };
  }
}

/**
 * Plans a change and makes it; again from the start when a file changed in between.
 *
 * @throws what planning and applying it throw; then nothing was changed
 */
export async function makeChange(
  root: WorkspaceRoot,
  plan: () => Promise<ModuleChange>,
  context: ToolContext,
): Promise<ToolOutput> {
  const { path } = await plan();
  return root.exclusively(path, () => retryOnConflict(plan, (change) => change.apply(context)));
}

/**
 * Writes files, all of them or none; one undo takes them back.
 *
 * @returns the written files, in the same order
 * @throws ConflictError when one is not as expected, the signal's reason, and what else writing one fails with; then
 *   all are as they were
 */
export async function writeTogether(
  root: WorkspaceRoot,
  files: readonly FileToWrite[],
  { session: { id: session }, signal }: Pick<ToolContext, 'session' | 'signal'>,
): Promise<readonly WrittenFile[]> {
  const group = randomUUID();
  const written: WrittenFile[] = [];
  try {
    for (const { path, text, ...options } of files) {
      signal.throwIfAborted();
      written.push(await root.write(path, text, { ...options, session, group }));
    }
    return written;
  } catch (error) {
    await takeBack(root, session, group);
    throw error;
  }
}

/** @throws EditError when something prevents that */
async function takeBack(root: WorkspaceRoot, session: string, group: string): Promise<void> {
  const last = (await root.operations()).find((operation) => operation.session === session);
  if (last?.group !== group) return;
  const { problem } = await root.undo({ session });
  if (problem === undefined) return;
  throw new EditError(`not all files could be written, and those that were are left: ${problem.message}`, ['<undo:>']);
}

/** The lines that differ between two texts: from the first to the last one that does. */
export function linePatch(before: string, after: string): LinePatch {
  const [old, now] = [splitLines(before), splitLines(after)];
  const shorter = Math.min(old.length, now.length);
  let same = 0;
  while (same < shorter && old[same] === now[same]) same++;
  let end = 0;
  while (end < shorter - same && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return { first: same + 1, removed: old.length - same - end, added: now.length - same - end };
}

const MOST_LINES = 20;

/** The difference between two texts, at most 20 lines of it. */
export function renderShortDiff(before: string, after: string): string {
  const lines = renderUnifiedDiff({ path: '', before, after }).split('\n').slice(2, -1);
  const more = lines.length - MOST_LINES;
  if (more <= 0) return lines.join('\n');
  return [...lines.slice(0, MOST_LINES), `… ${more} more lines of changes`].join('\n');
}
