import type { LineRange, ToolContext } from '@bae/core';
import {
  EditError,
  refuseStale,
  SeenFiles,
  type FileView,
  showPath,
  type TextFile,
  type WorkspaceRoot,
} from '@bae/workspace';
import { mapRange } from './map-range.ts';
import type { LinesGiven } from './new-lines.ts';
import { refuseOverlap } from './overlapping-edits.ts';
import { replaceLines } from './replace-lines.ts';
import { replaceText } from './replace-text.ts';
import { refuseUnread } from './refuse-unread.ts';
import type { TextChange } from './text-change.ts';

/** What to change in a file: lines by number, or a text by another. */
export interface EditRequest {
  readonly path: string;
  readonly range?: LineRange | undefined;
  readonly old?: string | undefined;
  readonly replacement?: string | undefined;
  readonly all: boolean;
  readonly body?: string | undefined;
  /** Where the body came from: a block of lines between tags, a text between tags or in JSON, or code. */
  readonly source: 'block' | 'inline' | 'code';
}

/** An edit that is ready to be made, or to be shown to whoever decides about it. */
export interface PlannedEdit {
  /** Below the root, without links. */
  readonly path: string;
  readonly before: TextFile;
  readonly change: TextChange;
}

/**
 * Works out what an edit makes of a file, and changes nothing.
 *
 * @throws EditError when it is not clear what to change; LineRangeError when the lines are not there;
 *   ConflictError when the session does not know the file as it is, or another edit of the response is about
 *   the same lines
 */
export async function planEdit(root: WorkspaceRoot, request: EditRequest, context: ToolContext): Promise<PlannedEdit> {
  const { path: given } = request;
  root.checkWritable(given);
  const before = await root.readText(given);
  const { path } = await root.info(given);
  const view = new SeenFiles(context).view(path);
  const { range } = request;
  const isByLine = range !== undefined && request.old === undefined && request.body !== undefined;
  if (isByLine) refuseUnread(view, given, range);
  refuseStale(view, given, before);
  if (isByLine) await refuseOverlap(root, { given, path, range, lines: view.base?.lines ?? 0 }, context);
  return { path, before, change: changeOf(request, before.text, view) };
}

function changeOf(request: EditRequest, text: string, view: FileView): TextChange {
  const { range, old, replacement, all, body } = request;
  const path = showPath(request.path);
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
  const change = replaceLines({ text, range: mapRange(range, view, path), ...linesGiven(request.source, body), path });
  return change.first === range[0] ? change : { ...change, sentFirst: range[0] };
}

/**
 * Between tags on lines of their own, an empty last line is meant; in a text, it is the end of the last one. Code
 * sends lines as it reads them, each with its line break.
 */
function linesGiven(source: EditRequest['source'], body: string): LinesGiven {
  if (source === 'code') return { body, form: 'ended' };
  return { body: source === 'block' ? body : body.replace(/\r?\n$/, ''), form: 'separated' };
}
