import { LineRangeError, PAGE_WINDOW, type ToolContext, type ToolOutput } from '@bae/core';
import {
  counted,
  linesOnPage,
  splitLines,
  binaryFile,
  SeenFiles,
  showPath,
  type FoundPath,
  type TextWindow,
  type WorkspaceRoot,
} from '@bae/workspace';
import { allOf, REPLACED } from './all-of.ts';
import { consentToShow } from './consent-to-show.ts';
import type { FileTarget } from './file-target.ts';
import { renderPage, type FilePage } from './render-page.ts';

/** Enough for a page, and for knowing where the next one ends. */
const WANTED = 2 * (PAGE_WINDOW + 2);

/** What is to be read, already looked up. */
export interface FoundFile {
  readonly found: FoundPath;
  readonly target: FileTarget;
}

/**
 * Shows a text file, or a part of it, page by page; the session remembers what it was shown.
 *
 * @throws BinaryFileError when the file is binary; LineRangeError when it ends before the part asked for;
 *   ApprovalError when it may hold secrets and is not to be shown
 */
export async function readFile(
  root: WorkspaceRoot,
  { found, target }: FoundFile,
  context: ToolContext,
): Promise<ToolOutput> {
  const { path, range, column = 1 } = target;
  const line = range?.[0] ?? 1;
  const secrets = await consentToShow(found.info, context);
  const window = await found.readWindow({ line, column, chars: WANTED, secrets });
  if (window.binary) throw binaryFile(path, window.size);
  refuseBeyond(target, window);
  new SeenFiles(context).shown(found.info.path, window);
  const text = window.lines === 0 ? '(empty file)' : renderPage(pageOf(target, window, context));
  const output = { text, format: 'code', paged: true } as const;
  // Bytes that are no characters look like text to whoever reads, and code has to be told.
  if (text === window.text && !text.includes(REPLACED)) return output;
  return { ...output, whole: () => allOf(root, { target, page: window, secrets, tag: context.tag }) };
}

function pageOf({ path, range, column }: FileTarget, window: TextWindow, { tag }: ToolContext): FilePage {
  const { lines: total, lineLength } = window;
  const [first, end] = range ?? [1, null];
  const lines = splitLines(window.text);
  const file = {
    tagOf: (part: string) => tag(`<R:${showPath(path)}:${part}>`),
    total,
    endless: !window.cut && !window.text.endsWith('\n'),
    large: window.size > PAGE_WINDOW,
  };
  const fitting = column === undefined ? linesOnPage(lines, 0) : 0;
  if (fitting === 0) return { kind: 'characters', file, line: first, column: column ?? 1, length: lineLength, lines };
  const count = end === null ? fitting : Math.min(fitting, end - first + 1);
  const last = first + count - 1;
  return { kind: 'lines', file, lines, first, last, asked: range, full: count === fitting && last < total };
}

/** A file that ends before the part asked for, with its last lines as the next step. */
function refuseBeyond({ path, range, column }: FileTarget, { lines, lineLength }: TextWindow): void {
  if (range === undefined) return;
  const [first, end] = range;
  const shown = showPath(path);
  if (first > lines) {
    const asked = end === null ? `${first}-` : first === end ? `${first}` : `${first}-${end}`;
    const hint = lines === 0 ? `<R:${shown}>` : `<R:${shown}:${Math.max(1, lines - 9)}-${lines}>`;
    throw new LineRangeError(`${shown} has ${counted(lines, 'line')}; asked for ${asked}.`, [hint]);
  }
  if (column !== undefined && column > Math.max(lineLength, 1)) {
    const fact = `line ${first} of ${shown} has ${counted(lineLength, 'character')}; asked for character ${column}.`;
    throw new LineRangeError(fact, [`<R:${shown}:${first}@1>`]);
  }
}
