import { RunError, TimeoutError, type RunOutcome } from '@bae/core';
import { renderError } from '@bae/core/pipeline';
import type { BlockCalls } from '../host/block-calls.ts';
import type { SandboxLimits } from '../host/thread.ts';
import { isOutOfMemory, cutText, type BlockEnd, type ThrownError } from '../messages.ts';
import { suggestCallForTag, suggestMember, suggestDefinedName, type KnownNames } from './suggest.ts';

/** Block that has ended, with the names that it could call. */
export interface EndedBlock extends KnownNames {
  readonly code: string;
  readonly block: number;
  readonly end: BlockEnd;
  readonly limits: SandboxLimits;
  /** True if the variables of the session are lost. */
  readonly spent: boolean;
  readonly calls: PendingCalls;
}

type PendingCalls = Pick<BlockCalls, 'pendingCount' | 'quotePending'>;
type Description = Pick<RunOutcome, 'output' | 'errorType'>;

const MOST_QUOTES = 3;
const LOST = 'The variables of this session are gone.';

/** Describes the end of a block; returns undefined if it succeeded without a value to show. */
export function describeBlockEnd(ended: EndedBlock): Description | undefined {
  const { end } = ended;
  switch (end.state) {
    case 'done':
      // An empty text would look as if there were no value.
      return end.value === undefined ? undefined : { output: end.value === '' && !end.cut ? '""' : end.value };
    case 'thrown':
      return describeThrownValue(ended, end.error);
    case 'unreadable':
      return describeUnreadable(ended, end);
    case 'stuck':
      return renderWithFrames(
        new RunError(
          'the code awaits a promise that nothing will ever settle. Only tool calls are asynchronous here.',
          ['await a call itself: await nav()'],
        ),
      );
    default:
      return describeTimeout(ended, end.error?.stack ?? '');
  }
}

/** Describes the end of a block that was cancelled. @param calls the calls of the block; none if it has not begun */
export function describeCancel(calls?: PendingCalls): Description {
  return { output: `AbortError: the block was cancelled.${describePending(calls)}`, errorType: 'AbortError' };
}

function describeUnreadable(ended: EndedBlock, { message, line }: Extract<BlockEnd, { state: 'unreadable' }>) {
  const text = ended.code.split('\n')[line - 1]?.trim() ?? '';
  const tag = suggestCallForTag(ended.code, line, ended);
  const short = text.length <= 80 ? text : `${text.slice(0, 79)}…`;
  const lines = [`SyntaxError: ${message}`, `  at line ${line}: ${short}`, ...(tag === undefined ? [] : [tag])];
  return { output: lines.join('\n'), errorType: 'SyntaxError' };
}

function describeThrownValue(ended: EndedBlock, error: ThrownError): Description {
  const { name, message, stack } = error;
  const { code, block, limits, spent } = ended;
  const frames = formatFrames(stack, block);
  if (isOutOfMemory(error)) {
    const lost = spent ? ` ${LOST}` : '';
    const text = `out of memory: the variables of a session may take ${limits.memoryMb} MB.${lost}`;
    return renderWithFrames(new RunError(text, ['keep counts and names instead of contents']), frames);
  }
  if (spent) {
    const cause = message.startsWith('Maximum call stack') ? 'the code is nested too deeply' : message;
    return renderWithFrames(new RunError(`${cause}. ${LOST}`, ['begin again with simpler code']));
  }
  const line = code.split('\n')[parseLine(frames[0]) - 1];
  const hint =
    name === 'ReferenceError'
      ? suggestDefinedName(message, ended)
      : line === undefined
        ? undefined
        : (suggestMember(message, line, ended) ?? explainList(message, line) ?? explainSpread(message));
  // What to try instead comes last.
  const [fact, ...tries] = `${name}: ${message}`.split(/\n(?=Try: )/);
  const lines = [fact, ...frames.map((frame) => `  ${frame}`), ...tries, ...(hint === undefined ? [] : [hint])];
  return { output: lines.join('\n'), errorType: name };
}

/** Lists are passed to code as data, although tags show them as text. */
function explainList(message: string, line: string): string | undefined {
  const isTextMethod = message === 'not a function' && /\b(?:glob|grep)\(.*\.(?:split|trim)\(/.test(line);
  return isTextMethod ? 'glob and grep return arrays: leave out .split() and .trim().' : undefined;
}

/** The engine limits the number of arguments of a call, which an array that is spread into one may exceed. */
function explainSpread(message: string): string | undefined {
  if (!message.startsWith('too many arguments in function call')) return undefined;
  return 'Instead of spreading a long array: values.reduce((most, value) => Math.max(most, value), -Infinity).';
}

function describeTimeout({ limits, spent, calls, block }: EndedBlock, stack: string): Description {
  const kept = spent ? LOST : 'Variables are as the code left them.';
  const text = `the code was stopped after ${limits.timeoutMs / 1000}s.${describePending(calls)} ${kept}`;
  const hint = calls.pendingCount === 0 ? 'do less in one block' : 'make slow calls with tags';
  return renderWithFrames(new TimeoutError(text, [hint]), formatFrames(stack, block));
}

function describePending(calls?: PendingCalls): string {
  if (calls === undefined || calls.pendingCount === 0) return '';
  const quotes = calls.quotePending(MOST_QUOTES);
  const left = calls.pendingCount - quotes.length;
  const more = left > 0 ? ` and ${left} more` : '';
  return ` Without a result, outcome unknown: ${quotes.join(', ')}${more}.`;
}

function renderWithFrames(error: Error, frames: readonly string[] = []): Description {
  const { text, errorType } = renderError(error);
  const [first = '', ...rest] = text.split('\n');
  return { output: [first, ...frames.map((frame) => `  ${frame}`), ...rest].join('\n'), errorType };
}

/** Maximum number of frames. */
const MOST_FRAMES = 8;
/** Maximum length of a function's name, in characters. */
const LONGEST_NAME = 80;
const FRAME = /^\s*at (?:(.+?) \()?block-(\d+):(\d+)(?::\d+)?\)?$/;

/**
 * Formats the frames of a stack that are in code of the session, innermost first: `at sum (line 3)`, `at line 3 of
 * block 1`.
 */
export function formatFrames(stack: string, block: number): readonly string[] {
  const all = stack.split('\n').flatMap((line) => {
    const [, name = '', number, at] = FRAME.exec(line) ?? [];
    if (at === undefined) return [];
    const where = Number(number) === block ? `line ${at}` : `line ${at} of block ${number}`;
    const short = name.length > LONGEST_NAME ? `${cutText(name, LONGEST_NAME)}…` : name;
    return [name === '' || name.startsWith('<') ? `at ${where}` : `at ${short} (${where})`];
  });
  // A callback of a built-in function is on the same line as the call.
  const frames = all.filter((frame, index) => frame !== all[index - 1]);
  if (frames.length <= MOST_FRAMES) return frames;
  return [...frames.slice(0, MOST_FRAMES - 1), `… ${frames.length - MOST_FRAMES + 1} more`];
}

/** Returns the line of a frame, from 1; 0 for a frame of another block, or no frame. */
export function parseLine(frame = ''): number {
  return Number(/line (\d+)\)?$/.exec(frame)?.[1] ?? 0);
}
