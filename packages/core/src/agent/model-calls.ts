import { ResourceError } from '../errors/call-errors.ts';
import type { Model, Usage } from '../protocol/model.ts';
import type { Host } from '../protocol/host.ts';
import { requestWithRetries } from './model-request.ts';

/** Budget of a turn, and what it has used so far. */
export interface Spending {
  /** Returns which limit was reached, and how; undefined if none was. */
  describeSpent(): string | undefined;
  count(usage: Usage): void;
}

interface ModelCallParts {
  readonly model: Model | undefined;
  readonly limits: {
    readonly firstTokenMs: number;
    readonly idleMs: number;
    readonly tries: number;
    readonly deadlineMs: number;
  };
  readonly host: Host;
  /** Receives a line about each request that is retried. */
  readonly onRetry: (text: string) => Promise<void>;
}

/**
 * Sends the requests that tools make to the session's model; their usage counts for the turn in which they are made.
 */
export class ModelCalls {
  /** Budget of the running turn. Default: no turn is running, and nothing is counted. */
  spending: Spending | undefined;
  readonly #parts: ModelCallParts;

  constructor(parts: ModelCallParts) {
    this.#parts = parts;
  }

  /** Name of the model; undefined if there is none. */
  get name(): string | undefined {
    return this.#parts.model?.name;
  }

  /**
   * Returns the model's response to a prompt, which contains nothing of the conversation.
   *
   * @throws ResourceError without a model, or when a limit of the turn is reached; ModelError when the model fails
   */
  async ask(prompt: string, signal: AbortSignal): Promise<string> {
    const { model, limits, host, onRetry } = this.#parts;
    if (model === undefined) throw new ResourceError('there is no model to ask here.');
    const spent = this.spending?.describeSpent();
    if (spent !== undefined) throw new ResourceError(`the model is no longer asked: this turn has used ${spent}.`);
    const { spending } = this;
    const request = {
      model,
      messages: [{ role: 'user', text: prompt }] as const,
      signal,
      firstTokenMs: limits.firstTokenMs,
      idleMs: limits.idleMs,
      onDelta: () => Promise.resolve(),
      onUsage: (usage: Usage) => spending?.count(usage),
    };
    const { tries, deadlineMs } = limits;
    return (await requestWithRetries(request, { tries, deadlineMs, host, onRetry })).text;
  }
}
