import type { Change, ToolContext } from '@bae/core';
import { formatQuantity, EditError, refuseStale, SeenFiles, formatPath, type WorkspaceFile } from '@bae/workspace';

const MARKS = ['"', "'", '`'] as const;

/**
 * Plans to write a whole file, either new or in place of the existing one.
 *
 * @throws ProtectedFileError for files that no tool may write; ConflictError when the session was shown the old file
 *   and it has changed since; EditError for a new name that ends in what looks like a parameter
 */
export async function planFileWrite(file: WorkspaceFile, content: string, context: ToolContext): Promise<Change> {
  if (file.info.kind === 'missing' && !isCertainlyPath(file.given, context)) refuseParameter(file.given);
  const before = await file.read();
  if (before !== undefined) refuseStale(new SeenFiles(context).view(file.path), file.given, before);
  const text = completeLastLine(content, context);
  const change = await file.planWrite(text);
  const fate = before === undefined ? 'new file' : `replaced ${formatQuantity(before.lines, 'line')}`;
  return change.map((now, { session, batch }) => {
    new SeenFiles({ session, batch }).written(file.path, now);
    const size = formatQuantity(Array.from(text).length, 'char');
    const limits = now.undoable ? '' : '; too large to undo';
    return {
      text: `Wrote ${size} (${formatQuantity(now.lines, 'line')}) to ${formatPath(file.given)} (${fate}${limits})`,
      hint: size,
    };
  });
}

/**
 * Refuses a name that ends in an unknown parameter: it is kept as part of the name, but real file names rarely look
 * like that, except if the value is itself a file name.
 */
function refuseParameter(path: string): void {
  const [, file = '', name] = /^(.*\S)\s+([A-Za-z_]\w*)=(?:[^\s./]*|"[^"./]*"|'[^'./]*')$/s.exec(path) ?? [];
  if (name === undefined) return;
  const shown = formatPath(path);
  const mark = MARKS.find((one) => !shown.includes(one)) ?? '"';
  throw new EditError(
    `write has no parameter '${name}', and there is no file '${shown}'. Nothing was written. Put quotes around a name that ends like that.`,
    [`<W:${formatPath(file.replace(/,$/, ''))}>`, `<W:${mark}${shown}${mark}>`],
  );
}

/** Returns true when the path is certainly a path: code names its parameters, and quotes mark the end of a name. */
function isCertainlyPath(path: string, { fromCode, batch }: ToolContext): boolean {
  const quoted = MARKS.map((mark) => mark + path + mark);
  return fromCode || batch.some(({ tag }) => quoted.some((name) => tag.includes(name)));
}

/** Ends a block of lines between tags with a line feed. */
function completeLastLine(content: string, { block }: ToolContext): string {
  return !block || content === '' || content.endsWith('\n') ? content : `${content}\n`;
}
