import type { AgentEvent } from '@bae/core';

/** Shows what happens in a session. A view handles every event, in order, and never acts on the session. */
export interface View {
  handle(event: AgentEvent): void;
}
