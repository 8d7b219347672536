import type { Callable } from './callable.ts';
import { codeFrames } from './code-frames.ts';
import type { BlockEnd, LostErrors } from './message.ts';

/** A call that went well. */
export interface DoneCall {
  /** As a person would quote it. */
  readonly quote: string;
  readonly callable: Callable | undefined;
}

/** The block that has ended, and its calls. */
export interface CallingBlock {
  readonly end: BlockEnd;
  readonly code: string;
  /** Number of the block in its session. */
  readonly block: number;
  readonly calls: {
    /** Numbers of the calls that went well. */
    readonly done: readonly number[];
    doneOf(call: number): DoneCall | undefined;
  };
}

/** Tools that do nothing but answer. */
const READING = new Set(['read', 'glob', 'grep']);
/** What becomes of code that takes a promise for an answer. */
const MISTAKES = new Set(['TypeError', 'SyntaxError']);
/** Methods of lists that take an async function and do not wait for it. */
const IGNORING = /\.(forEach|filter|find|findIndex|some|every|map|flatMap|sort|reduce)\(\s*async\b/;
/** What leaves some answers alone on purpose. */
const CHOOSING = /\bPromise\s*\.\s*(?:race|any)\b/;
/** Most tools that are named. */
const MOST = 3;

/**
 * Says of calls whose answer nobody has asked for, or only after the last line had run, what was probably meant:
 * `Not awaited: read("a.ts"). Write (await read("a.ts")).` A call that changes something may be made without that,
 * unless the code failed as it does when it takes a promise for an answer.
 */
export function unaskedLines(lost: LostErrors, ended: CallingBlock): readonly string[] {
  const { unasked = [] } = lost;
  const { end, calls } = ended;
  const failure = end.state === 'thrown' ? end.error : undefined;
  const isMistake = MISTAKES.has(failure?.name ?? '');
  // Code that was stopped or failed for another reason may have been about to ask.
  if (end.state !== 'done' && !isMistake) return [];
  if (failure?.message.endsWith('put await before it')) return [];
  const joined = failure === undefined ? undefined : joinedLine(ended.code, codeFrames(failure.stack, ended.block)[0]);
  if (joined !== undefined) return [joined];
  const asked = unasked.flatMap((id) => calls.doneOf(id) ?? []).filter((call) => isMistake || isForItsAnswer(call));
  return [...wordedByTool(asked), ...lateLines(lost, ended)];
}

function isForItsAnswer({ callable }: DoneCall): boolean {
  return callable?.kind === 'move' || READING.has(callable?.spec.name ?? '');
}

/** A line for each tool: what is called for every file of a list is one mistake. */
function wordedByTool(calls: readonly DoneCall[]): readonly string[] {
  const byTool = new Map<string, DoneCall[]>();
  for (const call of calls) {
    const shown = call.callable?.shown ?? '';
    const others = byTool.get(shown);
    if (others === undefined) byTool.set(shown, [call]);
    else others.push(call);
  }
  const lines = Array.from(byTool, ([shown, [first, ...more]]) => worded(shown, first as DoneCall, more.length + 1));
  const left = lines.length - MOST;
  return left > 0 ? [...lines.slice(0, MOST), `Not awaited: calls of ${left} more`] : lines;
}

/** What is done with an answer stands right behind it: only parentheses keep the two apart. */
function worded(shown: string, call: DoneCall, count: number): string {
  const { quote, callable } = call;
  if (!isForItsAnswer(call)) {
    return `Not awaited: ${count === 1 ? quote : `${count} calls of ${shown}`}, made all the same.`;
  }
  const typed = quote.endsWith('…)') ? `${quote.slice(0, quote.indexOf('('))}(…)` : quote;
  if (callable?.kind === 'move') return `Not awaited: ${quote}. Write await ${typed}.`;
  if (count === 1) return `Not awaited: ${quote}. Write (await ${typed}).`;
  return `Not awaited: ${count} calls of ${shown}. Write await Promise.all(list.map((one) => ${shown}(one))).`;
}

/** What asks for answers when the last line has run comes too late for what that line shows. */
function lateLines({ unasked = [], late, count }: LostErrors, ended: CallingBlock): readonly string[] {
  const [, method] = IGNORING.exec(ended.code) ?? [];
  // Of errors it is told already that nothing waited for them.
  if (late === undefined || method === undefined || count > 0) return [];
  if (ended.end.state !== 'done' || CHOOSING.test(ended.code)) return [];
  const { calls } = ended;
  const without = new Set(unasked);
  const found = calls.done.filter((id) => id >= late && !without.has(id)).flatMap((id) => calls.doneOf(id) ?? []);
  const answered = found.filter(isForItsAnswer).length;
  if (answered === 0) return [];
  const subject = answered === 1 ? '1 call was' : `${answered} calls were`;
  return [
    `${subject} answered after the last line had run: ${method} does not wait for async functions. Use for (const one of list) with await.`,
  ];
}

/** Where a line that begins with a bracket calls or indexes the one before it. */
function joinedLine(code: string, frame = ''): string | undefined {
  const line = Number(/line (\d+)\)?$/.exec(frame)?.[1] ?? 0);
  const lines = code.split('\n');
  if (line < 2 || !/^\s*[([`]/.test(lines[line - 1] ?? '')) return undefined;
  const before = lines.slice(0, line - 1).findLastIndex((one) => one.trim() !== '');
  if (!/[\w$)\]"'`]\s*$/.test(lines[before] ?? '')) return undefined;
  return `Line ${before + 1} goes on with line ${line}, since that begins with a bracket: put a ; between them.`;
}
