import { AbortError, ParameterError, ConfigurationError } from '../errors/bae-error.ts';
import type { $ZodType } from 'zod/v4/core';
import { renderError } from '../feedback/render-feedback.ts';
import type { AgentEvent, TurnOutcome } from '../protocol/agent-event.ts';
import type { ModelText, Model } from '../protocol/model.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-path.ts';
import { CANCELLED, toAbortError, untilAborted } from '../tool-router/abort.ts';
import type { Agent, AskOptions, BatchReport, EventStream, OwnParts, TypedAskOptions } from './agent.ts';
import { UNITS_PER_TOKEN } from '../protocol/limits.ts';
import { Batch, parseResponse } from './batch.ts';
import { RepeatGuard } from './guards/call-guards.ts';
import { Conversation, explainBreak, type ConversationStart } from './conversation.ts';
import { EventQueue, type Session } from './session.ts';
import { Turn, type TurnEnd, type TurnLimits } from './turn.ts';

interface AgentSessionParts {
  readonly session: Session;
  readonly start: ConversationStart;
  readonly model: Model | undefined;
  /** Text that is put before the first prompt of a conversation. */
  readonly context: string;
  readonly limits: TurnLimits;
  fork(label: string, own: OwnParts): Agent;
  dispose(): Promise<void>;
}

/** Holds one conversation and runs one turn at a time. */
export class AgentSession implements Agent {
  readonly label: string;
  readonly id: string;
  readonly tree: SpaceTree;
  readonly systemPrompt: string;
  readonly #parts: AgentSessionParts;
  readonly #conversation: Conversation;
  /** True until the context is part of the conversation. */
  #needsContext: boolean;
  /** Settles when the previous turn is over; turns of one session never overlap. */
  #previous: Promise<unknown> = Promise.resolve();

  constructor(parts: AgentSessionParts) {
    const { session, start } = parts;
    this.label = session.label;
    this.id = session.state.id;
    this.tree = session.registry;
    this.systemPrompt = start.messages[0]?.text ?? '';
    this.#parts = parts;
    this.#conversation = new Conversation(start, session.recorder);
    this.#needsContext = this.#conversation.isNew;
  }

  get location(): SpacePath {
    return this.#parts.session.navigation.location;
  }

  ask(prompt: string, options?: AskOptions): Promise<string>;
  ask<T>(prompt: string, options: TypedAskOptions<T>): Promise<T>;
  ask(prompt: string, options: AskOptions & { readonly schema?: $ZodType } = {}): Promise<unknown> {
    return this.#enqueue(options.signal, async (signal) => {
      const { outcome, text, value } = await this.#takeTurn(prompt, { ...options, signal });
      if (options.schema === undefined) return text;
      if (outcome === 'answered') return value;
      const hints = ['ask again', 'raise the limit'];
      throw new ParameterError('the turn was stopped at a limit before its final answer.', hints);
    });
  }

  stream(prompt: string, options: AskOptions = {}): EventStream {
    const queue = new EventQueue();
    const stop = new AbortController();
    const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
    const result = this.#enqueue(signal, () => {
      const unsubscribe = this.subscribe((event) => queue.push(event));
      return this.#takeTurn(prompt, { ...options, signal })
        .then(({ text }) => text)
        .finally(unsubscribe);
    }).finally(() => queue.end());
    // A reader who wants only the events need not handle the rejection too.
    result.catch(() => undefined);
    return { result: () => result, [Symbol.asyncIterator]: () => queue.read(() => stop.abort()) };
  }

  run(text: ModelText, options: AskOptions = {}): Promise<BatchReport> {
    return this.#enqueue(options.signal, async (signal) => {
      const { session } = this.#parts;
      const { isTyped = false, cap } = options;
      const scope = { text, signal, guard: new RepeatGuard(), isTyped, cap: cap && cap * UNITS_PER_TOKEN };
      const batch = new Batch(parseResponse(text, session), session, scope);
      await batch.execute();
      return batch.report();
    });
  }

  compact(summary: string): Promise<void> {
    return this.#enqueue(undefined, async () => {
      await this.#learn('', [summary]);
      this.#needsContext = true;
      await this.#conversation.restart(`[What was done before, summed up]\n${summary}`);
      const text = 'the conversation was replaced by its summary';
      await this.#parts.session.hub.emit({ type: 'notice', code: 'compacted', text });
    });
  }

  describe(path: SpacePath): Promise<string> {
    const { confine, places } = this.#parts.session;
    return confine([], () => places.describe(path));
  }

  cancel(id: string): boolean {
    const controller = this.#parts.session.cancels.get(id);
    controller?.abort(new AbortError(CANCELLED));
    return controller !== undefined;
  }

  subscribe(listener: (event: AgentEvent) => void | Promise<void>): () => void {
    return this.#parts.session.hub.subscribe(listener);
  }

  session(label: string, own: OwnParts = {}): Agent {
    return this.#parts.fork(label, own);
  }

  close(): Promise<void> {
    return this.#parts.session.confine([], () => this.#parts.dispose());
  }

  /** Runs work after all earlier work; work that is cancelled while it waits never starts. */
  #enqueue<T>(
    signal: AbortSignal = new AbortController().signal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const previous = this.#previous;
    // The order matters: if there is nothing to wait for, the work itself reports its cancellation.
    const result = Promise.race([previous, untilAborted(previous, signal)]).then(() =>
      // What spaces do in a turn changes no file, except for the calls that say so.
      this.#parts.session.confine([], () => work(signal)),
    );
    this.#previous = Promise.allSettled([previous, result]).then(() => undefined);
    return result;
  }

  /** Tells the guards against copied calls and arguments what the user wrote, and what others did. */
  async #learn(prompt: string, quoted: readonly string[] = []): Promise<void> {
    const { echoes, readTexts, recorder } = this.#parts.session;
    // A function, because a replacement text would be interpreted.
    const own = quoted.reduce((rest, part) => rest.replace(part, () => ''), prompt);
    readTexts.addUserWords(own);
    for (const text of quoted) {
      echoes.learn(text);
      readTexts.add({ text, tag: 'an attachment', space: 'the prompt' });
      if (text !== '') await recorder.record({ kind: 'quoted', text });
    }
  }

  async #takeTurn(
    prompt: string,
    options: AskOptions & { readonly signal: AbortSignal; readonly schema?: $ZodType },
  ): Promise<TurnEnd> {
    const { model, session, limits } = this.#parts;
    if (model === undefined) {
      throw new ConfigurationError('this agent has no model to ask.', [
        'pass one: createAgent({ model, … })',
        'run tags without a model: agent.run(…)',
      ]);
    }
    const { hub } = session;
    const { signal, schema } = options;
    const maxBatches = options.maxBatches ?? limits.maxBatches;
    const turn = new Turn(session, { ...limits, maxBatches, model, signal, schema, conversation: this.#conversation });
    hub.turn++;
    await hub.emit({ type: 'turn-start', prompt });
    const context = this.#parts.context !== '' && this.#needsContext ? `${this.#parts.context}\n\n` : '';
    this.#needsContext = false;
    await this.#learn(context + prompt, options.quoted);
    let outcome: TurnOutcome = 'failed';
    try {
      const end = await turn.run(context + prompt, options.attachments);
      outcome = end.outcome;
      return end;
    } catch (error) {
      if (signal.aborted) {
        outcome = 'aborted';
        await this.#conversation.hold('[Note] The turn before was cancelled by the user.');
        throw error instanceof AbortError ? error : toAbortError(signal);
      }
      const { errorType, text } = renderError(error);
      await hub.emit({ type: 'notice', code: 'error', text });
      await this.#conversation.hold(`[Note] ${explainBreak(errorType)}`);
      throw error;
    } finally {
      const { unfinished } = turn;
      await hub.emit({ type: 'turn-end', outcome, totals: turn.totals(), ...(unfinished !== '' && { unfinished }) });
    }
  }
}
