import { ConflictError, type LineRange, type ToolContext } from '@bae/core';
import { EditError } from '../errors.ts';
import type { FileView } from '../file/seen-files.ts';
import { type EditBlock, readEditBlocks } from './edit-blocks.ts';
import { createBeyondError, insertAround, type LineEdit, replaceLines, type TextChange } from './replace-lines.ts';
import { findLinesOf, replaceText } from './replace-text.ts';
import { splitLines } from './text-lines.ts';

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

/** Whether the body comes from code, and whether it stands between tags on lines of their own. */
type BodyOrigin = Pick<ToolContext, 'fromCode' | 'block'>;

/**
 * Computes the text after an edit.
 *
 * @throws EditError when it is not clear what to change; LineRangeError when the lines do not exist; ConflictError when
 *   they were changed by an earlier call of the same response
 */
export function changeText(args: EditArguments, edited: EditedText, how: BodyOrigin): TextChange {
  const { text, range, view, name } = edited;
  const { before = false, after = false } = args;
  if (before && after) throw new EditError('give either before or after, not both.', [`<R:${name}>`]);
  const side = before ? 'before' : after ? 'after' : undefined;
  const blocks = readBlocks(args, edited);
  if (blocks !== undefined) {
    const within = range && mapRange(range, view, name);
    if (side === undefined) return replaceText({ text, blocks, every: args.every, name, within });
    const block = chooseNeighbour(blocks, args, { side, name });
    const lines = findLinesOf({ text, block, name, within });
    return insertAround({ text, range: lines, ...readNewLines(block.new, how), name }, side);
  }
  // Beside lines, a new text without an old one is what they become.
  const content = args.content ?? (args.old === undefined ? args.new : undefined);
  if (range === undefined || content === undefined) {
    const lines = range === undefined ? '10-12' : `${range[0]}-${range[1] ?? ''}`;
    throw new EditError('give a line range, or write the whole file.', [`<E:${name}:${lines}>`, `<W:${name}>`]);
  }
  const current = mapRange(range, view, name);
  // Lines that were copied as they are shown bring their numbers.
  const plain = side !== undefined || how.fromCode ? undefined : dropLineNumbers(content, range[0]);
  const isCopied =
    plain !== undefined && dropLineNumbers(splitLines(text)[current[0] - 1] ?? '', range[0]) === undefined;
  const edit = { text, range: current, ...readNewLines(isCopied ? plain : content, how), name };
  const change = side === undefined ? replaceLines(edit) : insertAround(edit, side);
  const shown = isCopied ? { ...change, unnumbered: true as const } : change;
  return change.first === range[0] ? shown : { ...shown, sentFirst: range[0] };
}

/** Removes the numbers in front of lines, `10|text`, if every line has the number it is to get; else undefined. */
function dropLineNumbers(body: string, first: number): string | undefined {
  const lines = body.replace(/\r?\n$/, '').split('\n');
  const texts = lines.map((line, index) => {
    const [, number, text] = /^[ \t]*(\d+)\|([^]*)$/.exec(line) ?? [];
    return Number(number) === first + index ? text : undefined;
  });
  return texts.includes(undefined) ? undefined : texts.join('\n');
}

/**
 * Returns the body of an edit and how it is split into lines. Between tags on lines of their own, an empty last line is
 * intended; in a text, it ends the last line. Code sends lines as it reads them, each with its line break.
 */
function readNewLines(body: string, { fromCode, block }: BodyOrigin): Pick<LineEdit, 'body' | 'form'> {
  const isEmptyLine = !block && /^\r?\n$/.test(body);
  if (fromCode || isEmptyLine) return { body, form: 'ended' };
  return { body: block ? body : body.replace(/\r?\n$/, ''), form: 'separated' };
}

/**
 * Returns the text beside which lines are inserted.
 *
 * @throws EditError when that is not one text, given by `old` or by one block whose new text does not repeat the old one
 */
function chooseNeighbour(
  [block, ...others]: readonly EditBlock[],
  { old, content = '', every }: EditArguments,
  { side, name }: { readonly side: 'before' | 'after'; readonly name: string },
): EditBlock {
  // Only the tags separate the new lines from the old ones: a diff has both, and so has a new text with the old one in it.
  const isPair = others.length === 0 && /^\s*<old>/.test(content) && block?.new.includes(block.old) === false;
  if (block === undefined || (old === undefined && !isPair))
    throw new EditError(`${side} inserts lines, and blocks of <old> and <new> replace text: send one of them.`, [
      `<E:${name} old="…" ${side}=true>…</E>`,
    ]);
  if (!every) return block;
  throw new EditError(`${side} inserts lines at one place: leave out every, and give an old that occurs once.`, [
    `<R:${name}>`,
  ]);
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
