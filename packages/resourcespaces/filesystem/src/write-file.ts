import type { ToolContext, ToolOutput } from '@bae/core';
import {
  carryOut,
  counted,
  EditError,
  type FileDigest,
  refuseStale,
  SeenFiles,
  showPath,
  type WorkspaceRoot,
} from '@bae/workspace';

/**
 * Writes a whole file: a new one, or in place of the old one.
 *
 * @throws what planning it throws
 */
export function writeFile(root: WorkspaceRoot, request: WriteRequest, context: ToolContext): Promise<ToolOutput> {
  const plan = () => planWrite(root, request, context);
  return root.exclusively(request.path, () =>
    carryOut(plan, async ({ path, before, text: content }) => {
      const expected = before?.hash ?? null;
      const now = await root.write(request.path, content, { expected, session: context.session.id });
      new SeenFiles(context).written(path, now);
      const size = counted(Array.from(content).length, 'char');
      const fate = fateOf(before) + (now.undoable ? '' : '; too large to undo');
      return {
        text: `Wrote ${size} (${counted(now.lines, 'line')}) to ${showPath(request.path)} (${fate})`,
        hint: size,
      };
    }),
  );
}

function fateOf(old: FileDigest | undefined): string {
  return old === undefined ? 'new file' : `replaced ${counted(old.lines, 'line')}`;
}

const MARKS = ['"', "'", '`'] as const;

/** What to write, and where. */
export interface WriteRequest {
  readonly path: string;
  readonly content: string;
  /** True when the content came as a block of lines: then its last line is ended too. */
  readonly block: boolean;
}

/** A write that is ready to be made, or to be shown to whoever decides about it. */
interface PlannedWrite {
  /** Below the root, without links. */
  readonly path: string;
  /** Absent when nothing that could be replaced is there. */
  readonly before: FileDigest | undefined;
  readonly text: string;
}

/**
 * Works out what writing a whole file makes of it, and changes nothing.
 *
 * @throws ProtectedFileError for what no tool may write; ConflictError when the session was shown the old file
 *   and it has changed since; EditError for a new name that ends in what looks like a parameter
 */
export async function planWrite(
  root: WorkspaceRoot,
  request: WriteRequest,
  context: ToolContext,
): Promise<PlannedWrite> {
  root.checkWritable(request.path);
  const { path, kind } = await root.info(request.path);
  if (kind === 'missing' && !isPathForSure(request.path, context)) refuseParameter(request.path);
  const before = kind === 'file' ? await root.digest(request.path) : undefined;
  if (before !== undefined) refuseStale(new SeenFiles(context).view(path), request.path, before);
  return { path, before, text: contentOf(request) };
}

/**
 * What no parameter is called stays at the end of the name; hardly any file is called like that, unless what follows
 * is itself the name of one.
 */
function refuseParameter(path: string): void {
  const [, file = '', name] = /^(.*\S)\s+([A-Za-z_]\w*)=(?:[^\s./]*|"[^"./]*"|'[^'./]*')$/s.exec(path) ?? [];
  if (name === undefined) return;
  const shown = showPath(path);
  const mark = MARKS.find((one) => !shown.includes(one)) ?? '"';
  throw new EditError(
    `write has no parameter '${name}', and there is no file '${shown}'. Nothing was written. Put quotes around a name that ends like that.`,
    [`<W:${showPath(file.replace(/,$/, ''))}>`, `<W:${mark}${shown}${mark}>`],
  );
}

/** Code names its parameters, and quotes say where a name ends: then a path is a path. */
function isPathForSure(path: string, { fromCode, batch }: ToolContext): boolean {
  const quoted = MARKS.map((mark) => mark + path + mark);
  return fromCode || batch.some(({ tag }) => quoted.some((name) => tag.includes(name)));
}

/** A block ends with a line feed. */
function contentOf({ content, block }: WriteRequest): string {
  return !block || content === '' || content.endsWith('\n') ? content : `${content}\n`;
}
