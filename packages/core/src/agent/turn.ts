import type { TurnOutcome, TurnTotals } from '../protocol/agent-event.ts';
import { MASK_FROM_SHARE, MASK_TO_SHARE, MAX_BATCHES } from '../protocol/limits.ts';
import type { ModelText } from '../protocol/model-text.ts';
import type { Model, Usage } from '../protocol/model.ts';
import type { ParsedText } from '../protocol/tool-call.ts';
import { parse } from '../tag-parser/parse.ts';
import { throwIfAborted } from '../tool-router/abort.ts';
import { formatCount } from '../text-size/fit-text.ts';
import { Batch } from './batch.ts';
import { RepeatGuard } from './call-guards.ts';
import type { Conversation } from './conversation.ts';
import { requestWithRetries } from './model-request.ts';
import type { Session } from './session.ts';

/** Batches in a row that may do nothing but move. */
const MAX_MOVES = MAX_BATCHES;

export interface TurnLimits {
  /** Batches of calls; 0 for no limit. */
  readonly maxBatches: number;
  /** Longest silence of the model, in milliseconds. */
  readonly idleMs: number;
  /** Tries of one request, the first included. */
  readonly tries: number;
  /** Longest time of one request with all its tries, in milliseconds. */
  readonly deadlineMs: number;
  /** Tokens that the model can take in at once. */
  readonly contextTokens: number;
}

interface TurnOptions extends TurnLimits {
  readonly model: Model;
  readonly conversation: Conversation;
  readonly signal: AbortSignal;
}

/** One turn: sends, executes what came back and sends the results, until there is nothing left to execute. */
export class Turn {
  readonly #session: Session;
  readonly #options: TurnOptions;
  readonly #guard = new RepeatGuard();
  readonly #budget: TurnBudget;
  readonly #began: number;
  readonly #totals = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, sends: 0, calls: 0, runs: 0 };
  #lastUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

  constructor(session: Session, options: TurnOptions) {
    this.#session = session;
    this.#options = options;
    this.#began = session.host.clock.now();
    this.#budget = new TurnBudget(options.maxBatches);
  }

  /**
   * Returns how the turn ended, and its last response.
   *
   * @throws AbortError when cancelled; ModelError when the model could not be reached or broke off
   */
  async run(prompt: string): Promise<{ readonly outcome: TurnOutcome; readonly text: string }> {
    await this.#addMessage(prompt);
    for (;;) {
      const text = await this.#request();
      const parsed = parse(text, { ...this.#session.registry.names(), misspeltSpaces: 'problem' });
      const next = this.#budget.decide(parsed);
      await this.#emitResponse(text, next === 'execute');
      if (next === 'answer') return this.#finish(text);
      if (next === 'limit') return this.#stopAtLimit(parsed, text);
      const batch = await this.#execute(parsed);
      if (batch.isSilent) return this.#finish(text);
      this.#budget.count(batch.hasOnlyMoved);
      await this.#addMessage(batch.report().feedback);
    }
  }

  totals(): TurnTotals {
    return { ...this.#totals, ms: this.#session.host.clock.now() - this.#began };
  }

  async #addMessage(text: string): Promise<void> {
    const { conversation, signal } = this.#options;
    const location = await this.#session.places.renderLocation(signal).catch(async (error: unknown) => {
      await conversation.hold(text);
      throw error;
    });
    await conversation.addUserMessage(location, text);
  }

  async #request(): Promise<ModelText> {
    const { model, conversation, signal, idleMs, tries, deadlineMs } = this.#options;
    const { hub, host } = this.#session;
    throwIfAborted(signal);
    await this.#makeRoom();
    this.#totals.sends++;
    const onDelta = (text: string) => hub.emit({ type: 'response-delta', text });
    const onRetry = (text: string) => hub.emit({ type: 'notice', code: 'retry', text });
    const onUsage = ({ inputTokens, outputTokens, cachedTokens }: Usage) => {
      this.#totals.inputTokens += inputTokens;
      this.#totals.outputTokens += outputTokens;
      this.#totals.cachedTokens += cachedTokens;
    };
    const request = { model, messages: conversation.messages, signal, idleMs, onDelta, onUsage };
    const { text, usage } = await requestWithRetries(request, { tries, deadlineMs, host, onRetry });
    throwIfAborted(signal);
    await conversation.addResponse(text);
    this.#lastUsage = usage;
    return text;
  }

  /** Masks old results when the conversation has used most of the model's context. */
  async #makeRoom(): Promise<void> {
    const { conversation, contextTokens } = this.#options;
    if (conversation.tokens <= contextTokens * MASK_FROM_SHARE) return;
    const { messages, before, after } = conversation.mask(contextTokens * MASK_TO_SHARE, this.#session.results);
    if (messages === 0) return;
    const text = `masked old results in ${formatCount(messages, 'message')}: ${before} -> ${after} tokens of ${contextTokens}`;
    await this.#session.hub.emit({ type: 'notice', code: 'masked', text });
  }

  async #emitResponse(text: string, executable: boolean): Promise<void> {
    const { conversation, contextTokens } = this.#options;
    const usage = this.#lastUsage;
    const used = Math.max(conversation.tokens, usage.inputTokens + usage.outputTokens);
    const context = Math.round((used / contextTokens) * 1000) / 1000;
    await this.#session.hub.emit({ type: 'response-end', text, executable, usage, context });
  }

  async #execute(parsed: ParsedText): Promise<Batch> {
    const { signal, conversation } = this.#options;
    const batch = new Batch(parsed, this.#session, { signal, guard: this.#guard });
    try {
      await batch.execute();
      return batch;
    } catch (error) {
      await conversation.hold(batch.interruptedFeedback());
      throw error;
    } finally {
      this.#totals.calls += batch.executed.calls;
      this.#totals.runs += batch.executed.runs;
    }
  }

  async #finish(text: string) {
    // A listener to the response may have cancelled the turn.
    throwIfAborted(this.#options.signal);
    await this.#session.hub.emit({ type: 'answer', text });
    return { outcome: 'answered', text } as const;
  }

  async #stopAtLimit(parsed: ParsedText, text: string) {
    const notice = this.#budget.limitText(parsed);
    await this.#options.conversation.hold(`[Note] ${notice}`);
    await this.#session.hub.emit({ type: 'notice', code: 'limit', text: notice });
    return { outcome: 'limit', text } as const;
  }
}

/**
 * Decides whether a response is the last one, and counts the batches of a turn. A batch that only moved is free, so
 * that navigating does not use up the turn; only a model that does nothing but move is stopped.
 */
export class TurnBudget {
  readonly #max: number;
  #batches = 0;
  /** Batches in a row that only moved. */
  #moves = 0;
  /** True when the response before executed nothing, which was reported. */
  #hasReportedNearMiss = false;

  constructor(max: number) {
    this.#max = max;
  }

  decide({ calls, runs, problems }: ParsedText): 'execute' | 'answer' | 'limit' {
    const isIdle = calls.length === 0 && runs.length === 0;
    if (isIdle) {
      const onlyNearMisses = problems.every(({ code }) => code === 'unknown-tool' || code === 'looks-like-call');
      if (onlyNearMisses && (problems.length === 0 || this.#hasReportedNearMiss)) return 'answer';
    }
    this.#hasReportedNearMiss = isIdle;
    const isUsedUp = this.#max > 0 && (this.#batches >= this.#max || this.#moves >= MAX_MOVES);
    return isUsedUp ? 'limit' : 'execute';
  }

  count(hasOnlyMoved: boolean): void {
    this.#moves = hasOnlyMoved ? this.#moves + 1 : 0;
    if (!hasOnlyMoved) this.#batches++;
  }

  /** One line for people: how far the turn came, and what was not run. */
  limitText({ calls, runs }: ParsedText): string {
    const rounds = formatCount(this.#batches + this.#moves, 'tool round');
    const blocks = runs.length > 0 ? formatCount(runs.length, 'run block') : 'nothing';
    return `stopped after ${rounds}; ${calls.length > 0 ? formatCount(calls.length, 'call') : blocks} not run`;
  }
}
