import type { BlockCalls, FinishedCall } from '../host/block-calls.ts';
import { cutText, type NotAwaited } from '../messages.ts';
import { formatFrames, parseLine, type EndedBlock } from './describe-end.ts';

/** Block that has ended, with its calls. */
export interface CallingBlock extends Pick<EndedBlock, 'end' | 'code' | 'block'> {
  readonly calls: Pick<BlockCalls, 'quoteFailure' | 'finished' | 'getFinished'>;
}

/** Maximum length of the description of one error, in characters. */
const LONGEST_ERROR = 300;
/** Tools that are called only for their result. */
const READING = new Set(['read', 'glob', 'grep']);
/** Errors of code that uses a promise as if it were the result. */
const MISUSES = new Set(['TypeError', 'SyntaxError']);
/** Methods of arrays that do not wait for an async function. */
const NOT_WAITING = /\.(forEach|filter|find|findIndex|some|every|map|flatMap|sort|reduce)\(\s*async\b/;
/** Matches code that leaves some results unread on purpose. */
const CHOOSING = /\bPromise\s*\.\s*(?:race|any)\b/;
const MOST_TOOLS = 3;

/**
 * Describes the promises that a block did not await: errors that nothing caught, `Not awaited: read("a.ts"):
 * FileNotFoundError: …`, and calls whose result was not read, or was read too late, `Not awaited: read("a.ts"). Write
 * (await read("a.ts")).`
 */
export function describeNotAwaited(rest: NotAwaited, ended: CallingBlock): readonly string[] {
  return [...describeErrors(rest, ended), ...describeUnread(rest, ended)];
}

function describeErrors({ errors, count }: NotAwaited, { block, calls }: CallingBlock): readonly string[] {
  const lines = errors.map((error) => {
    if (typeof error === 'number') return shortenError(`Not awaited: ${calls.quoteFailure(error)}`);
    const [frame] = formatFrames(error.stack, block);
    return shortenError(`Not awaited: ${error.name}: ${error.message}`) + (frame === undefined ? '' : `\n  ${frame}`);
  });
  return count > errors.length ? [...lines, `Not awaited: ${count - errors.length} more`] : lines;
}

function shortenError(line: string): string {
  return line.length > LONGEST_ERROR ? `${cutText(line, LONGEST_ERROR)}…` : line;
}

/**
 * Describes calls whose result was not read. A call that changes something is listed only if promises were used as
 * results.
 */
function describeUnread(rest: NotAwaited, ended: CallingBlock): readonly string[] {
  const { end, calls, code, block } = ended;
  const failure = end.state === 'thrown' ? end.error : undefined;
  const isMisuse = MISUSES.has(failure?.name ?? '');
  // Code that was stopped, or failed for another reason, might have read the result later.
  if (end.state !== 'done' && !isMisuse) return [];
  if (failure?.message.endsWith('put await before it')) return [];
  const joined = failure && describeJoinedLines(code, parseLine(formatFrames(failure.stack, block)[0]));
  if (joined !== undefined) return [joined];
  const unread = (rest.unread ?? []).flatMap((id) => calls.getFinished(id) ?? []);
  const listed = unread.filter((call) => isMisuse || isForResult(call));
  return [...describeByTool(listed), ...describeLate(rest, ended)];
}

function isForResult({ callee }: FinishedCall): boolean {
  return callee?.kind === 'move' || READING.has(callee?.spec.name ?? '');
}

/** Describes calls in one line per tool: a call for every file of a list is one mistake. */
function describeByTool(calls: readonly FinishedCall[]): readonly string[] {
  const byTool = Map.groupBy(calls, ({ callee }) => callee?.path ?? '');
  const lines = Array.from(byTool, ([path, [first, ...more]]) => describeUnreadCalls(path, first!, more.length + 1));
  const left = lines.length - MOST_TOOLS;
  return left > 0 ? [...lines.slice(0, MOST_TOOLS), `Not awaited: calls of ${left} more`] : lines;
}

/** Suggests code with `await` in parentheses, because the use of the result may follow directly. */
function describeUnreadCalls(path: string, call: FinishedCall, count: number): string {
  const { quote, callee } = call;
  if (!isForResult(call)) return `Not awaited: ${count === 1 ? quote : `${count} calls of ${path}`}, which ran anyway.`;
  const typed = quote.endsWith('…)') ? `${quote.slice(0, quote.indexOf('('))}(…)` : quote;
  if (callee?.kind === 'move') return `Not awaited: ${quote}. Write await ${typed}.`;
  if (count === 1) return `Not awaited: ${quote}. Write (await ${typed}).`;
  return `Not awaited: ${count} calls of ${path}. Write await Promise.all(list.map((one) => ${path}(one))).`;
}

/** Describes results that code reads after its last line has run, which is too late for the value of that line. */
function describeLate({ unread = [], late, count }: NotAwaited, { end, code, calls }: CallingBlock): readonly string[] {
  const [, method] = NOT_WAITING.exec(code) ?? [];
  // Errors have already been described as not awaited.
  if (late === undefined || method === undefined || count > 0) return [];
  if (end.state !== 'done' || CHOOSING.test(code)) return [];
  const skipped = new Set(unread);
  const ids = calls.finished.filter((id) => id >= late && !skipped.has(id));
  const number = ids.flatMap((id) => calls.getFinished(id) ?? []).filter(isForResult).length;
  if (number === 0) return [];
  const subject = number === 1 ? '1 call' : `${number} calls`;
  return [
    `${subject} returned after the last line had run: ${method} does not wait for async functions. Use for (const one of list) with await.`,
  ];
}

/** Explains the failure of a line that begins with a bracket, and therefore calls or indexes the line before it. */
function describeJoinedLines(code: string, line: number): string | undefined {
  const lines = code.split('\n');
  if (line < 2 || !/^\s*[([`]/.test(lines[line - 1] ?? '')) return undefined;
  const before = lines.slice(0, line - 1).findLastIndex((one) => one.trim() !== '');
  if (!/[\w$)\]"'`]\s*$/.test(lines[before] ?? '')) return undefined;
  return `Line ${before + 1} continues on line ${line}, which begins with a bracket: put a ; between them.`;
}
