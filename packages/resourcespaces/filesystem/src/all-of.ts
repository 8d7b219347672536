import { ResourceError, type ToolContext } from '@bae/core';
import { counted, renderRange, showPath, withoutFeed, type TextWindow, type WorkspaceRoot } from '@bae/workspace';
import type { FileTarget } from './file-target.ts';

/** Characters that code gets at most. */
const MOST = 8 * 1024 * 1024;
/** Bytes of the largest file that is looked at as a whole; a larger one cannot be edited. */
const LARGEST = 64 * 1024 * 1024;

/** What of a file is wanted. */
export interface WantedText extends Pick<ToolContext, 'tag'> {
  readonly target: FileTarget;
  /** The part that begins there, as it was read for a tag. */
  readonly page: TextWindow;
  /** True when the user has allowed to show a secret. */
  readonly secrets: boolean;
}

/** Lines of a part that is offered where all is too much. */
const PART = 1000;
/** The character that is read where bytes are no characters. */
export const REPLACED = '\ufffd';

/**
 * A file as it is, or the lines asked for as they are, each with its line break and without its number: what code
 * works with, and can put back. Of a line from a character on, only what is in that line.
 *
 * @throws ResourceError when that is more than code can have at once; FileError when the file is not UTF-8, since
 *   what is put in the place of bytes would be written in their place
 */
export async function allOf(root: WorkspaceRoot, { target, page, secrets, tag }: WantedText): Promise<string> {
  const { path, range, column } = target;
  const first = range?.[0] ?? 1;
  const end = (column === undefined ? range?.[1] : first) ?? Infinity;
  let window = page;
  let text = linesIn(window, end - first + 1);
  if (text === undefined) {
    window = await root.readWindow(path, { line: first, column: column ?? 1, chars: MOST, secrets });
    text = linesIn(window, end - first + 1);
  }
  if (text === undefined) throw tooLong(window, { path, first, tag });
  if (text.includes(REPLACED) && window.size <= LARGEST) await root.readText(path, { secrets, forCode: true });
  return column === undefined ? text : withoutFeed(text);
}

/** As many lines from the beginning of a part of a file, or all that there are; undefined when the part is too short. */
function linesIn({ text, cut }: TextWindow, count: number): string | undefined {
  let end = 0;
  for (let found = 0; found < count; found++) {
    const next = count === Infinity ? -1 : text.indexOf('\n', end);
    if (next === -1) return cut ? undefined : text;
    end = next + 1;
  }
  return text.slice(0, end);
}

interface TooLong extends Pick<ToolContext, 'tag'> {
  readonly path: string;
  /** Number of the first line that was asked for. */
  readonly first: number;
}

/** As many lines as fit are offered; when the first does not, its pages, which tags can have. */
function tooLong({ text, lineLength }: TextWindow, { path, first, tag }: TooLong): ResourceError {
  const shown = showPath(path);
  const most = `${MOST} characters at most`;
  const fitting = Math.min(text.split('\n').length - 1, PART);
  if (fitting > 0) {
    const fact = `${shown} is too long for code to have it at once: it gets ${most}. Read it in parts.`;
    return new ResourceError(fact, [tag(`<R:${shown}:${renderRange(first, first + fitting - 1)}>`)]);
  }
  const fact = `line ${first} of ${shown} has ${counted(lineLength, 'character')}; code gets ${most}. Tags show it in pages.`;
  return new ResourceError(fact, [tag(`<R:${shown}:${first}@1>`)]);
}
