import type { AgentEvent } from '../protocol/agent-event.ts';
import type { EventStream } from './event-stream.ts';

/** Events pushed by a turn, pulled by whoever iterates. */
export class EventQueue {
  private readonly events: AgentEvent[] = [];
  private ended = false;
  private wake: (() => void) | undefined;

  push(event: AgentEvent): void {
    this.events.push(event);
    this.wake?.();
  }

  end(): void {
    this.ended = true;
    this.wake?.();
  }

  /**
   * The queue as a stream.
   *
   * @param result settles with the turn
   * @param abandon called when the reader stops before the turn is over
   */
  stream(result: Promise<string>, abandon: () => void): EventStream {
    const pull = (): AsyncGenerator<AgentEvent> => this.pull(abandon);
    return { result: () => result, [Symbol.asyncIterator]: pull };
  }

  private async *pull(abandon: () => void): AsyncGenerator<AgentEvent> {
    try {
      for (;;) {
        const event = this.events.shift();
        if (event !== undefined) yield event;
        else if (this.ended) return;
        else await this.more();
      }
    } finally {
      if (!this.ended) abandon();
    }
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
