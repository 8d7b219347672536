import {
  type Change,
  ConflictError,
  getPageLength,
  type LineRange,
  tool,
  type ToolCall,
  type ToolContext,
} from '@bae/core';
import {
  countLinesOnPage,
  EditError,
  formatPath,
  formatQuantity,
  refuseStale,
  renderNumbered,
  renderRange,
  SeenFiles,
  splitLines,
  type WorkspaceFile,
  type WorkspaceRoot,
} from '@bae/workspace';
import { type ChangeTarget, parseTarget } from './file-target.ts';
import { type ArgsOf, FILE_PARAMS } from './params.ts';
import { createBeyondError, replaceLines, replaceText, type TextChange } from './text-change.ts';

type FileView = ReturnType<SeenFiles['view']>;

/**
 * Plans to change a part of a text file and nothing else in it.
 *
 * @throws EditError when it is not clear what to change; LineRangeError when the lines are not there;
 *   ConflictError when the session does not know the file as it is, or another edit of the response is about
 *   the same lines
 */
export async function planFileEdit(root: WorkspaceRoot, args: ArgsOf<'edit'>, context: ToolContext): Promise<Change> {
  const { file, range } = context.target as ChangeTarget;
  const before = await file.readText();
  const view = new SeenFiles(context).view(file.path);
  const isByLine = range !== undefined && args.old === undefined && args.content !== undefined;
  if (isByLine) refuseUnread(view, file.given, range);
  refuseStale(view, file.given, before);
  if (isByLine) await refuseOverlap(root, { file, range, lines: view.base?.lines ?? 0 }, context);
  const path = formatPath(file.given);
  const edit = computeChange(args, { text: before.text, range, view, path }, context);
  const { removed, added } = edit;
  const change = await file.planWrite(edit.text, { action: 'edit', lines: [removed, added] });
  return change.map((now, { session, batch, tag, answerLimit }) => {
    new SeenFiles({ session, batch }).edited(file.path, now, edit.patches);
    const lines = renderNewLines(edit, { answerLimit, tagOf: (range) => tag(`<R:${path}:${range}>`) });
    return {
      text: [`${describeEdit(edit)} ${path}`, ...lines].join('\n'),
      format: 'code',
      hint: `${removed} -> ${added} lines`,
    };
  });
}

interface EditedText {
  readonly text: string;
  readonly range: LineRange | undefined;
  readonly view: FileView;
  readonly path: string;
}

function computeChange(
  { old, new: replacement, all, content: body }: ArgsOf<'edit'>,
  { text, range, view, path }: EditedText,
  { fromCode, block }: ToolContext,
): TextChange {
  const tags = [`<R:${path}>`];
  if (old !== undefined) {
    if (range !== undefined) throw new EditError('give either a line range or old and new, not both.', tags);
    const by = replacement ?? body;
    if (by === undefined) throw new EditError("'new' is missing: the text that takes the place of old.", tags);
    return replaceText({ text, old, replacement: by, all, path });
  }
  if (range === undefined || body === undefined)
    throw new EditError(`give a line range <E:${path}:10-12> or write the whole file with <W:${path}>`, tags);
  // Between tags on lines of their own, an empty last line is meant; in a text, it is the end of the last one. Code
  // sends lines as it reads them, each with its line break.
  const form = fromCode ? 'ended' : 'separated';
  const given = fromCode || block ? body : body.replace(/\r?\n$/, '');
  const change = replaceLines({ text, range: mapRange(range, view, path), body: given, form, path });
  return change.first === range[0] ? change : { ...change, sentFirst: range[0] };
}

function refuseUnread({ base }: FileView, path: string, [start, end]: LineRange): void {
  if (base !== undefined) return;
  const lines = end === null ? `${start}-` : renderRange(start, end);
  const tag = `<R:${formatPath(path)}:${lines}>`;
  throw new ConflictError(`${formatPath(path)} was not read in this session. Read it first: ${tag}`, [tag]);
}

const CONTEXT = 2;

function describeEdit({ first: now, sentFirst: first = now, removed, added, places }: TextChange): string {
  if (places !== undefined) return `Replaced ${places.length} occurrences (lines ${places.join(', ')}) in`;
  if (removed === 0) return `Appended ${formatQuantity(added, 'line')} to`;
  const lines = `${removed === 1 ? 'line' : 'lines'} ${renderRange(first, first + removed - 1)}`;
  return added === 0 ? `Deleted ${lines} in` : `Replaced ${lines} (${removed} -> ${added} lines) in`;
}

/** The new lines with two lines of context, as many as fit a page. */
function renderNewLines(
  { text, first, added, places }: TextChange,
  { tagOf, answerLimit }: Pick<ToolContext, 'answerLimit'> & { readonly tagOf: (range: string) => string },
): string[] {
  if (places !== undefined) return [];
  const lines = splitLines(text);
  const from = Math.max(1, first - CONTEXT);
  const to = Math.min(lines.length, first + added - 1 + CONTEXT);
  const shown = lines.slice(from - 1, to);
  if (shown.length === 0) return [];
  const fitting = countLinesOnPage(shown, 0, getPageLength(answerLimit));
  if (fitting === shown.length) return [renderNumbered(shown, from)];
  const last = from + fitting - 1;
  const next = `next: ${tagOf(renderRange(last + 1, to))}`;
  if (fitting === 0) return [`[${next}]`];
  return [
    renderNumbered(shown.slice(0, fitting), from),
    `[lines ${renderRange(from, last)} of ${lines.length}; ${next}]`,
  ];
}

/**
 * Maps a line range from the text that the model saw to the current text; the line after the last one appends. Throws a
 * LineRangeError for lines that were not there, and a ConflictError for those that an earlier call has changed.
 */
function mapRange(range: LineRange, { base, current, patches }: FileView, path: string): LineRange {
  const lines = base?.lines ?? 0;
  if (patches.length === 0) return range;
  if (range[0] === lines + 1) return [(current?.lines ?? 0) + 1, null];
  let first = range[0];
  let last = range[1] ?? lines;
  if (Math.max(first, last) > lines) throw createBeyondError(range, lines, path);
  for (const patch of patches) {
    if (first < patch.first + patch.removed && last >= patch.first) throw createTouchedError(range, path);
    const shift = first >= patch.first + patch.removed ? patch.added - patch.removed : 0;
    first += shift;
    last += shift;
  }
  return [first, last];
}

function createTouchedError([start, end]: LineRange, path: string): ConflictError {
  const lines = start === end ? `line ${start}` : `one of the lines ${start}-${end ?? ''}`;
  return new ConflictError(
    `${lines} of ${path} was changed by an earlier call of this response. Read the new lines, then edit them.`,
    [`<R:${path}>`],
  );
}

interface LineEditCall {
  readonly file: WorkspaceFile;
  readonly range: LineRange;
  /** Lines of the file that the numbers are those of. */
  readonly lines: number;
}

type Lines = readonly [first: number, last: number];

/**
 * Refuses, with a ConflictError, an edit of lines that another edit of the same response changes too. The other one is
 * refused by the same rule, so neither is made.
 */
async function refuseOverlap(
  root: WorkspaceRoot,
  { file, range, lines }: LineEditCall,
  context: ToolContext,
): Promise<void> {
  const calls = context.batch.filter(
    ({ verb, space }) => verb === 'edit' && (space ?? context.space) === context.space,
  );
  if (calls.length < 2) return;
  const edited = await Promise.all(calls.map((call) => findEditedLines(root, call, context)));
  const own = closeRange(range, lines);
  const all = edited.flatMap((one) => (one?.path === file.path ? [closeRange(one.range, lines)] : []));
  const concerned = findOverlapping(own, all);
  if (concerned.length < 2) return;
  const path = formatPath(file.given);
  const named = concerned.map(([first, last]) => renderRange(first, last)).join(' and ');
  const whole = renderRange(concerned[0]![0], Math.max(...concerned.map(([, last]) => last)));
  throw new ConflictError(
    `edits of lines ${named} of ${path} overlap in one response; none of them was made. Send one edit of lines ${whole}.`,
    [`<E:${path}:${whole}>`],
  );
}

/** The lines that a call of the response wants to change; undefined when it does something else. */
async function findEditedLines(root: WorkspaceRoot, call: ToolCall, context: ToolContext) {
  try {
    const { bindArguments, splitRange } = await import('@bae/core/pipeline');
    const bound = await bindArguments(EDIT, call);
    if (!bound.ok || bound.params['old'] !== undefined || bound.params['content'] === undefined) return undefined;
    const argument = String(bound.params['target']);
    const split = splitRange(argument);
    if ('error' in split || split.range === null) return undefined;
    const { path, range } = await parseTarget(root, split.target, { ...context, range: split.range, argument });
    return range && { path: (await root.info(path)).path, range };
  } catch {
    // What cannot be understood changes nothing.
    return undefined;
  }
}

const EDIT = tool('', FILE_PARAMS.edit, () => '', { body: 'content', range: true }).named('edit');

function closeRange([first, last]: LineRange, total: number): Lines {
  return [first, last ?? Math.max(first, total)];
}

/** The ranges that overlap with one of them, directly or through others, sorted. */
function findOverlapping(own: Lines, all: readonly Lines[]): readonly Lines[] {
  const isOwn = ([first, last]: Lines) => first === own[0] && last === own[1];
  const sorted = (all.some(isOwn) ? all : [...all, own]).toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  let chain: Lines[] = [];
  for (const range of sorted) {
    if (chain.every(([, last]) => last < range[0])) {
      if (chain.some(isOwn)) break;
      chain = [];
    }
    chain.push(range);
  }
  return chain.some(isOwn) ? chain : [own];
}
