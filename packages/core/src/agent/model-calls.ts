import { ResourceError } from '../errors/call-errors.ts';
import type { Model, Usage } from '../protocol/model.ts';
import type { Host } from '../protocol/host.ts';
import { requestWithRetries } from './model-request.ts';

/** What a turn may use, and has used. */
export interface Spending {
  /** Which limit is reached, and how; undefined when none is. */
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
  /** Gets a line about each request that is tried again. */
  readonly onRetry: (text: string) => Promise<void>;
}

/** Requests of tools to the model of a session; what they use counts for the turn that they are made in. */
export class ModelCalls {
  /** Of the turn that runs. Default: no turn runs, and nothing is counted. */
  spending: Spending | undefined;
  readonly #parts: ModelCallParts;

  constructor(parts: ModelCallParts) {
    this.#parts = parts;
  }

  /** Name of the model; undefined without one. */
  get name(): string | undefined {
    return this.#parts.model?.name;
  }

  /**
   * The response of the model to a prompt, which has nothing of the conversation.
   *
   * @throws ResourceError without a model, or when a limit of the turn is reached; ModelError when the model fails
   */
  async ask(prompt: string, signal: AbortSignal): Promise<string> {
    const { model, limits, host, onRetry } = this.#parts;
    if (model === undefined) throw new ResourceError('there is no model to ask here.');
    const spent = this.spending?.describeSpent();
    if (spent !== undefined) throw new ResourceError(`the model is not asked any more: this turn has used ${spent}.`);
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
