import type { TurnOutcome, TurnTotals } from '../protocol/agent-event.ts';
import { counted } from '../feedback/tool-summary.ts';
import { MASK_FROM_SHARE, MASK_TO_SHARE } from '../protocol/limits.ts';
import { asModelText, type ModelText } from '../protocol/model-text.ts';
import type { Model, Usage } from '../protocol/model.ts';
import type { ParsedText } from '../protocol/tool-call.ts';
import { parse } from '../tag-parser/parse.ts';
import { Batch } from './batch.ts';
import type { Conversation } from './conversation.ts';
import { throwIfAborted } from './interruption.ts';
import { RepeatGuard } from './repeat-guard.ts';
import { requestWithRetries } from './request-with-retries.ts';
import type { Session } from './session.ts';
import { TurnBudget } from './turn-budget.ts';

/** What a turn needs besides its session. */
export interface TurnOptions {
  readonly model: Model;
  readonly conversation: Conversation;
  readonly signal: AbortSignal;
  /** Batches of calls; 0 for no limit. */
  readonly maxBatches: number;
  readonly idleMs: number;
  readonly tries: number;
  readonly deadlineMs: number;
  /** Tokens that the model can take in at once. */
  readonly contextTokens: number;
}

/**
 * One turn: send, execute what came back, feed it back, until there is nothing left to execute.
 *
 * @returns how the turn ended and the last response
 * @throws AbortError when cancelled; ModelError when the model could not be reached or broke off
 */
export class Turn {
  private readonly guard = new RepeatGuard();
  private readonly budget: TurnBudget;
  private usage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  private sends = 0;
  private calls = 0;
  private runs = 0;
  private readonly began: number;

  constructor(
    private readonly session: Session,
    private readonly options: TurnOptions,
  ) {
    this.began = session.host.clock.now();
    this.budget = new TurnBudget(options.maxBatches);
  }

  async run(prompt: string): Promise<{ readonly outcome: TurnOutcome; readonly text: string }> {
    await this.tell(prompt);
    for (;;) {
      const text = await this.send();
      const parsed = parse(text, { ...this.session.registry.names(), misspeltSpaces: 'problem' });
      const next = this.budget.next(parsed);
      await this.responded(text, next === 'execute');
      if (next === 'answer') return this.answer(text);
      if (next === 'limit') return this.limit(parsed, text);
      const batch = await this.execute(parsed);
      if (batch.silent) return this.answer(text);
      this.budget.spent(batch.onlyMoved);
      await this.tell(batch.report().feedback);
    }
  }

  /** Sums so far, for the event that ends the turn. */
  totals(): TurnTotals {
    const { usage, sends, calls, runs } = this;
    return { ...usage, sends, calls, runs, ms: this.session.host.clock.now() - this.began };
  }

  private async tell(text: string): Promise<void> {
    const { conversation, signal } = this.options;
    const location = await this.session.places.locationForModel(signal).catch(async (error: unknown) => {
      await conversation.hold(text);
      throw error;
    });
    await conversation.tell(location, text);
  }

  private async send(): Promise<ModelText> {
    const { model, conversation, signal, idleMs, tries, deadlineMs } = this.options;
    const { hub, host } = this.session;
    throwIfAborted(signal);
    await this.fitContext();
    this.sends++;
    const onDelta = (text: string) => hub.emit({ type: 'response-delta', text });
    const onRetry = (text: string) => hub.emit({ type: 'notice', code: 'retry', text });
    const onUsage = (usage: Usage) => void (this.usage = added(this.usage, usage));
    const request = { model, messages: conversation.messages, signal, idleMs, onDelta, onUsage };
    const response = await requestWithRetries(request, { tries, deadlineMs, host, onRetry });
    throwIfAborted(signal);
    await conversation.heard(response.text);
    this.lastUsage = response.usage;
    return asModelText(response.text);
  }

  private lastUsage: Usage = this.usage;

  /** Makes room when the conversation has used most of the model's context. */
  private async fitContext(): Promise<void> {
    const { conversation, contextTokens } = this.options;
    if (conversation.tokens <= contextTokens * MASK_FROM_SHARE) return;
    const { messages, before, after } = conversation.mask(contextTokens * MASK_TO_SHARE, this.session.results);
    if (messages === 0) return;
    const text = `masked old results in ${counted(messages, 'message')}: ${before} -> ${after} tokens of ${contextTokens}`;
    await this.session.hub.emit({ type: 'notice', code: 'masked', text });
  }

  private async responded(text: string, executable: boolean): Promise<void> {
    const { conversation, contextTokens } = this.options;
    const used = Math.max(conversation.tokens, this.lastUsage.inputTokens + this.lastUsage.outputTokens);
    const context = Math.round((used / contextTokens) * 1000) / 1000;
    await this.session.hub.emit({ type: 'response-end', text, executable, usage: this.lastUsage, context });
  }

  private async execute(parsed: ParsedText): Promise<Batch> {
    const { signal, conversation } = this.options;
    const batch = new Batch(parsed, this.session, { signal, guard: this.guard });
    try {
      await batch.execute();
      return batch;
    } catch (error) {
      await conversation.hold(batch.interruptedFeedback());
      throw error;
    } finally {
      this.calls += batch.executedCalls;
      this.runs += batch.executedRuns;
    }
  }

  private async answer(text: string): Promise<{ outcome: TurnOutcome; text: string }> {
    // Somebody may have cancelled while the listeners were told of the response.
    throwIfAborted(this.options.signal);
    await this.session.hub.emit({ type: 'answer', text });
    return { outcome: 'answered', text };
  }

  private async limit(parsed: ParsedText, text: string): Promise<{ outcome: TurnOutcome; text: string }> {
    const notice = this.budget.limitText(parsed);
    await this.options.conversation.hold(`[Note] ${notice}`);
    await this.session.hub.emit({ type: 'notice', code: 'limit', text: notice });
    return { outcome: 'limit', text };
  }
}

function added(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cachedTokens: left.cachedTokens + right.cachedTokens,
  };
}
