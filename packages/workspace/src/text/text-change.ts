import { ConflictError, type LineRange, type ToolContext } from '@bae/core';
import { EditError } from '../errors.ts';
import type { FileView } from '../file/seen-files.ts';
import { readEditBlocks } from './edit-blocks.ts';
import { createBeyondError, insertAround, replaceLines, type TextChange } from './replace-lines.ts';
import { findLinesOf, replaceText } from './replace-text.ts';

/** The parameters of an edit: lines for a range, or parts of the text with their replacements. */
export interface EditArguments {
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  /** True to replace every occurrence of `old`. */
  readonly every: boolean;
  /** True to insert the new lines before the range or the lines with `old`, or after them. */
  readonly before?: boolean | undefined;
  readonly after?: boolean | undefined;
  /** New lines, or blocks of old and new text. */
  readonly content?: string | undefined;
}

/** The text that an edit changes. */
export interface EditedText {
  readonly text: string;
  readonly range: LineRange | undefined;
  readonly view: FileView;
  /** Name of the text in messages and tags: a path, an address. */
  readonly name: string;
}

/**
 * Computes the text after an edit.
 *
 * @throws EditError when it is not clear what to change; LineRangeError when the lines do not exist; ConflictError when
 *   they were changed by an earlier call of the same response
 */
export function changeText(
  args: EditArguments,
  edited: EditedText,
  { fromCode, block }: Pick<ToolContext, 'fromCode' | 'block'>,
): TextChange {
  const { text, range, view, name } = edited;
  const { before = false, after = false } = args;
  const side = before ? 'before' : after ? 'after' : undefined;
  const tags = [`<R:${name}>`];
  if (before && after) throw new EditError('give either before or after, not both.', tags);
  const blocks = readBlocks(args, edited);
  const within = blocks === undefined || range === undefined ? undefined : mapRange(range, view, name);
  if (blocks !== undefined && side === undefined)
    return replaceText({ text, blocks, every: args.every, name, ...(within !== undefined && { within }) });
  if (blocks !== undefined && args.old === undefined)
    throw new EditError(`${side} inserts lines, and blocks of <old> and <new> replace text: send one of them.`, [
      `<E:${name} old="…" ${side}=true>…</E>`,
    ]);
  if (blocks !== undefined && args.every)
    throw new EditError(`${side} inserts lines at one place: leave out every, and give an old that occurs once.`, tags);
  const [part] = blocks ?? [];
  const place =
    part === undefined ? range : findLinesOf({ text, block: part, name, ...(within !== undefined && { within }) });
  const body = part === undefined ? args.content : part.new;
  if (place === undefined || body === undefined)
    throw new EditError('give a line range, or write the whole file.', [`<E:${name}:10-12>`, `<W:${name}>`]);
  // Between tags on lines of their own, an empty last line is intended; in a text, it ends the last line. Code sends
  // lines as it reads them, each with its line break.
  const form = fromCode ? 'ended' : 'separated';
  const given = fromCode || block ? body : body.replace(/\r?\n$/, '');
  const edit = {
    text,
    range: part === undefined ? mapRange(place, view, name) : place,
    body: given,
    form,
    name,
  } as const;
  const change = side === undefined ? replaceLines(edit) : insertAround(edit, side);
  return part !== undefined || change.first === place[0] ? change : { ...change, sentFirst: place[0] };
}

/** Reads the parts to replace, from parameters or from the body; returns undefined if lines are to be replaced. */
function readBlocks({ old, new: by, content }: EditArguments, { range, name }: EditedText) {
  if (old === undefined)
    return range === undefined && content !== undefined ? readEditBlocks(content, name) : undefined;
  const replacement = by ?? content;
  if (replacement === undefined) throw new EditError("'new' is missing: the replacement for old.", [`<R:${name}>`]);
  return [{ old, new: replacement }];
}

/**
 * Maps a line range from the text that the model saw to the current text; the line after the last one appends. Throws a
 * LineRangeError for lines that did not exist, and a ConflictError for lines that an earlier call has changed.
 */
function mapRange(range: LineRange, { base, current, patches }: FileView, name: string): LineRange {
  const lines = base?.lines ?? 0;
  if (patches.length === 0) return range;
  if (range[0] === lines + 1) return [(current?.lines ?? 0) + 1, null];
  let first = range[0];
  let last = range[1] ?? lines;
  if (Math.max(first, last) > lines) throw createBeyondError(range, lines, name);
  for (const patch of patches) {
    if (first < patch.first + patch.removed && last >= patch.first) throw createTouchedError(range, name);
    const shift = first >= patch.first + patch.removed ? patch.added - patch.removed : 0;
    first += shift;
    last += shift;
  }
  return [first, last];
}

function createTouchedError([start, end]: LineRange, name: string): ConflictError {
  const lines = start === end ? `line ${start}` : `one of the lines ${start}-${end ?? ''}`;
  return new ConflictError(
    `${lines} of ${name} was changed by an earlier call of this response. Read the new lines, then edit them.`,
    [`<R:${name}>`],
  );
}
