import type { AgentEvent, AgentEventBody } from '../protocol/agent-event.ts';
import type { SessionLog } from '../protocol/session-log.ts';

export type EventListener = (event: AgentEvent) => void | Promise<void>;

/**
 * Signs the events of one session and hands them out, in order: first to the log, then to every
 * listener, each awaited.
 *
 * A listener that throws is dropped and the others are told: a broken view must not end a turn.
 */
export class EventHub {
  /** Number of the current or last turn. */
  turn: number;
  private readonly listeners = new Set<EventListener>();

  constructor(
    private readonly label: string,
    private readonly log: SessionLog | undefined,
    turn = 0,
  ) {
    this.turn = turn;
  }

  /** Hears every event from now on. Returns how to stop. */
  subscribe(listener: EventListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async emit(body: AgentEventBody): Promise<void> {
    const event: AgentEvent = { label: this.label, turn: this.turn, ...body };
    await this.log?.append(event);
    for (const listener of this.listeners) {
      try {
        await listener(event);
      } catch (error) {
        this.listeners.delete(listener);
        await this.emit({
          type: 'notice',
          code: 'error',
          text: `an event listener failed and was removed: ${String(error)}`,
        });
      }
    }
  }
}
