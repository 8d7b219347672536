import type { LineRange, SessionState, ToolOutput } from '@bae/core';
import { showPath, type WorkspaceRoot } from '@bae/workspace';
import { EditError } from './edit-error.ts';
import { renderChange } from './render-change.ts';
import { replaceLines } from './replace-lines.ts';
import { replaceText } from './replace-text.ts';
import { refuseStale, rememberFile } from './seen-files.ts';
import type { TextChange } from './text-change.ts';

/** What to change in a file: lines by number, or a text by another. */
export interface EditRequest {
  readonly path: string;
  readonly range?: LineRange | undefined;
  readonly old?: string | undefined;
  readonly replacement?: string | undefined;
  readonly all: boolean;
  readonly body?: string | undefined;
  /** True when the body came as a block of lines. */
  readonly block: boolean;
}

/**
 * Changes a part of a text file and nothing else in it.
 *
 * @throws EditError when it is not clear what to change; LineRangeError when the lines are not there;
 *   ConflictError when the session was shown the file and it has changed since
 */
export function editFile(root: WorkspaceRoot, request: EditRequest, session: SessionState): Promise<ToolOutput> {
  const { path } = request;
  return root.exclusively(path, async () => {
    const file = await root.readText(path);
    const info = await root.info(path);
    refuseStale(session, { ...info, given: path }, file);
    const change = changeOf(request, file.text);
    rememberFile(session, info, await root.write(path, change.text));
    const hint = `${change.removed} -> ${change.added} lines`;
    return { text: renderChange(change, showPath(path)), format: 'code', hint };
  });
}

function changeOf({ range, old, replacement, all, body, block, path: given }: EditRequest, text: string): TextChange {
  const path = showPath(given);
  if (old !== undefined) {
    if (range !== undefined) throw new EditError('give either a line range or old and new, not both.', [`<R:${path}>`]);
    const by = replacement ?? body;
    if (by === undefined)
      throw new EditError("'new' is missing: the text that takes the place of old.", [`<R:${path}>`]);
    return replaceText({ text, old, replacement: by, all, path });
  }
  if (range === undefined || body === undefined) {
    throw new EditError(`give a line range <E:${path}:10-12> or write the whole file with <W:${path}>`, [
      `<R:${path}>`,
    ]);
  }
  // Between tags on lines of their own, an empty last line is meant; in a string, it is the end of the last one.
  return replaceLines({ text, range, body: block ? body : body.replace(/\r?\n$/, ''), path });
}
