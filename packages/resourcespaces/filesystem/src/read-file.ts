import { getPageLength, LineRangeError, ResourceError, type ToolContext, type ToolOutput } from '@bae/core';
import { countUnits, outlineLines } from '@bae/core/pipeline';
import {
  countLinesOnLastPage,
  countLinesOnPage,
  createBinaryFileError,
  formatPath,
  formatQuantity,
  getRangeLength,
  getWholeLength,
  PAGES_OF_RANGE,
  renderNumbered,
  renderRange,
  SeenFiles,
  splitLines,
  takeFirstCharacters,
  type WorkspaceRoot,
} from '@bae/workspace';
import {
  checkRange,
  consentToShow,
  explainMissingFile,
  type FileTarget,
  findOnlyFile,
  type MissingFile,
  splitLineRanges,
  type SplitTarget,
} from './file-arguments.ts';
import { findMeantFile } from './misspelt-path.ts';
import { createNarrowerPattern, listPaths } from './glob-files.ts';

/**
 * Shows the content of a folder (the root for an empty path), or a text file or a part of it page by page. The session
 * remembers the lines that were shown.
 *
 * @throws BinaryFileError when the file is binary; LineRangeError when it ends before the requested part, or there is no
 *   such part; ApprovalError when it may hold secrets and the user refuses to show it
 */
export async function readFileTarget(
  root: WorkspaceRoot,
  target: SplitTarget,
  context: ToolContext,
): Promise<ToolOutput> {
  const { path, range, column = 1, whole } = target;
  using found = root.lookUp(path);
  if (whole !== undefined && found.mayHaveBeside(whole) && (await root.exists(whole)))
    return readFileTarget(root, { path: whole }, context);
  checkRange(target);
  if (found.info.kind !== 'missing') context.files.add(found.info.path);
  if (found.info.kind === 'folder') return await listFolder(root, { path, folder: found.info.path }, context);
  const line = range?.[0] ?? 1;
  const secrets = await consentToShow(found.info, context);
  const end = context.fromCode ? null : (range?.[1] ?? null);
  // Enough for what is shown, and to find the end of the pages after it.
  const pages = (end === null ? 1 : PAGES_OF_RANGE) + PAGES_OF_RANGE;
  const format = range === undefined && !context.fromCode ? findOutlineFormat(path) : undefined;
  const isOutlined = format !== undefined && found.info.size <= LARGEST_OUTLINED;
  const paged = Math.ceil(1.5 * pages * (getPageLength(context.answerLimit) + 2));
  const chars = isOutlined ? Math.max(paged, found.info.size) : paged;
  const through = end === null ? undefined : { lines: end - line + 1, chars: Math.max(chars, RANGE) };
  const window = await found.readWindow({ line, column, chars, through, secrets });
  if (window.binary) throw createBinaryFileError(path, window.size);
  // A loop over the parts of a file ends with an empty one.
  if (context.fromCode && line > window.lines && column === 1) return { text: '', format: 'code', paged: true };
  refuseBeyond(target, window);
  new SeenFiles(context).shown(found.info.path, window);
  const text = window.lines === 0 ? '(empty file)' : renderFilePage(target, window, context);
  const output = { text, format: 'code', paged: true } as const;
  // A page displays invalid bytes as replacement characters; code must not get these.
  if (text === window.text && !text.includes(REPLACED)) return output;
  return { ...output, whole: () => readWhole(root, { target, page: window, secrets, tag: context.tag }) };
}

/** Shows parts of a file one after the other, up to the length of a long one, with the tag of the others; code gets all. */
async function readSeveralRanges(
  root: WorkspaceRoot,
  parts: readonly FileTarget[],
  context: ToolContext,
): Promise<ToolOutput> {
  const shown: ToolOutput[] = [];
  let room = PAGES_OF_RANGE * getPageLength(context.answerLimit);
  for (const part of parts) {
    if (room <= 0 && !context.fromCode) break;
    const output = await readFileTarget(root, part, context);
    shown.push(output);
    room -= countUnits(output.text);
  }
  const left = parts.slice(shown.length).map(({ range: [first, last] = [1, null] }) => `${first}-${last ?? ''}`);
  const path = formatPath(parts[0]!.path);
  const rest = context.tag(`<R:${path}:${left.join(',')}>`);
  const text = [...shown.map((part) => part.text), ...(left.length === 0 ? [] : [`[next: ${rest}]`])].join('\n');
  return { text, format: 'code', paged: true, whole: () => joinWhole(shown, `<R:${path}>`) };
}

/** @param hint a tag for what is too long to be read at once */
async function joinWhole(parts: readonly ToolOutput[], hint: string): Promise<string> {
  let text = '';
  for (const part of parts) {
    const read = await part.whole?.();
    text += typeof read === 'string' ? read : part.text;
    if (text.length > MOST)
      throw new ResourceError(`these lines have more than ${MOST} characters together: read fewer at once.`, [hint]);
  }
  return text;
}

/**
 * Shows the parts of a file that a path with several ranges names, or the only file that a path without a file may mean:
 * one in another folder, or one with nearly the same name.
 *
 * @throws the error of the read, explained, if there is no such file, or several
 */
export async function readElsewhere(root: WorkspaceRoot, error: unknown, missing: MissingFile): Promise<ToolOutput> {
  const { file, context } = missing;
  const parts = await splitLineRanges(root, file.path);
  if (parts !== undefined) return await readSeveralRanges(root, parts, context);
  const only = (await findOnlyFile(root, error, missing)) ?? (await findMeantFile(root, error, missing));
  if (only === undefined) throw await explainMissingFile(root, error, missing);
  const output = await readFileTarget(root, { ...file, path: only }, context);
  return { ...output, text: `${formatPath(file.path)} does not exist; this is ${formatPath(only)}:\n${output.text}` };
}

/** Refuses to read past the end of the file, and offers its last lines as the next step. */
function refuseBeyond({ path, range, column }: FileTarget, { lines, lineLength }: TextWindow): void {
  if (range === undefined) return;
  const [first, end] = range;
  const shown = formatPath(path);
  if (first > lines) {
    const asked = end === null ? `${first}-` : first === end ? `${first}` : `${first}-${end}`;
    const hint = lines === 0 ? `<R:${shown}>` : `<R:${shown}:${Math.max(1, lines - 9)}-${lines}>`;
    throw new LineRangeError(`${shown} has ${formatQuantity(lines, 'line')}; asked for ${asked}.`, [hint]);
  }
  if (column !== undefined && column > Math.max(lineLength, 1)) {
    const fact = `line ${first} of ${shown} has ${formatQuantity(lineLength, 'character')}; asked for character ${column}.`;
    throw new LineRangeError(fact, [`<R:${shown}:${first}@1>`]);
  }
}

async function listFolder(
  root: WorkspaceRoot,
  { path, folder }: { readonly path: string; readonly folder: string },
  { tag, answerLimit }: ToolContext,
): Promise<ToolOutput> {
  const entries = await root.list(path);
  const prefix = folder === '' ? '' : `${folder}/`;
  const files = entries.map((name) => prefix + name);
  return listPaths(entries, {
    answerLimit,
    none: '(empty folder)',
    narrow: tag(`<G:${formatPath(createNarrowerPattern(`${prefix}*`, files))}>`),
  });
}

/** Maximum length of a text that code gets, in characters. */
const MOST = 8 * 1024 * 1024;
/** Maximum size of a file that is read as a whole, in bytes; larger files cannot be edited. */
const LARGEST = 64 * 1024 * 1024;

interface WantedText extends Pick<ToolContext, 'tag'> {
  readonly target: FileTarget;
  /** The part that begins at the target, as it was read for a tag. */
  readonly page: TextWindow;
  readonly secrets: boolean;
}

/** The replacement character, which decoding inserts for invalid bytes. */
const REPLACED = '\ufffd';

/**
 * Returns the whole file, or the requested lines with their line breaks and without line numbers, exactly as stored, so
 * that code can write them back. If the target starts at a character of a line, only the rest of that line is returned.
 *
 * @throws ResourceError when the text is longer than code can get at once; FileError when the file is not UTF-8, since
 *   replacement characters would be written in place of its bytes
 */
async function readWhole(root: WorkspaceRoot, { target, page, secrets, tag }: WantedText): Promise<string> {
  const { path, range, column } = target;
  const first = range?.[0] ?? 1;
  const end = (column === undefined ? range?.[1] : first) ?? Infinity;
  let window = page;
  let text = takeLines(window, end - first + 1);
  if (text === undefined) {
    const through = { lines: end - first + 1, chars: MOST };
    window = await root.readWindow(path, {
      line: first,
      column: column ?? 1,
      chars: page.text.length,
      through,
      secrets,
    });
    text = takeLines(window, end - first + 1);
  }
  if (text === undefined) throw createTooLongError(window, { path, first, tag });
  if (text.includes(REPLACED) && window.size <= LARGEST) await root.readText(path, { secrets, forCode: true });
  return column === undefined ? text : text.replace(/\n$/, '');
}

/** Returns up to a number of lines from the beginning of a part of a file; undefined when the part is too short. */
function takeLines({ text, cut }: TextWindow, count: number): string | undefined {
  let end = 0;
  for (let found = 0; found < count; found++) {
    const next = count === Infinity ? -1 : text.indexOf('\n', end);
    if (next === -1) return cut ? undefined : text;
    end = next + 1;
  }
  return text.slice(0, end);
}

/**
 * Creates an error that offers as many lines as fit; if the first one does not fit, its pages, which only tags can
 * show.
 */
function createTooLongError(
  { text, lineLength, size }: TextWindow,
  { path, first, tag }: Pick<ToolContext, 'tag'> & { readonly path: string; readonly first: number },
): ResourceError {
  const shown = formatPath(path);
  const most = `${MOST} characters at most`;
  const fitting = roundDown(text.split('\n').length - 1);
  if (fitting > 0) {
    const fact = `${shown} has ${formatQuantity(size, 'byte')}; code gets ${most}. Read it in parts, of ${formatQuantity(fitting, 'line')} here.`;
    return new ResourceError(fact, [tag(`<R:${shown}:${renderRange(first, first + fitting - 1)}>`)]);
  }
  const fact = `line ${first} of ${shown} has ${formatQuantity(lineLength, 'character')}; code gets ${most}. Tags show it in pages.`;
  return new ResourceError(fact, [tag(`<R:${shown}:${first}@1>`)]);
}

/** Rounds down to one digit and zeros: the lines of the next part may be longer. */
function roundDown(lines: number): number {
  const unit = 10 ** (String(lines).length - 1);
  return Math.floor(lines / unit) * unit;
}

/** A part of a file, as read from disk. */
type TextWindow = Awaited<ReturnType<WorkspaceRoot['readWindow']>>;

/** Maximum length of the text in which requested lines are looked up, in characters. */
const RANGE = 400_000;
/** Number of characters that are shown of a longer line. */
const CLIPPED = 240;

/**
 * Renders requested lines of which some are too long for the page: these are cut, each followed by a tag that shows the
 * whole line. Returns undefined when the lines do not fit even then.
 */
function renderClipped(
  lines: readonly string[],
  first: number,
  { length, tagOf }: { readonly length: number; readonly tagOf: (part: string) => string },
): string | undefined {
  const shown = lines.map((line, index) => {
    const text = line.replace(/\n$/, '');
    if (text.length <= CLIPPED) return line;
    return `${takeFirstCharacters(text, CLIPPED)} … [${text.length} characters: ${tagOf(`${first + index}@1`)}]\n`;
  });
  return countLinesOnLastPage(shown, 0, length) === shown.length ? renderNumbered(shown, first) : undefined;
}

/** Maximum size of a file of which an outline follows the first page, in bytes. */
const LARGEST_OUTLINED = 1_000_000;
/** Maximum length of such an outline: in tokens, and as a share of the answer limit. */
const OUTLINE_TOKENS = 300;
const OUTLINE_SHARE = 0.6;
const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const CODE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|go|rs|java|kts?|rb|php|cs|c|h|cc|cpp|cxx|hh|hpp|m|mm|swift|dart|exs?|erl|hs|ml|scala|groovy|lua|jl|r|pl|pm|sh|bash|zsh|ps1|sql|zig|nim|proto|graphql)$/i;

/** Returns the format in which the rest of a file is outlined; undefined for data, logs and plain text. */
function findOutlineFormat(path: string): 'code' | 'markdown' | undefined {
  return MARKDOWN.test(path) ? 'markdown' : CODE.test(path) ? 'code' : undefined;
}

interface OutlinedFile extends Pick<ToolContext, 'answerLimit'> {
  readonly path: string;
  readonly lines: readonly string[];
  /** Number of lines on the first page. */
  readonly shown: number;
}

/** Renders where something begins in the lines after the first page; empty if nothing is found. */
function outlineRest({ path, lines, shown, answerLimit }: OutlinedFile): string {
  const format = findOutlineFormat(path);
  if (format === undefined) return '';
  const room = Math.min(OUTLINE_TOKENS, answerLimit * OUTLINE_SHARE);
  const { lines: found, isComplete } = outlineLines(lines, { format, after: shown, room });
  if (found.length === 0) return '';
  return `\n… lines ${shown + 1}-${lines.length}${isComplete ? '' : ', among others'}:\n${found.join('\n')}`;
}

/** Maximum number of lines in a file that is shown without line numbers. */
const COUNTABLE = 30;

interface RequestedPart extends Pick<TextWindow, 'cut'> {
  readonly range: FileTarget['range'] | undefined;
  /** Length of a page, in characters. */
  readonly page: number;
}

/**
 * Returns the lines that may fill several pages: those that were requested by number, or all of a file that fits there,
 * because models that see its first page request the rest next.
 */
function listRequested(lines: readonly string[], { range, cut, page }: RequestedPart): readonly string[] {
  const [first, end] = range ?? [1, null];
  if (end !== null) return lines.slice(0, end - first + 1);
  if (range !== undefined || cut || lines.some((line) => line.length > page)) return [];
  return countLinesOnPage(lines, 0, getWholeLength(lines, page)) === lines.length ? lines : [];
}

/**
 * Renders a page: the text and, if needed, a last line with the tag of the next page.
 *
 * A short file is shown unchanged; a longer file and requested lines are numbered. Following the `next` tags to the end
 * yields the whole file exactly: a line feed follows every page of lines and every last piece of a line, unless the
 * last page notes that there is none. Between the first page of code or Markdown and its tag stands an outline of the
 * rest.
 */
function renderFilePage(
  { path, range, column }: FileTarget,
  { text, lines: total, cut, size, lineLength }: TextWindow,
  { tag, answerLimit, fromCode }: ToolContext,
): string {
  // Lines of this page, and enough of the following text to compute the next one.
  const lines = splitLines(text);
  const [first, end] = range ?? [1, null];
  const page = getPageLength(answerLimit);
  const asked = column === undefined ? listRequested(lines, { range, cut, page }) : [];
  const isWhole = asked.length > 1 && (!cut || asked.length < lines.length);
  const isOnePage = asked.length < 2 || (isWhole && countLinesOnPage(asked, 0, page) === asked.length);
  // The lines below count too, as they did for the tag that led here: only a full page has a tag for the next one.
  const length = isOnePage ? page : Math.min(...[asked, lines].map((some) => getRangeLength(some, first, page)));
  const isEndless = !cut && !text.endsWith('\n');
  const tagOf = (part: string) => tag(`<R:${formatPath(path)}:${part}>`);
  const countFrom = (from: number, to: number, room: number) => {
    const wanted = lines.slice(0, to - first + 1);
    // The following lines are known only as far as they were read.
    const isKnown = !cut || wanted.length < lines.length;
    return (isKnown ? countLinesOnLastPage : countLinesOnPage)(wanted, from, room);
  };
  const tagAfter = (shown: number, to: number) => {
    const line = first + shown;
    const count = countFrom(shown, to, getRangeLength(lines.slice(shown), line, page));
    return tagOf(count === 0 ? `${line}@1` : renderRange(line, Math.min(line + count - 1, to)));
  };
  // A single long line is read in pieces.
  if (isWhole && countLinesOnLastPage(asked, 0, length) < asked.length) {
    const clipped = renderClipped(asked, first, { length, tagOf });
    if (clipped !== undefined) return clipped;
  }
  const onPage = column === undefined ? countLinesOnPage(lines, 0, length) : 0;
  const count = onPage === 0 ? 0 : Math.max(onPage, countFrom(0, end ?? total, length));
  if (count === 0) {
    // The line is longer than a page, so a piece of it is shown.
    const from = column ?? 1;
    const body = takeFirstCharacters((lines[0] ?? '').replace(/\n$/, ''), length);
    const last = from + body.length - 1;
    const place = `line ${first} of ${total}, characters ${from}-${last} of ${lineLength}`;
    if (last < lineLength) return `${body}\n[${place}; next: ${tagOf(`${first}@${last + 1}`)}]`;
    if (first === total) return `${body}\n[${place}${isEndless ? '; no newline at end of file' : ''}]`;
    return `${body}\n[${place}; next: ${tagAfter(1, total)}]`;
  }
  const last = Math.min(first + count - 1, end ?? Infinity);
  const shown = lines.slice(0, last - first + 1);
  // Edits by range need numbers; the lines of a short file are easy to count.
  const isPlain = range === undefined && total <= COUNTABLE;
  if (isPlain && last === total) return shown.join('');
  const body = isPlain ? shown.join('').replace(/\n$/, '') : renderNumbered(shown, first);
  const place = `${first === last ? 'line' : 'lines'} ${renderRange(first, last)}`;
  if (last < total) {
    if (shown.length < onPage || count > onPage) return body;
    const to = end !== null && end > last ? end : total;
    const isOutlined = range === undefined && !cut && !fromCode;
    const outline = isOutlined ? outlineRest({ path, lines, shown: count, answerLimit }) : '';
    return `${body}${outline}\n[${place} of ${total}; next: ${tagAfter(count, to)}]`;
  }
  const notes = [];
  if (end !== null && end > total) notes.push(`file has ${total}`);
  // Needed to join pages into the file; a short range is read on its own.
  if (isEndless && (size > page || range === undefined)) notes.push('no newline at end of file');
  return notes.length === 0 ? body : `${body}\n[${[place, ...notes].join('; ')}]`;
}
