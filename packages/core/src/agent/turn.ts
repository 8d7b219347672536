import type { TurnOutcome, TurnTotals } from '../protocol/agent-event.ts';
import { MAX_BATCHES } from '../protocol/limits.ts';
import { type $ZodObject, type $ZodType, toJSONSchema } from 'zod/v4/core';
import { asModelText, type ModelText, type Media, type Model, type Prices, type Usage } from '../protocol/model.ts';
import type { Attachment } from '../protocol/tool-definition.ts';
import type { ParsedText } from '../protocol/tool-call.ts';
import { throwIfAborted } from '../tool-router/abort.ts';
import { formatCount } from '../text-size/text-size.ts';
import { Batch, parseResponse } from './batch.ts';
import { RepeatGuard } from './guards/call-guards.ts';
import type { Conversation } from './conversation.ts';
import { getCacheRatio } from '../results/masking-moment.ts';
import { requestWithRetries } from './model-request.ts';
import type { Session } from './session.ts';
import { keepAttachments, loadMedia } from '../results/kept-media.ts';
import { ParameterError, ModelError, ConfigurationError } from '../errors/bae-error.ts';
import { checkArguments } from '../tool-router/check-arguments.ts';

/** Limits of one turn and of its requests. */
export interface TurnLimits {
  /** Maximum number of batches of calls in one turn; 0 for no limit. Default: 25. */
  readonly maxBatches: number;
  /** Maximum wait for the model to begin its response, in milliseconds. Default: 600 000, or `idleMs` if longer. */
  readonly firstTokenMs: number;
  /** Maximum silence of the model after that, in milliseconds. Default: the model's own value, otherwise 60 000. */
  readonly idleMs: number;
  /** Maximum number of tries of one request to the model, including the first. Default: 3. */
  readonly tries: number;
  /**
   * Time limit of one request to the model, including all its tries and the delays between them, in milliseconds.
   * Default: 600 000, or one of the two limits above if that is longer.
   */
  readonly deadlineMs: number;
  /** Context size of the model, in tokens. Default: the model's own value, otherwise 128 000. */
  readonly contextTokens: number;
  readonly spending: SpendingLimits;
}

/**
 * Limits on the resources that one turn uses; the turn ends before the next request to the model once one is reached.
 */
export interface SpendingLimits {
  /** Number of tokens, input and output, after which a turn ends. Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** Cost in US dollars after which a turn ends; needs `prices`. Default: no limit. */
  readonly maxCost?: number | undefined;
  /** Number of minutes after which a turn ends. Default: no limit. */
  readonly maxMinutes?: number | undefined;
  /** Number of calls and run blocks after which a turn ends. Default: no limit. */
  readonly maxCalls?: number | undefined;
  /** Prices in US dollars per million tokens; if given, totals include a cost. Default: those of the model. */
  readonly prices?: Prices | undefined;
}

/** Computes the cost of tokens, in US dollars; `cachedTokens` are included in `inputTokens`. */
export function computeCost({ inputTokens, outputTokens, cachedTokens }: Usage, prices: Prices): number {
  const { input, output, cached = input } = prices;
  return ((inputTokens - cachedTokens) * input + cachedTokens * cached + outputTokens * output) / 1_000_000;
}

interface TurnOptions extends TurnLimits {
  readonly model: Model;
  readonly conversation: Conversation;
  readonly signal: AbortSignal;
  /** Schema of the final answer. Default: any text. */
  readonly schema?: $ZodType | undefined;
}

export interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly text: string;
  /** Final answer as a value, if a schema was given. */
  readonly value?: unknown;
}

/** Length from which no more of an unfinished response is kept, in UTF-16 code units: it may be endless. */
const LONGEST_UNFINISHED = 200_000;

/** Runs one turn: sends, executes the response and sends the results, until there is nothing left to execute. */
export class Turn {
  readonly #session: Session;
  readonly #options: TurnOptions;
  readonly #guard = new RepeatGuard();
  readonly #budget: TurnBudget;
  readonly #began: number;
  readonly #totals = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, sends: 0, calls: 0, runs: 0 };
  #unfinished = '';
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
  async run(prompt: string, attachments: readonly Attachment[] = []): Promise<TurnEnd> {
    const { modelCalls } = this.#session;
    modelCalls.spending = { describeSpent: () => this.#describeSpent(), count: (usage) => this.#count(usage) };
    try {
      return await this.#converse(prompt, attachments);
    } finally {
      modelCalls.spending = undefined;
    }
  }

  async #converse(prompt: string, attachments: readonly Attachment[]): Promise<TurnEnd> {
    const { schema } = this.#options;
    const { text, media } = keepAttachments(attachments, this.#session.results, false);
    const parts = [prompt, text, schema === undefined ? '' : describeAnswerSchema(schema)];
    await this.#addMessage(parts.filter((part) => part !== '').join('\n\n'), media);
    for (let refused = 0; ;) {
      const response = await this.#request();
      const whole = parseResponse(response, this.#session);
      // What stands around an answer is done first: it would be lost with the end of the turn.
      const isAnswer = schema !== undefined && !this.#hasCallsAround(whole.withoutThoughts ?? response);
      const text = isAnswer ? asModelText(unwrapAnswer(whole.withoutThoughts ?? response)) : response;
      const parsed = isAnswer ? parseResponse(text, this.#session) : whole;
      const said = parsed.withoutThoughts ?? text;
      const next = this.#budget.decide(parsed);
      if (next === 'answer' && schema !== undefined) {
        const answer = await readTypedAnswer(text, schema);
        if (!answer.ok && refused++ > 0) {
          const hints = ['ask again', 'simplify the schema'];
          throw new ParameterError(`the final answer does not match its schema:\n${answer.problem}`, hints);
        }
        await this.#emitResponse(text, !answer.ok);
        if (answer.ok) return { ...(await this.#finish(JSON.stringify(answer.value))), value: answer.value };
        const note = `[Note] The answer does not match its schema:\n${answer.problem}`;
        await this.#addMessage(`${note}\nSend the whole answer again, as JSON and nothing else.`);
        continue;
      }
      await this.#emitResponse(text, next === 'execute');
      if (next === 'answer') return this.#finish(said);
      if (next === 'limit') return this.#stop(this.#budget.limitText(parsed), said);
      const batch = await this.#execute(parsed, text);
      if (batch.isSilent) return this.#finish(said);
      this.#budget.count(batch.hasOnlyMoved);
      const { feedback } = batch.report();
      const spent = this.#describeSpent();
      if (spent !== undefined) {
        await this.#options.conversation.hold(feedback);
        return this.#stop(`stopped after ${spent}`, said);
      }
      await this.#addMessage(feedback, batch.media);
    }
  }

  /** Tests whether a response has an answer in its tag, and calls before or after it. */
  #hasCallsAround(text: string): boolean {
    const around = text.replace(ANSWER, '');
    if (around === text) return false;
    const { calls, runs, problems } = parseResponse(asModelText(around), this.#session);
    return calls.length > 0 || runs.length > 0 || problems.some(({ code }) => !NEAR_MISSES.has(code));
  }

  #describeSpent(): string | undefined {
    const { maxTokens, maxCost, maxMinutes, maxCalls, prices } = this.#options.spending;
    const { inputTokens, outputTokens, cost = 0, ms, calls, runs } = this.totals();
    const tokens = inputTokens + outputTokens;
    if (maxTokens !== undefined && tokens >= maxTokens) return `${tokens} tokens, of ${maxTokens} at most (maxTokens)`;
    if (maxCalls !== undefined && calls + runs >= maxCalls)
      return `${formatCount(calls + runs, 'call')}, of ${maxCalls} at most (maxCalls)`;
    if (maxCost !== undefined && prices !== undefined && cost >= maxCost) {
      return `$${cost.toFixed(4)}, of $${maxCost} at most (maxCost)`;
    }
    if (maxMinutes !== undefined && ms >= maxMinutes * 60_000) {
      return `${(ms / 60_000).toFixed(1)} minutes, of ${maxMinutes} at most (maxMinutes)`;
    }
    return undefined;
  }

  /** What has arrived of a response that has not ended. */
  get unfinished(): string {
    return this.#unfinished;
  }

  totals(): TurnTotals {
    const { prices } = this.#options.spending;
    const ms = this.#session.host.clock.now() - this.#began;
    return { ...this.#totals, ...(prices && { cost: computeCost(this.#totals, prices) }), ms };
  }

  async #addMessage(text: string, media: readonly Media[] = []): Promise<void> {
    const { conversation, signal } = this.#options;
    const location = await this.#session.places
      .renderLocation(signal, conversation.isNew)
      .catch(async (error: unknown) => {
        await conversation.hold(text);
        throw error;
      });
    await conversation.addUserMessage(location, (await this.#session.hooks?.beforeSend(text)) ?? text, media);
  }

  async #request(): Promise<ModelText> {
    const { model, conversation, signal, firstTokenMs, idleMs, tries, deadlineMs } = this.#options;
    const { hub, host } = this.#session;
    throwIfAborted(signal);
    await this.#makeRoom();
    this.#totals.sends++;
    const onDelta = (text: string) => {
      if (this.#unfinished.length < LONGEST_UNFINISHED) this.#unfinished += text;
      return hub.emit({ type: 'response-delta', text });
    };
    const onRetry = (text: string) => {
      this.#unfinished = '';
      return hub.emit({ type: 'notice', code: 'retry', text });
    };
    const onUsage = (usage: Usage) => this.#count(usage);
    const messages = conversation.hasMedia
      ? loadMedia(conversation.messages, this.#session.results)
      : conversation.messages;
    const request = { model, messages, signal, firstTokenMs, idleMs, onDelta, onUsage };
    const { text, usage } = await requestWithRetries(request, { tries, deadlineMs, host, onRetry });
    throwIfAborted(signal);
    conversation.noteReportedTokens(usage.inputTokens);
    await conversation.addResponse(text);
    this.#unfinished = '';
    this.#lastUsage = usage;
    return text;
  }

  #count({ inputTokens, outputTokens, cachedTokens }: Usage): void {
    this.#totals.inputTokens += inputTokens;
    this.#totals.outputTokens += outputTokens;
    this.#totals.cachedTokens += cachedTokens;
  }

  async #makeRoom(): Promise<void> {
    const { conversation, contextTokens } = this.#options;
    const ratio = getCacheRatio(this.#lastUsage, this.#options.spending.prices);
    const target = conversation.chooseMasking(contextTokens, ratio);
    if (target === undefined) return;
    const { messages, steps, before, after } = conversation.mask(target, this.#session.results);
    if (messages === 0 && steps === 0) return;
    const leftOut = steps === 0 ? '' : ` and left out ${formatCount(steps, 'old step')}`;
    const text = `masked old results in ${formatCount(messages, 'message')}${leftOut}: ${before} -> ${after} tokens of ${contextTokens}`;
    await this.#session.hub.emit({ type: 'notice', code: 'masked', text });
  }

  async #emitResponse(text: string, executable: boolean): Promise<void> {
    const { conversation, contextTokens } = this.#options;
    const usage = this.#lastUsage;
    const used = Math.max(conversation.tokens, usage.inputTokens + usage.outputTokens);
    const context = Math.round((used / contextTokens) * 1000) / 1000;
    await this.#session.hub.emit({ type: 'response-end', text, executable, usage, context });
  }

  async #execute(parsed: ParsedText, text: ModelText): Promise<Batch> {
    const { signal, conversation } = this.#options;
    const batch = new Batch(parsed, this.#session, { text, signal, guard: this.#guard });
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
    // A listener may have cancelled the turn when it received the response.
    throwIfAborted(this.#options.signal);
    if (text === '')
      throw new ModelError('the model only thought, and gave no answer.', {
        hints: ['ask again', 'ask for a shorter answer'],
      });
    await this.#session.hub.emit({ type: 'answer', text });
    return { outcome: 'answered', text } as const;
  }

  async #stop(notice: string, text: string) {
    await this.#options.conversation.hold(`[Note] ${notice}`);
    await this.#session.hub.emit({ type: 'notice', code: 'limit', text: notice });
    return { outcome: 'limit', text } as const;
  }
}

/**
 * Decides whether a response is the last one, and counts the batches of a turn. A batch of moves alone is not counted,
 * so that navigation does not use up the turn; only a model that does nothing but move is stopped.
 */
export class TurnBudget {
  readonly #max: number;
  #batches = 0;
  #moves = 0;
  /** Number of responses in a row that executed nothing and were answered. */
  #slips = 0;
  /** What was said of the last of them. */
  #lastSlip = '';

  constructor(max: number) {
    this.#max = max;
  }

  decide({ calls, runs, problems }: ParsedText): 'execute' | 'answer' | 'limit' {
    const isIdle = calls.length === 0 && runs.length === 0;
    if (isIdle) {
      const onlyNearMisses = problems.every(({ code }) => NEAR_MISSES.has(code));
      const slip = problems.map(({ message }) => message).join('\n');
      // Sent again after it was answered, it is meant as text.
      const isRepeated = this.#slips >= MOST_SLIPS || (this.#slips > 0 && slip === this.#lastSlip);
      if (onlyNearMisses && (problems.length === 0 || isRepeated)) return 'answer';
      this.#lastSlip = slip;
    }
    this.#slips = isIdle ? this.#slips + 1 : 0;
    const isUsedUp = this.#max > 0 && (this.#batches >= this.#max || this.#moves >= MAX_BATCHES);
    return isUsedUp ? 'limit' : 'execute';
  }

  count(hasOnlyMoved: boolean): void {
    this.#moves = hasOnlyMoved ? this.#moves + 1 : 0;
    if (!hasOnlyMoved) this.#batches++;
  }

  /** Returns one line for people: how far the turn got, and what was not run. */
  limitText({ calls, runs }: ParsedText): string {
    const rounds = formatCount(this.#batches + this.#moves, 'tool round');
    const blocks = runs.length > 0 ? formatCount(runs.length, 'run block') : 'nothing';
    return `stopped after ${rounds}; ${calls.length > 0 ? formatCount(calls.length, 'call') : blocks} not run`;
  }
}

type TypedAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Maximum number of responses in a row that look like calls, run nothing and are answered: the next is the answer. */
const MOST_SLIPS = 3;

/** Problems of texts that may be answers. */
const NEAR_MISSES: ReadonlySet<string> = new Set(['unknown-tool', 'looks-like-call']);

const ANSWER = /<answer:?>([^]*?)<\/answer(?::[^>\n]*)?>/;
const FENCE = /^\s*```(?:json)?\s*\n([^]*?)\n\s*```\s*$/;

/**
 * Returns the end of a prompt whose answer must match a schema.
 *
 * @throws ConfigurationError for a schema that JSON Schema cannot express
 */
function describeAnswerSchema(schema: $ZodType): string {
  try {
    const { $schema: _, ...json } = toJSONSchema(schema, { io: 'input' });
    return `Your final answer must be JSON of this schema, and nothing else: ${JSON.stringify(json)}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`schema: cannot be expressed in JSON Schema: ${reason}`);
  }
}

/** Extracts an answer from its tag, `<answer:>…</answer>`; returns the text unchanged if it has none. */
function unwrapAnswer(text: string): string {
  return ANSWER.exec(text)?.[1]?.trim() ?? text;
}

/** Reads a final answer as JSON, even inside a code fence, and validates it. */
async function readTypedAnswer(text: string, schema: $ZodType): Promise<TypedAnswer> {
  const json = FENCE.exec(text)?.[1] ?? text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `- answer: expected JSON (${reason})` };
  }
  const sent = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  // Only the type requires an object; any schema is checked in the same way.
  const checked = await checkArguments(schema as $ZodObject, value as Readonly<Record<string, unknown>>, sent);
  if (checked.ok) return { ok: true, value: checked.params };
  const lines = checked.issues.map(({ path, text: issue }) => `- ${path || 'answer'}: ${issue}`);
  return { ok: false, problem: lines.join('\n') };
}
