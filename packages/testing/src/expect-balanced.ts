import type { AgentEvent } from '@bae/core';

/** A bracket that was opened and not closed yet. */
interface OpenBracket {
  /** `turn`, `call`, `run` */
  readonly kind: string;
  readonly id: string;
}

/** How far one session's events have come. */
interface SessionState {
  readonly open: OpenBracket[];
  readonly ended: Set<number>;
  readonly used: Set<string>;
  answers: number;
}

/**
 * Checks the grammar of an event stream, session by session.
 *
 * Every `x-start` has exactly one `x-end` with the same id, nested like brackets; every turn has exactly
 * one `turn-end` and at most one `answer`; nothing of a turn comes before its start or after its end.
 *
 * @throws Error that names the first event out of place
 */
export function expectBalanced(events: readonly AgentEvent[]): void {
  const sessions = new Map<string, SessionState>();
  for (const [index, event] of events.entries()) {
    const state = sessions.get(event.label) ?? { open: [], ended: new Set(), used: new Set(), answers: 0 };
    sessions.set(event.label, state);
    const complaint = follow(state, event);
    if (complaint !== undefined) throw new Error(`event ${index + 1}, ${shown(event)}: ${complaint}.`);
  }
  for (const [label, { open }] of sessions) {
    const bracket = open.at(-1);
    if (bracket !== undefined) throw new Error(`session ${label}: ${bracket.kind} ${bracket.id} was never ended.`);
  }
}

function follow(state: SessionState, event: AgentEvent): string | undefined {
  const turn = openTurn(state);
  if (event.type === 'turn-start') return startTurn(state, event.turn);
  if (event.turn !== 0 && String(event.turn) !== turn) {
    return state.ended.has(event.turn) ? 'its turn is over' : 'its turn has not started';
  }
  switch (event.type) {
    case 'call-start':
    case 'run-start':
      return start(state, { kind: kindOf(event), id: event.id });
    case 'call-end':
    case 'run-end':
      return end(state, { kind: kindOf(event), id: event.id });
    case 'answer':
      state.answers++;
      return state.answers > 1 ? 'the turn already has an answer' : undefined;
    case 'turn-end':
      state.ended.add(event.turn);
      return end(state, { kind: 'turn', id: String(event.turn) });
    default:
      return undefined;
  }
}

function startTurn(state: SessionState, turn: number): string | undefined {
  if (state.open.length > 0) return `${state.open.at(-1)!.kind} ${state.open.at(-1)!.id} is still open`;
  if (state.ended.has(turn)) return 'there was a turn of this number already';
  state.answers = 0;
  state.open.push({ kind: 'turn', id: String(turn) });
  return undefined;
}

function start(state: SessionState, bracket: OpenBracket): string | undefined {
  const name = `${bracket.kind} ${bracket.id}`;
  if (state.used.has(name)) return 'its id was used before';
  state.used.add(name);
  state.open.push(bracket);
  return undefined;
}

function end(state: SessionState, { kind, id }: OpenBracket): string | undefined {
  const bracket = state.open.at(-1);
  if (bracket === undefined) return 'nothing is open';
  if (bracket.kind !== kind || bracket.id !== id) return `${bracket.kind} ${bracket.id} is still open`;
  state.open.pop();
  return undefined;
}

function openTurn(state: SessionState): string | undefined {
  const [first] = state.open;
  return first?.kind === 'turn' ? first.id : undefined;
}

function kindOf(event: AgentEvent): string {
  return event.type.replace(/-(start|end)$/, '');
}

function shown(event: AgentEvent): string {
  const id = 'id' in event ? ` ${event.id}` : '';
  return `${event.type}${id} (session ${event.label}, turn ${event.turn})`;
}
