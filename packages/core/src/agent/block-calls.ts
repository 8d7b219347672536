import type { ApprovalRequest } from '../protocol/approver.ts';
import type { CodeCall, RunOutcome } from '../protocol/code-runner.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { joinParts, truncateUnits } from '../text-size/text-size.ts';

/** Call made by code that succeeded. */
export interface DoneCall {
  readonly call: CodeCall;
  readonly isChange: boolean;
  /** One line about what the call changed in places that bae manages; undefined if it changed nothing there. */
  readonly summary: string | undefined;
  /** Change made by the call, if it is part of the block's draft. */
  readonly request: ApprovalRequest | undefined;
}

/** Maximum number of listed changes, or files. */
const MOST_CHANGES = 10;
/** Maximum length of the argument of a listed call, and of a line about a change, in units. */
const LONGEST_ARGUMENT = 40;
const LONGEST_SUMMARY = 120;

/** Lists files, at most the first ten. */
export function nameFiles(paths: readonly string[]): string {
  const more = paths.length - MOST_CHANGES;
  return more > 0 ? `${paths.slice(0, MOST_CHANGES).join(', ')} and ${more} more` : paths.join(', ');
}

/**
 * Adds a list of calls to the outcome of a block that printed nothing, so that its end is not mistaken for the end of
 * the turn, and the earlier calls to the outcome of a block that failed or was cancelled.
 */
export function addCalls(outcome: RunOutcome, calls: readonly DoneCall[]): RunOutcome {
  const { ok, output, error = output } = outcome;
  if (calls.length === 0 || (ok && output !== '')) return outcome;
  if (ok) return { ...outcome, output: `(no output; called ${listCalls(calls)})` };
  const line = `Done before that: ${listCalls(calls)}`;
  return { ...outcome, output: joinParts(output, line), error: joinParts(error, line) };
}

/** Lists calls: `write(a.txt), write(b.txt), read ×3` names every change and counts the other calls. */
function listCalls(calls: readonly DoneCall[]): string {
  const changes = calls.filter(({ isChange }) => isChange);
  const names = changes.slice(0, MOST_CHANGES).map(({ call }) => nameCall(call));
  if (changes.length > MOST_CHANGES) names.push(`${changes.length - MOST_CHANGES} more changes`);
  const others = calls.filter(({ isChange }) => !isChange);
  for (const [name, list] of Map.groupBy(others, ({ call }) => getName(call)))
    names.push(list.length === 1 ? nameCall(list[0]!.call) : `${name} ×${list.length}`);
  return names.join(', ');
}

/**
 * Lists what a block has changed, a line each, so that it need not be read again; empty if its output says all of it.
 *
 * @param output what the block printed
 */
export function describeChanges(output: string, calls: readonly DoneCall[]): string {
  const summaries = calls.flatMap(({ call, summary }) => {
    // A block without output names its calls already.
    const isKnown = summary === undefined || output.includes(summary) || (output === '' && summary === nameCall(call));
    return isKnown ? [] : [summary];
  });
  if (summaries.length === 0) return '';
  const more = summaries.length - MOST_CHANGES;
  const lines = [...summaries.slice(0, MOST_CHANGES), ...(more > 0 ? [`${more} more changes`] : [])];
  return ['Changed:', ...lines.map((line) => `- ${line}`)].join('\n');
}

/**
 * Returns one line about what a call changed: the first line of its result if that names what the call was about, as in
 * `Replaced line 3 in a.ts`, otherwise the call.
 */
export function summarizeChange(call: CodeCall, { effect, text, files = [] }: ToolResult): string | undefined {
  if (effect !== 'write') return undefined;
  const [first = ''] = text.split('\n', 1);
  const subjects = [call.arg.trim(), ...files].filter((subject) => subject !== '');
  return subjects.some((subject) => first.includes(subject)) ? truncateUnits(first, LONGEST_SUMMARY) : nameCall(call);
}

function nameCall(call: CodeCall): string {
  return `${getName(call)}(${truncateUnits(call.arg, LONGEST_ARGUMENT)})`;
}

function getName({ verb, space }: CodeCall): string {
  return space === undefined ? verb : `${space}.${verb}`;
}
