import type { AgentEvent } from './agent-event.ts';

/** Where a session's events are kept. An event is handed to it, and awaited, before anyone sees it. */
export interface SessionLog {
  append(event: AgentEvent): void | Promise<void>;
}
