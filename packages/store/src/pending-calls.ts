import type { AgentEvent } from '@bae/core';
import type { SessionSnapshot } from './session-record.ts';

type Unfinished = SessionSnapshot['unfinished'][number];
type Unsent = SessionSnapshot['unsent'][number];

/** A call or run block since the last message to the model; `answer` once it is over. */
interface Pending extends Unfinished {
  answer?: Unsent;
}

/** Calls of which the model has not heard. */
export interface PendingCalls {
  readonly unfinished: readonly Unfinished[];
  readonly unsent: readonly Unsent[];
}

/**
 * Sorts calls by whether it is known what became of them.
 *
 * A run block counts as a call `<run>`. When it is over, it answers for the calls it made.
 *
 * @param events since the last message to the model, in order
 * @param space where the session stood
 */
export function pendingCalls(events: readonly AgentEvent[], space: string): PendingCalls {
  const pending: Pending[] = [];
  for (const event of events) {
    if (event.type === 'call-start') pending.push({ id: event.id, tag: event.tag, space: event.space });
    if (event.type === 'run-start') pending.push({ id: event.id, tag: '<run>', space });
    if (event.type !== 'call-end' && event.type !== 'run-end') continue;
    const index = pending.findIndex(({ id }) => id === event.id);
    if (index < 0) continue;
    const call = pending[index]!;
    call.answer = answerOf(event, call);
    if (event.type === 'run-end') pending.splice(index + 1);
  }
  return {
    unfinished: pending.filter(({ answer }) => answer === undefined),
    unsent: pending.flatMap(({ answer }) => answer ?? []),
  };
}

function answerOf(event: Extract<AgentEvent, { type: 'call-end' | 'run-end' }>, { tag, space }: Unfinished): Unsent {
  if (event.type === 'run-end') return { tag, space, status: event.ok ? 'ok' : 'RunError', text: event.output };
  return { tag, space: event.space, status: event.ok ? 'ok' : (event.errorType ?? 'Error'), text: event.text };
}
