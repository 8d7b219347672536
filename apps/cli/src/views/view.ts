import type { AgentEvent } from '@bae/core';

/** Shows a session: handles every event, in order. */
export interface View {
  handle(event: AgentEvent): void;
}
