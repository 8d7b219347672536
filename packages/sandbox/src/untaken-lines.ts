import type { Callable } from './callable.ts';
import type { BlockEnd } from './message.ts';

/** A call that went well. */
export interface DoneCall {
  /** As a person would quote it. */
  readonly quote: string;
  readonly callable: Callable | undefined;
}

/** Tools that do nothing but answer. */
const READING = new Set(['read', 'glob', 'grep']);
/** What becomes of code that takes a promise for an answer. */
const MISTAKES = new Set(['TypeError', 'SyntaxError']);
/** Most calls that are named. */
const MOST = 3;

/**
 * Says of calls whose answer nobody has asked for what was probably meant: `Not awaited: read("a.ts"). Write (await
 * read("a.ts")).` A call that changes something may be made without that, unless the code failed as it does when it takes
 * a promise for an answer.
 *
 * @param doneOf the call of a number, when it went well
 */
export function untakenLines(
  untaken: readonly number[],
  end: BlockEnd,
  doneOf: (call: number) => DoneCall | undefined,
): readonly string[] {
  const failure = end.state === 'thrown' ? end.error : undefined;
  if (failure?.message.endsWith('put await before it')) return [];
  const isMistake = MISTAKES.has(failure?.name ?? '');
  const calls = untaken.flatMap((id) => doneOf(id) ?? []).filter((call) => isMistake || isForItsAnswer(call));
  const lines = new Set(calls.map(worded));
  const more = lines.size - MOST;
  return [...[...lines].slice(0, MOST), ...(more > 0 ? [`Not awaited: ${more} more`] : [])];
}

function isForItsAnswer({ callable }: DoneCall): boolean {
  return callable?.kind === 'move' || READING.has(callable?.spec.name ?? '');
}

/** What is done with an answer stands right behind it: only parentheses keep the two apart. */
function worded({ quote, callable }: DoneCall): string {
  const typed = quote.endsWith('…)') ? `${quote.slice(0, quote.indexOf('('))}(…)` : quote;
  return `Not awaited: ${quote}. Write ${callable?.kind === 'move' ? `await ${typed}` : `(await ${typed})`}.`;
}
