import type { AgentEvent } from '../protocol/agent-event.ts';

/** The events of one turn as they happen, and its final answer. */
export interface EventStream extends AsyncIterable<AgentEvent> {
  /** The final response; rejects as `ask` would. */
  result(): Promise<string>;
}
