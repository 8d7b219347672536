import type { Message, Model, ModelPart, ModelRequestOptions } from '@bae/core';

/** A model that lets somebody see what it is sent: each message once, exactly as it goes out. */
export class ObservedModel implements Model {
  readonly name: string;
  readonly idleMs?: number;
  private shown = 0;

  constructor(
    private readonly model: Model,
    private readonly onMessage: (message: Message) => void,
  ) {
    this.name = model.name;
    if (model.idleMs !== undefined) this.idleMs = model.idleMs;
  }

  respond(messages: readonly Message[], options: ModelRequestOptions): AsyncIterable<ModelPart> {
    // Earlier messages never change, and what the model said itself was shown when it said it.
    for (const message of messages.slice(this.shown)) if (message.role !== 'assistant') this.onMessage(message);
    this.shown = messages.length;
    return this.model.respond(messages, options);
  }

  dispose(): void | Promise<void> {
    return this.model.dispose?.();
  }
}
