import { ResourceError, type ToolContext } from '@bae/core';
import {
  counted,
  renderRange,
  showPath,
  splitLines,
  withoutFeed,
  type TextWindow,
  type WorkspaceRoot,
} from '@bae/workspace';
import type { FileTarget } from './file-target.ts';

/** Characters that code gets at most. */
const MOST = 8 * 1024 * 1024;
/** Bytes of the largest file that is looked at as a whole; a larger one cannot be edited. */
const LARGEST = 64 * 1024 * 1024;

/** What of a file is wanted. */
export interface WantedText extends Pick<ToolContext, 'tag'> {
  readonly target: FileTarget;
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
export async function allOf(root: WorkspaceRoot, { target, secrets, tag }: WantedText): Promise<string> {
  const { path, range, column } = target;
  const first = range?.[0] ?? 1;
  const end = column === undefined ? range?.[1] : first;
  const window = await root.readWindow(path, { line: first, column: column ?? 1, chars: MOST, secrets });
  const count = end === null || end === undefined ? Infinity : end - first + 1;
  const lines = count === Infinity ? [window.text] : splitLines(window.text).slice(0, count);
  const isAll = !window.cut || (lines.length === count && lines.at(-1)?.endsWith('\n') === true);
  if (!isAll) throw tooLong(window, { path, first, tag });
  const text = lines.join('');
  if (text.includes(REPLACED) && window.size <= LARGEST) await root.readText(path, { secrets });
  return column === undefined ? text : withoutFeed(text);
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
