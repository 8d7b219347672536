import type { AgentEvent } from '@bae/core';

/** Events of one type. */
export type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>;

/** Listener that keeps events, for `agent.subscribe()`. */
export interface EventRecorder {
  (event: AgentEvent): void;
  /** Copies of every event so far, in order. */
  readonly events: readonly AgentEvent[];
  of<Type extends AgentEvent['type']>(type: Type): readonly EventOf<Type>[];
}

/**
 * Creates a listener that keeps events, copied as JSON: a copy reveals values that are not plain JSON, and hides later
 * changes.
 */
export function recordEvents(): EventRecorder {
  const events: AgentEvent[] = [];
  const record = (event: AgentEvent): void => void events.push(JSON.parse(JSON.stringify(event)) as AgentEvent);
  const ofType = <Type extends AgentEvent['type']>(type: Type): readonly EventOf<Type>[] =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  return Object.assign(record, { events, of: ofType });
}

interface SessionState {
  /** Turns, calls and run blocks that have started but not ended: `turn 1`, `call 3`. */
  readonly open: string[];
  /** All that ever started, and the answers: `answer of turn 1`. */
  readonly used: Set<string>;
}

/**
 * Checks the grammar of an event stream, session by session.
 *
 * Every `x-start` has exactly one `x-end` with the same id, nested like brackets; every turn has exactly one
 * `turn-end` and at most one `answer`; no event of a turn comes before its start or after its end.
 *
 * @throws Error that names the first event out of place
 */
export function expectBalanced(events: readonly AgentEvent[]): void {
  const sessions = new Map<string, SessionState>();
  for (const [index, event] of events.entries()) {
    const state = sessions.get(event.label) ?? { open: [], used: new Set() };
    sessions.set(event.label, state);
    const complaint = checkEvent(state, event);
    if (complaint === undefined) continue;
    const id = 'id' in event ? ` ${event.id}` : '';
    throw new Error(
      `event ${index + 1}, ${event.type}${id} (session ${event.label}, turn ${event.turn}): ${complaint}.`,
    );
  }
  for (const [label, { open }] of sessions) {
    if (open.length > 0) throw new Error(`session ${label}: ${open.at(-1)} was never ended.`);
  }
}

function checkEvent({ open, used }: SessionState, event: AgentEvent): string | undefined {
  const turn = `turn ${event.turn}`;
  const isTurnStart = event.type === 'turn-start';
  if (!isTurnStart && event.turn !== 0 && open[0] !== turn)
    return used.has(turn) ? 'its turn is over' : 'its turn has not started';
  const [, kind, edge] = /^(turn|call|run)-(start|end)$/.exec(event.type) ?? [];
  const bracket = 'id' in event ? `${kind} ${event.id}` : turn;
  if (edge === 'end') return closeBracket(open, bracket);
  if (event.type === 'answer') {
    const answer = `answer of ${turn}`;
    if (used.has(answer)) return 'the turn already has an answer';
    used.add(answer);
  }
  if (edge !== 'start') return undefined;
  if (isTurnStart && open.length > 0) return `${open.at(-1)} is still open`;
  if (used.has(bracket)) return isTurnStart ? 'there was a turn of this number already' : 'its id was used before';
  used.add(bracket);
  open.push(bracket);
  return undefined;
}

function closeBracket(open: string[], bracket: string): string | undefined {
  if (open.length === 0) return 'nothing is open';
  if (open.at(-1) !== bracket) return `${open.at(-1)} is still open`;
  open.pop();
  return undefined;
}

/**
 * Renders events as text for people and snapshots: one line per event, with further lines of a text indented, and
 * without anything that differs from run to run. Streamed pieces and starts are left out, because the end event
 * contains the whole. With more than one session, each line begins with its label: `@2 user: hello`.
 */
export function renderTranscript(events: readonly AgentEvent[]): string {
  const several = new Set(events.map(({ label }) => label)).size > 1;
  const lines = events.map((event) => {
    const line = renderTranscriptEntry(event);
    return line === undefined || !several ? line : `@${event.label} ${line}`;
  });
  return lines.filter((line) => line !== undefined).join('\n');
}

function renderTranscriptEntry(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'turn-start':
      return formatEntry('user', event.prompt);
    case 'response-end':
      return event.executable ? formatEntry('model', event.text) : undefined;
    case 'call-end':
      return formatEntry(event.ok && event.failed !== true ? 'call' : 'call failed', event.summary);
    case 'run-end':
      return formatEntry(event.ok ? 'run' : 'run failed', `${event.code}\n=> ${event.output || '(no output)'}`);
    case 'space-enter':
      return formatEntry('enter', `${event.from} -> ${event.to}`);
    case 'notice':
      return formatEntry(`notice ${event.code}`, event.text);
    case 'answer':
      return formatEntry('answer', event.text);
    case 'turn-end': {
      const { sends, calls, runs } = event.totals;
      return formatEntry('end', `${event.outcome} (sends ${sends}, calls ${calls}, runs ${runs})`);
    }
    default:
      return undefined;
  }
}

function formatEntry(kind: string, text: string): string {
  return `${kind}: ${text.trimEnd().replaceAll('\n', '\n  ')}`;
}
