import type { AgentEvent, AgentEventBody } from '../protocol/agent-event.ts';
import type { SessionLog } from '../protocol/session-log.ts';

type EventListener = (event: AgentEvent) => void | Promise<void>;

/**
 * Labels the events of one session and delivers them in order, first to the log, then to every listener. A listener
 * that throws is removed: a broken view must not end a turn.
 */
export class EventHub {
  /** Number of the current or last turn. */
  turn: number;
  readonly #label: string;
  readonly #log: SessionLog | undefined;
  readonly #listeners = new Set<EventListener>();

  constructor(label: string, log: SessionLog | undefined, turn = 0) {
    this.#label = label;
    this.#log = log;
    this.turn = turn;
  }

  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async emit(body: AgentEventBody): Promise<void> {
    const event: AgentEvent = { label: this.#label, turn: this.turn, ...body };
    await this.#log?.append(event);
    for (const listener of this.#listeners) {
      try {
        await listener(event);
      } catch (error) {
        this.#listeners.delete(listener);
        const text = `an event listener failed and was removed: ${String(error)}`;
        await this.emit({ type: 'notice', code: 'error', text });
      }
    }
  }
}

/** Keeps the events of a turn until its reader takes them. */
export class EventQueue {
  readonly #events: AgentEvent[] = [];
  #isEnded = false;
  #wake: (() => void) | undefined;

  push(event: AgentEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  /** The events until the queue ends; `abandon` is called when the reader stops before that. */
  async *read(abandon: () => void): AsyncGenerator<AgentEvent> {
    try {
      for (;;) {
        const event = this.#events.shift();
        if (event !== undefined) yield event;
        else if (this.#isEnded) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      if (!this.#isEnded) abandon();
    }
  }
}
