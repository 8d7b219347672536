import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { formatCount } from '../text-size/fit-text.ts';

const LONGEST_ARGUMENT = 60;
const LISTING = new Set(['glob', 'grep']);

/** One line for people, with counts of the whole result: `[source] ◆ read(core.router) -> string (42 lines)`. */
export function summarizeCall(call: ToolCall, result: ToolResult): string {
  const where = result.space === 'home' ? '' : `[${result.space}] `;
  const head = `${where}◆ ${call.verb}(${shortenArgument(call.arg)})`;
  if (!result.ok) return `${head} -> ${result.errorType ?? 'Error'}`;
  // Code got all of it.
  const isCut = result.pruned !== undefined && result.value === undefined;
  const cut = isCut ? `, pruned to ${result.pruned.shown}` : '';
  return `${head} -> string (${measure(call, result)}${cut})`;
}

/** The line of a move: `◆ source > meta`, `◆ home`. */
export function summarizeMove(path: readonly string[]): string {
  return `◆ ${path.length === 0 ? 'home' : path.join(' > ')}`;
}

function measure(call: ToolCall, result: ToolResult): string {
  if (result.hint !== undefined) return result.hint;
  if (result.rows === undefined) return formatCount(result.lines, 'line');
  return formatCount(result.rows, LISTING.has(call.verb) ? 'match' : 'row');
}

function shortenArgument(arg: string): string {
  // A character has two units at most.
  const line = arg.slice(0, 2 * (LONGEST_ARGUMENT + 1)).replaceAll(/\r?\n/g, '⏎');
  const points = Array.from(line);
  return points.length <= LONGEST_ARGUMENT ? line : `${points.slice(0, LONGEST_ARGUMENT - 1).join('')}…`;
}
