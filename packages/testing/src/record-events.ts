import type { AgentEvent } from '@bae/core';

/** The events of one type. */
export type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>;

/** A sink that keeps what it hears: hand it to `agent.subscribe()`. */
export interface EventRecorder {
  (event: AgentEvent): void;
  /** Every event so far, as copies, in order. */
  readonly events: readonly AgentEvent[];
  /** The events of one type, in order. */
  of<Type extends AgentEvent['type']>(type: Type): readonly EventOf<Type>[];
}

/**
 * Makes a sink that keeps events.
 *
 * Each event is copied as JSON, so one that is not plain JSON shows, and a later change does not.
 */
export function recordEvents(): EventRecorder {
  const events: AgentEvent[] = [];
  const record = (event: AgentEvent): void => void events.push(JSON.parse(JSON.stringify(event)) as AgentEvent);
  const ofType = <Type extends AgentEvent['type']>(type: Type): readonly EventOf<Type>[] =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  return Object.assign(record, { events, of: ofType });
}
