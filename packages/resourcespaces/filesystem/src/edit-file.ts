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
  formatLineChange,
  changeText,
  countLinesOnPage,
  describeMoves,
  findChangedLines,
  formatPath,
  formatQuantity,
  refuseStale,
  renderNumbered,
  renderRange,
  SeenFiles,
  splitLines,
  type TextChange,
  type WorkspaceFile,
  type WorkspaceRoot,
} from '@bae/workspace';
import { parseTarget, FILE_PARAMS, type ChangeTarget, type ArgsOf } from './file-arguments.ts';

type FileView = ReturnType<SeenFiles['view']>;

/**
 * Plans to change a part of a text file and nothing else in it.
 *
 * @throws EditError when it is not clear what to change; LineRangeError when the lines do not exist; ConflictError when
 *   the file differs from the version that the session knows, or when another edit of the response changes the same
 *   lines
 */
export async function planFileEdit(root: WorkspaceRoot, args: ArgsOf<'edit'>, context: ToolContext): Promise<Change> {
  const { file, range } = context.target as ChangeTarget;
  const before = await file.readText();
  const seen = new SeenFiles(context);
  const isByLine = range !== undefined && args.old === undefined && (args.content ?? args.new) !== undefined;
  const view = isByLine ? seen.viewLines(file.path, range, before) : seen.view(file.path);
  if (isByLine) refuseUnread(view, file.given, range);
  refuseStale(view, file.given, before);
  if (isByLine) await refuseOverlap(root, { file, range, lines: view.base?.lines ?? 0 }, context);
  const path = formatPath(file.given);
  const edit = changeText(args, { text: before.text, range, view, name: path }, context);
  const { removed, added } = edit;
  const change = await file.planWrite(edit.text, { action: 'edit', lines: [removed, added] });
  return change.map((now, { session, batch, tag, answerLimit }) => {
    const isSame = edit.text === before.text;
    const tagOf = (lines: string): string => tag(`<R:${path}:${lines}>`);
    const echo = isSame ? NO_ECHO : renderEcho(before.text, edit, { answerLimit, tagOf });
    const { patches } = edit;
    const known = new SeenFiles({ session, batch });
    const moves = describeMoves(known.view(file.path).patches, patches);
    known.edited(file.path, now, { before: before.hash, patches, shown: echo.shown });
    return {
      text: [
        isSame ? describeNoChange(edit, path) : `${describeEdit(edit)} ${path}`,
        ...(edit.unnumbered === true ? ['(the line numbers in front of the new lines were left out)'] : []),
        ...echo.texts,
        ...(moves === '' ? [] : [moves]),
      ].join('\n'),
      format: 'code',
      // From the first to the last of several places, most lines are unchanged.
      hint: isSame
        ? 'no change'
        : edit.places === undefined
          ? formatLineChange(removed, added)
          : formatQuantity(edit.places.length, 'part'),
    };
  });
}

function refuseUnread({ base }: FileView, path: string, [start, end]: LineRange): void {
  if (base !== undefined) return;
  const lines = end === null ? `${start}-` : renderRange(start, end);
  const tag = `<R:${formatPath(path)}:${lines}>`;
  throw new ConflictError(`${formatPath(path)} was not read in this session. Read it first.`, [tag]);
}

const CONTEXT = 2;
/** Number of added lines from which only the first and last ones are shown, as their sender has just written them. */
const MANY_ADDED = 16;
const ADDED_ENDS = 4;
/** Number of changed places from which only the first and last ones are shown. */
const MANY_PLACES = 8;
const PLACE_ENDS = 3;

function describeEdit(change: TextChange): string {
  const { text, first: now, sentFirst: first = now, removed, added, places, forgiven } = change;
  const blanks = forgiven === undefined ? '' : ' (blanks differed)';
  if (places !== undefined) return `Replaced ${places.length} parts (lines ${places.join(', ')})${blanks} in`;
  if (removed === 0) {
    const isAtEnd = now + added > splitLines(text).length;
    return isAtEnd
      ? `Appended ${formatQuantity(added, 'line')} to`
      : `Inserted ${formatQuantity(added, 'line')} at line ${now} of`;
  }
  const lines = `${removed === 1 ? 'line' : 'lines'} ${renderRange(first, first + removed - 1)}`;
  if (added === 0) return `Deleted ${lines} in`;
  const size = added === removed ? '' : ` (${formatLineChange(removed, added)})`;
  return `Replaced ${lines}${size}${blanks} in`;
}

function describeNoChange({ first, sentFirst = first, removed, places }: TextChange, path: string): string {
  const numbers = places?.join(', ') ?? renderRange(sentFirst, Math.max(sentFirst, sentFirst + removed - 1));
  return `No change: ${nameLines(numbers)} of ${path} already had this text`;
}

const NO_ECHO: ReturnType<typeof renderEcho> = { texts: [], shown: [] };

/** A line of the echo of an edit: its displayed text, and its number in the new text unless it was removed. */
interface EchoRow {
  readonly text: string;
  readonly line?: number;
  /** Number of lines that it stands for. Default: 1. */
  readonly lines?: number;
}

/** A place at which lines differ, by the numbers of its first line in the new and in the old text. */
interface EchoPlace {
  readonly first: number;
  readonly oldFirst: number;
  readonly removed: number;
  readonly added: number;
}

/** Places that are only counted, and the lines of the new text that they are in. */
interface OmittedPlaces {
  readonly omitted: number;
  readonly lines: string;
}

/** Lists the places at which lines really differ; of many patches, those in the middle are only counted. */
function listChangedPlaces(patches: TextChange['patches'], old: readonly string[], now: readonly string[]) {
  const places: (EchoPlace | OmittedPlaces)[] = [];
  let moved = 0;
  for (const [index, { first, removed, added }] of patches.entries()) {
    const oldFirst = first - moved;
    moved += added - removed;
    if (patches.length > MANY_PLACES && index >= PLACE_ENDS && index < patches.length - PLACE_ENDS) {
      const last = patches.at(-1 - PLACE_ENDS)!;
      const lines = renderRange(first, Math.max(first, last.first + last.added - 1));
      if (index === PLACE_ENDS) places.push({ omitted: patches.length - 2 * PLACE_ENDS, lines });
      continue;
    }
    const differences = findChangedLines(
      old.slice(oldFirst - 1, oldFirst - 1 + removed).join(''),
      now.slice(first - 1, first - 1 + added).join(''),
    );
    // Lines that were replaced by the same lines are shown too.
    if (differences.length === 0) places.push({ first, oldFirst, removed, added });
    for (const { newStart, oldStart, ...size } of differences)
      places.push({ first: first + newStart, oldFirst: oldFirst + oldStart, ...size });
  }
  return places;
}

/**
 * Renders the removed and the added lines, all numbered, with two lines of context, as far as they fit on a page, and
 * returns the numbers of the lines that are known from it. Of many lines that were added as they were sent, only the
 * first and the last ones are shown.
 */
function renderEcho(
  before: string,
  { text, patches, forgiven }: TextChange,
  { tagOf, answerLimit }: Pick<ToolContext, 'answerLimit'> & { readonly tagOf: (range: string) => string },
): { readonly texts: readonly string[]; readonly shown: readonly number[] } {
  const [old, now] = [splitLines(before), splitLines(text)];
  const rows: EchoRow[] = [];
  const addRows = (lines: readonly string[], first: number, sign: string) => {
    for (const [index, line] of lines.entries()) {
      const shown = `${sign}${renderNumbered([line], first + index)}\n`;
      rows.push(sign === '-' ? { text: shown } : { text: shown, line: first + index });
    }
  };
  let shown = 0;
  const places = listChangedPlaces(patches, old, now);
  for (const [index, place] of places.entries()) {
    if ('omitted' in place) {
      rows.push({ text: `… ${formatQuantity(place.omitted, 'more place')}: ${tagOf(place.lines)}\n` });
      shown = 0;
      continue;
    }
    const { first, oldFirst, removed, added } = place;
    const from = Math.max(shown + 1, first - CONTEXT);
    if (shown > 0 && from > shown + 1) rows.push({ text: '…\n' });
    addRows(now.slice(from - 1, first - 1), from, ' ');
    addRows(old.slice(oldFirst - 1, oldFirst - 1 + removed), oldFirst, '-');
    if (added < MANY_ADDED || forgiven !== undefined) {
      addRows(now.slice(first - 1, first - 1 + added), first, '+');
    } else {
      const [until, again] = [first - 1 + ADDED_ENDS, first - 1 + added - ADDED_ENDS];
      addRows(now.slice(first - 1, until), first, '+');
      const text = `… lines ${renderRange(until + 1, again)}, as sent\n`;
      rows.push({ text, line: until + 1, lines: again - until });
      addRows(now.slice(again, first - 1 + added), again + 1, '+');
    }
    // The lines before the next place are its own.
    const next = places[index + 1];
    const end = next !== undefined && 'first' in next ? next.first - 1 : Infinity;
    shown = Math.min(now.length, first - 1 + added + CONTEXT, end);
    addRows(now.slice(first - 1 + added, shown), first + added, ' ');
  }
  const texts = rows.map((row) => row.text);
  const fitting = countLinesOnPage(texts, 0, getPageLength(answerLimit));
  const body = texts.slice(0, fitting).join('').replace(/\n$/, '');
  const left = rows.slice(fitting);
  const rest = left.flatMap(({ line }) => line ?? []);
  const [next] = rest;
  const numbers = rows.slice(0, fitting).flatMap(listNumbers);
  const count = left.reduce((sum, { lines = 1 }) => sum + lines, 0);
  // Lines around the change may be missing.
  const isWhole = left.every((row) => row.text.startsWith(' '));
  if (isWhole || next === undefined) return { texts: body === '' ? [] : [body], shown: numbers };
  const note = `[${formatQuantity(count, 'more line')} of the change; next: ${tagOf(renderRange(next, rest.at(-1)!))}]`;
  return { texts: body === '' ? [note] : [body, note], shown: numbers };
}

/** Returns the numbers of the lines of the new text that a row stands for. */
function listNumbers({ line, lines = 1 }: EchoRow): readonly number[] {
  return line === undefined ? [] : Array.from({ length: lines }, (_, index) => line + index);
}

interface LineEditCall {
  readonly file: WorkspaceFile;
  readonly range: LineRange;
  /** Number of lines in the file that the line numbers refer to. */
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
  const named = [...new Set(concerned.map(([first, last]) => renderRange(first, last)))].join(' and ');
  const whole = renderRange(concerned[0]![0], Math.max(...concerned.map(([, last]) => last)));
  const overlap = `edits of ${nameLines(named)} of ${path} overlap in one response; none of them was made`;
  const places = calls.flatMap((call, index) => {
    const one = edited[index];
    const isConcerned = one?.path === file.path && findOverlapping(closeRange(one.range, lines), concerned).length > 1;
    return isConcerned ? [context.batch.indexOf(call)] : [];
  });
  const between = context.batch.slice(places[0], places.at(-1)).filter((call) => !calls.includes(call));
  // For example a test between two edits.
  const fact =
    between.length === 0
      ? `${overlap}. Send one edit of ${nameLines(whole)}, or the second one in the next message.`
      : `${overlap}, and the calls between them ran on the unchanged file. Send the first edit and those calls again, and the second edit in the next message.`;
  throw new ConflictError(fact, [`<E:${path}:${whole}>`]);
}

function nameLines(text: string): string {
  return `${/^\d+$/.test(text) ? 'line' : 'lines'} ${text}`;
}

/** Returns the lines that a call of the response wants to change; undefined when it does something else. */
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
    // A call that cannot be parsed changes nothing.
    return undefined;
  }
}

const EDIT = tool('', FILE_PARAMS.edit, () => '', { body: 'content', range: true }).named('edit');

function closeRange([first, last]: LineRange, total: number): Lines {
  return [first, last ?? Math.max(first, total)];
}

/** Returns the ranges that overlap with one of them, directly or through others, sorted. */
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
