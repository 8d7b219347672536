import { TimeoutError } from '../errors/call-errors.ts';
import type { Timers } from '../protocol/host.ts';
import { GREP_TIMEOUT_MS, TOOL_TIMEOUT_MS } from '../protocol/limits.ts';
import type { ToolContext } from '../protocol/tool-context.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { TimeLimit } from './time-limit.ts';
import { untilAborted } from './until-aborted.ts';

/** Longest time that the platform's timers can wait; anything longer would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** One call that is ready to be made. */
export interface Invocation {
  readonly definition: ToolDefinition;
  readonly params: Readonly<Record<string, unknown>>;
  /** For the tool; its signal is that of the turn. */
  readonly context: ToolContext;
  readonly timers: Timers;
}

/**
 * Calls a tool and waits until it answers, its time is up, or the turn is cancelled. Its time begins anew
 * when somebody was asked for consent: how long people think is not its fault.
 *
 * In the last two cases the tool's own signal aborts, and the tool is not waited for.
 *
 * @returns whatever the tool returned
 * @throws AbortError when cancelled, TimeoutError after the time limit, else what the tool threw
 */
export async function invokeTool({ definition, params, context, timers }: Invocation): Promise<unknown> {
  const { signal } = context;
  const stop = new AbortController();
  const cancel = () => stop.abort(signal.reason);
  const ms = limitOf(definition);
  const limit = new TimeLimit(timers, ms, () => stop.abort(timeout(definition, ms)));
  const requestApproval: ToolContext['requestApproval'] = (...about) =>
    limit.without(() => context.requestApproval(...about));
  signal.addEventListener('abort', cancel, { once: true });
  const work = async () => definition.invoke(params, { ...context, requestApproval, signal: stop.signal });
  try {
    return await untilAborted(work(), stop.signal);
  } catch (error) {
    if (stop.signal.reason instanceof TimeoutError) throw stop.signal.reason;
    throw error;
  } finally {
    limit.end();
    signal.removeEventListener('abort', cancel);
  }
}

function limitOf({ name, timeoutMs }: ToolDefinition): number {
  return Math.min(timeoutMs ?? (name === 'grep' ? GREP_TIMEOUT_MS : TOOL_TIMEOUT_MS), LONGEST_WAIT_MS);
}

function timeout({ name }: ToolDefinition, ms: number): TimeoutError {
  const remedy = name === 'grep' || name === 'glob' ? 'Narrow the path.' : 'Ask for less in one call.';
  return new TimeoutError(`${name} exceeded ${ms / 1000}s. ${remedy}`);
}
