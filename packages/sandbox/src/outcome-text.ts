import { RunError, TimeoutError, type RunOutcome } from '@bae/core';
import { renderError } from '@bae/core/pipeline';
import { codeFrames } from './code-frames.ts';
import type { RunScope } from './callable.ts';
import type { BlockEnd } from './message.ts';
import { missingMember } from './missing-member.ts';
import { missingName } from './missing-name.ts';
import type { SandboxLimits } from './sandbox-options.ts';
import { isOutOfMemory } from './out-of-memory.ts';
import { tagInCode } from './tag-in-code.ts';

/** A block that has ended, as its host saw it. */
export interface EndedBlock {
  readonly code: string;
  /** Number of the block. */
  readonly block: number;
  readonly end: BlockEnd;
  readonly limits: SandboxLimits;
  /** True when the variables of the session are gone. */
  readonly spent: boolean;
  /** How many calls have no answer, and the first of them, quoted. */
  readonly open: number;
  readonly firstOpen: readonly string[];
  /** Names that code could have meant. */
  readonly names: readonly string[];
  /** Every place with its tools. */
  readonly spaces: RunScope['spaces'];
}

type Failure = Pick<RunOutcome, 'output' | 'errorType'>;

const LOST = 'The variables of this session are gone.';

/** What an ended block has to say for itself; undefined when it ended well and shows nothing. */
export function endText(ended: EndedBlock): Failure | undefined {
  const { end } = ended;
  switch (end.state) {
    case 'done':
      // An empty text would look like nothing at all.
      return end.shown === undefined ? undefined : { output: end.shown === '' && !end.cut ? '""' : end.shown };
    case 'thrown':
      return thrown(ended, end.error);
    case 'unreadable':
      return unreadable(ended, end);
    case 'stuck':
      return failure(
        new RunError('the code awaits a promise that nothing will ever settle. Only calls of tools take time here.', [
          'await a call itself: await nav()',
        ]),
      );
    default:
      return stopped(ended, end.error?.stack ?? '');
  }
}

function unreadable(ended: EndedBlock, { message, line }: Extract<BlockEnd, { state: 'unreadable' }>): Failure {
  const text = ended.code.split('\n')[line - 1]?.trim() ?? '';
  const tag = tagInCode(ended.code, line, ended);
  const lines = [`SyntaxError: ${message}`, `  at line ${line}: ${short(text)}`, ...(tag === undefined ? [] : [tag])];
  return { output: lines.join('\n'), errorType: 'SyntaxError' };
}

function thrown(ended: EndedBlock, { name, message, stack }: Extract<BlockEnd, { state: 'thrown' }>['error']): Failure {
  if (isOutOfMemory({ name, message })) return outOfMemory(ended, stack);
  if (ended.spent) return broken(message);
  const frames = codeFrames(stack, ended.block);
  const error = { output: [`${name}: ${message}`, ...frames.map((frame) => `  ${frame}`)].join('\n'), errorType: name };
  const remedy = name === 'ReferenceError' ? missingName(message, ended) : misspelt(ended, message, frames[0]);
  return remedy === undefined ? error : { ...error, output: `${error.output}\n${remedy}` };
}

/** The engine itself has failed, or its thread was ended. */
function broken(message: string): Failure {
  const cause = message.startsWith('Maximum call stack') ? 'the code is nested too deeply' : message;
  return failure(new RunError(`${cause}. ${LOST}`, ['begin again with simpler code']));
}

/** Help with a tool that its place does not have, when the block itself called it. */
function misspelt({ code, spaces }: EndedBlock, message: string, frame = ''): string | undefined {
  const number = /line (\d+)\)?$/.exec(frame)?.[1];
  const line = code.split('\n')[Number(number) - 1];
  return line === undefined ? undefined : missingMember({ message, line, code, spaces });
}

function outOfMemory({ limits, spent, block }: EndedBlock, stack: string): Failure {
  const lost = spent ? ` ${LOST}` : '';
  const text = `out of memory: the variables of a session may take ${limits.memoryMb} MB.${lost}`;
  return failure(new RunError(text, ['keep counts and names instead of contents']), codeFrames(stack, block));
}

/** What a block that was cancelled has to say for itself. */
export function cancelledText(ended: Pick<EndedBlock, 'open' | 'firstOpen'>): Failure {
  return { output: `AbortError: the block was cancelled.${unanswered(ended)}`, errorType: 'AbortError' };
}

function unanswered({ open, firstOpen }: Pick<EndedBlock, 'open' | 'firstOpen'>): string {
  const more = open > firstOpen.length ? ` and ${open - firstOpen.length} more` : '';
  return open === 0 ? '' : ` Without an answer, outcome unknown: ${firstOpen.join(', ')}${more}.`;
}

function stopped(ended: EndedBlock, stack: string): Failure {
  const { limits, spent, open, block } = ended;
  const kept = spent ? LOST : 'Variables are as the code left them.';
  const text = `the code was stopped after ${limits.timeoutMs / 1000}s.${unanswered(ended)} ${kept}`;
  const hint = open === 0 ? 'do less in one block' : 'make slow calls with tags';
  return failure(new TimeoutError(text, [hint]), codeFrames(stack, block));
}

function failure(error: Error, frames: readonly string[] = []): Failure {
  const { text, errorType } = renderError(error);
  const [first = '', ...rest] = text.split('\n');
  return { output: [first, ...frames.map((frame) => `  ${frame}`), ...rest].join('\n'), errorType };
}

function short(line: string): string {
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}
