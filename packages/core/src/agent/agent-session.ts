import { AbortError } from '../errors/session-errors.ts';
import { ConfigurationError } from '../errors/setup-errors.ts';
import { renderError } from '../feedback/render-error.ts';
import type { AgentEvent, TurnOutcome } from '../protocol/agent-event.ts';
import type { Model } from '../protocol/model.ts';
import type { ModelText } from '../protocol/model-text.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-tree.ts';
import { parse } from '../tag-parser/parse.ts';
import { untilAborted } from '../tool-router/until-aborted.ts';
import type { Agent, AskOptions, OwnParts } from './agent.ts';
import { Batch } from './batch.ts';
import type { BatchReport } from './batch-report.ts';
import { Conversation, type ConversationStart } from './conversation.ts';
import { EventQueue } from './event-queue.ts';
import type { EventStream } from './event-stream.ts';
import { asAbortError } from './interruption.ts';
import { RepeatGuard } from './repeat-guard.ts';
import type { Session } from './session.ts';
import { Turn } from './turn.ts';

/** What one session is put together from. */
export interface AgentSessionParts {
  readonly session: Session;
  /** Text of the first message of all. */
  readonly systemPrompt: string;
  readonly start: ConversationStart;
  readonly model: Model | undefined;
  /** Text before the first prompt. */
  readonly context: string;
  readonly maxBatches: number;
  readonly idleMs: number;
  readonly tries: number;
  readonly deadlineMs: number;
  readonly contextTokens: number;
  /** Makes another session over the same spaces. */
  fork(label: string, own: OwnParts): Agent;
  /** Disposes of the session's spaces. */
  dispose(): Promise<void>;
}

/** The stateful shell around turns: one conversation, one turn at a time. */
export class AgentSession implements Agent {
  readonly label: string;
  readonly id: string;
  private readonly conversation: Conversation;
  private context: string;
  /** Settles when the turn before is over; turns of one session never overlap. */
  private previous: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: AgentSessionParts) {
    this.label = parts.session.label;
    this.id = parts.session.state.id;
    this.context = parts.context;
    this.conversation = new Conversation(parts.start, parts.session.recorder);
  }

  get location(): SpacePath {
    return this.parts.session.navigation.location;
  }

  get tree(): SpaceTree {
    return this.parts.session.registry;
  }

  get systemPrompt(): string {
    return this.parts.systemPrompt;
  }

  ask(prompt: string, options: AskOptions = {}): Promise<string> {
    return this.inTurn(() => this.takeTurn(prompt, options), options.signal);
  }

  stream(prompt: string, options: AskOptions = {}): EventStream {
    const queue = new EventQueue();
    const stop = new AbortController();
    const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
    const result = this.inTurn(async () => {
      const unsubscribe = this.subscribe((event) => queue.push(event));
      return this.takeTurn(prompt, { ...options, signal }).finally(unsubscribe);
    }, signal).finally(() => queue.end());
    // A reader who only wants the events need not handle the rejection too.
    result.catch(() => undefined);
    return queue.stream(result, () => stop.abort());
  }

  run(text: ModelText, options: AskOptions = {}): Promise<BatchReport> {
    return this.inTurn(async () => {
      const { session } = this.parts;
      const signal = options.signal ?? new AbortController().signal;
      const parsed = parse(text, { ...session.registry.names(), misspeltSpaces: 'problem' });
      const batch = new Batch(parsed, session, { signal, guard: new RepeatGuard() });
      await batch.execute();
      return batch.report();
    }, options.signal);
  }

  describe(path: SpacePath): Promise<string> {
    return this.parts.session.places.describe(path);
  }

  subscribe(listener: (event: AgentEvent) => void | Promise<void>): () => void {
    return this.parts.session.hub.subscribe(listener);
  }

  session(label: string, own: OwnParts = {}): Agent {
    return this.parts.fork(label, own);
  }

  close(): Promise<void> {
    return this.parts.dispose();
  }

  /** Does work after everything before it; work that is cancelled while it waits is never begun. */
  private inTurn<T>(work: () => Promise<T>, signal: AbortSignal = new AbortController().signal): Promise<T> {
    const { previous } = this;
    // In this order: when nothing is in the way, the work itself tells of its cancellation.
    const result = Promise.race([previous, untilAborted(previous, signal)]).then(work);
    this.previous = Promise.allSettled([previous, result]).then(() => undefined);
    return result;
  }

  private async takeTurn(prompt: string, options: AskOptions): Promise<string> {
    const { model, session, maxBatches, idleMs, tries, deadlineMs, contextTokens } = this.parts;
    if (model === undefined) throw noModel();
    const signal = options.signal ?? new AbortController().signal;
    const limits = { maxBatches: options.maxBatches ?? maxBatches, idleMs, tries, deadlineMs, contextTokens };
    const turn = new Turn(session, { model, conversation: this.conversation, signal, ...limits });
    session.hub.turn++;
    await session.hub.emit({ type: 'turn-start', prompt });
    let outcome: TurnOutcome = 'failed';
    try {
      const { text, ...ended } = await turn.run(this.withContext(prompt));
      outcome = ended.outcome;
      return text;
    } catch (error) {
      if (signal.aborted) outcome = 'aborted';
      await this.reportFailure(error, outcome);
      throw signal.aborted && !(error instanceof AbortError) ? asAbortError(signal) : error;
    } finally {
      await session.hub.emit({ type: 'turn-end', outcome, totals: turn.totals() });
    }
  }

  private async reportFailure(error: unknown, outcome: TurnOutcome): Promise<void> {
    if (outcome === 'aborted') return this.conversation.hold('[Note] The turn before was cancelled by the user.');
    await this.parts.session.hub.emit({ type: 'notice', code: 'error', text: renderError(error).text });
  }

  private withContext(prompt: string): string {
    const text = this.context === '' ? prompt : `${this.context}\n\n${prompt}`;
    this.context = '';
    return text;
  }
}

function noModel(): ConfigurationError {
  return new ConfigurationError('this agent has no model to ask.', [
    'pass one: createAgent({ model, … })',
    'run tags without a model: agent.run(…)',
  ]);
}
