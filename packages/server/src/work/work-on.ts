import { BaeError, type Agent, type AgentEvent, type AgentOptions, type Approver } from '@bae/core';
import type { ServerEvent, Session, Spending } from '@bae/client';
import type { Notifier, ServerStore, TakenPrompt, Token } from '../ports.ts';
import { isUsable } from '../tokens/token.ts';
import {
  computeTimeLimit,
  computeTurnLimits,
  findReachedLimit,
  NOTHING_SPENT,
  WorkingTime,
  type Account,
  type ReachedLimit,
} from './budget.ts';
import { QuestionDesk } from './question-desk.ts';

/** The options for the agent of a session, besides the operator's settings. */
export interface ServedAgentParts
  extends
    Pick<AgentOptions, 'log' | 'results' | 'resume' | 'askPerson' | 'maxTokens' | 'maxCost' | 'maxCalls'>,
    Pick<QuestionDesk, 'ask'> {
  /** Makes the rights of the session take precedence over the consent of rules and people. */
  readonly wrapApprover: (inner: Approver) => Approver;
  /** Earlier sessions of the same token in the same workspace, for the memory of the session. */
  readonly memory: ReturnType<ServerStore['openMemory']>;
}

/** Opens the agent of a session with its spaces, model and workspace. */
export type OpenAgent = (
  session: Session,
  parts: ServedAgentParts,
) => Promise<{ readonly agent: Agent; close(): Promise<void> }>;

export interface Workshop {
  readonly store: ServerStore;
  readonly notifier: Notifier;
  readonly openAgent: OpenAgent;
  /** Maximum wait for the reply of a person, in milliseconds. Default: an hour. */
  readonly replyMs?: number;
  /** Number of times that a prompt is resumed after its worker ended. Default: 5. */
  readonly mostTries?: number;
}

/** Signals for a worker that has to end before its work does. */
export interface LeaveSignals {
  /** Aborts when the worker should end after finishing the running call. */
  readonly leave: AbortSignal;
  /** Aborts when the worker must end at once. */
  readonly stop: AbortSignal;
}

/** Default for `mostTries`. */
const MOST_TRIES = 5;

const HOUR_MS = 3_600_000;

/**
 * Works on the prompts of a session, one after the other, until none is left or it is asked to leave. An
 * unfinished prompt stays in the queue, and the next worker continues it.
 *
 * Contract: one worker at a time works on a session.
 */
export async function workOn(session: string, workshop: Workshop, { leave, stop }: LeaveSignals): Promise<void> {
  while (!leave.aborted && !stop.aborted) {
    const prompt = await workshop.store.takePrompt(session);
    if (prompt === undefined) return;
    await new PromptWork(prompt, workshop, { leave, stop }).run();
    workshop.notifier.notify(session);
  }
}

/** The owner of the work, and the budget that was left when it began. */
interface Owner {
  readonly session: Session;
  readonly token: Token;
  readonly account: Account;
}

class PromptWork {
  readonly #prompt: TakenPrompt;
  readonly #workshop: Workshop;
  readonly #signals: LeaveSignals;
  /** Ends the turn permanently: it was cancelled, or other sessions have used up the budget. */
  readonly #cancel = new AbortController();
  /** Ends the turn for this worker only. */
  readonly #left = new AbortController();
  /** Number of calls and run blocks that have started and not ended, and of questions to people that they wait for. */
  #callsRunning = 0;
  #questionsOpen = 0;
  /** Number of calls that ended since the totals were last written. */
  #callsEnded = 0;
  #failure: Error | undefined;
  /** Limit of the minutes of this turn. */
  #timeLimit: ReachedLimit | undefined;
  readonly #time = new WorkingTime(() => {
    this.#reached ??= this.#timeLimit;
    this.#cancel.abort();
  });
  #turn = 0;
  #outcome: string | undefined;
  #reached: ReachedLimit | undefined;
  /** The part of this turn's spending that was already added to the totals. */
  #counted: Spending = NOTHING_SPENT;

  constructor(prompt: TakenPrompt, workshop: Workshop, signals: LeaveSignals) {
    this.#prompt = prompt;
    this.#workshop = workshop;
    this.#signals = signals;
  }

  async run(): Promise<void> {
    const { store, notifier, mostTries = MOST_TRIES } = this.#workshop;
    const session = (await store.readSession(this.#prompt.session))!;
    const token = (await store.listTokens()).find(({ name }) => name === session.owner);
    // A failed check is repeated at the next event.
    const unwatch = notifier.watch(session.id, () => void this.#stopIfCancelled().catch(() => undefined));
    const leave = (): void => this.#leaveBetweenCalls();
    this.#signals.leave.addEventListener('abort', leave);
    try {
      // The worker that ended it has not announced the end.
      if (this.#prompt.outcome !== undefined) return await this.#end(this.#prompt.outcome);
      if (token === undefined || !isUsable(token, new Date()))
        return await this.#end('refused', 'the token of this session is revoked or expired');
      const account = await this.#readAccount(session, token);
      this.#reached = findReachedLimit(account);
      if (this.#reached !== undefined) return await this.#end('limit');
      if (this.#prompt.tries > mostTries)
        return await this.#end('failed', `its worker ended ${mostTries} times; it is not tried again`);
      await this.#stopIfCancelled();
      await this.#ask(session, token, account);
    } catch (error) {
      await this.#endAfter(error);
    } finally {
      unwatch();
      this.#signals.leave.removeEventListener('abort', leave);
    }
  }

  async #ask(session: Session, token: Token, account: Account): Promise<void> {
    const { store, notifier, openAgent } = this.#workshop;
    const desk = this.#openDesk(session);
    const text = await this.#findText(desk);
    if (text === undefined) return this.#end(this.#outcome!);
    const kept = await store.openLog(session.id, this.#prompt.epoch);
    this.#turn = kept.resume?.turn ?? 0;
    const signal = AbortSignal.any([this.#signals.stop, this.#left.signal, this.#cancel.signal]);
    this.#leaveBetweenCalls();
    const { minutes, reached } = computeTimeLimit(account);
    this.#timeLimit = reached;
    const opened = await openAgent(session, {
      ...kept,
      ...(kept.log && { log: notifyAfter(kept.log, () => notifier.notify(session.id)) }),
      ...computeTurnLimits(account),
      ask: async (...question) => this.#waitFor(desk.ask(...question)),
      askPerson: async (...question) => this.#waitFor(desk.askPerson(...question)),
      wrapApprover: (inner) => limitEffects(session, inner),
      memory: store.openMemory(session),
    });
    try {
      opened.agent.subscribe(async (event) => {
        if (event.type === 'response-delta' || event.type === 'call-progress') notifier.notify(session.id, event);
        else await this.#follow(event, { session, token, account }).catch((error: unknown) => this.#leaveAfter(error));
      });
      this.#time.limit(minutes * 60_000);
      await opened.agent.ask(text, { signal });
      if (this.#failure !== undefined) throw this.#failure;
      await this.#end(this.#outcome ?? 'answered');
    } finally {
      this.#time.end();
      await opened.close();
    }
  }

  #openDesk(session: Pick<Session, 'id'>): QuestionDesk {
    const { store, notifier, replyMs = HOUR_MS } = this.#workshop;
    const { epoch } = this.#prompt;
    const isLeft = (): boolean => this.#signals.stop.aborted || this.#left.signal.aborted;
    const isHandedOver = (): boolean => isLeft() && !this.#cancel.signal.aborted;
    return new QuestionDesk({ session, epoch, store, notifier, getTurn: () => this.#turn, replyMs, isHandedOver });
  }

  /** Waits for a person: that is no working time, and does not keep a worker that should end. */
  async #waitFor<T>(reply: Promise<T>): Promise<T> {
    this.#questionsOpen++;
    this.#leaveBetweenCalls();
    try {
      return await this.#time.exclude(reply);
    } finally {
      this.#questionsOpen--;
    }
  }

  /** Finds the text to send to the agent; undefined when the turn is already over and only the prompt was not ended. */
  async #findText(desk: QuestionDesk): Promise<string | undefined> {
    const { session, text, takenAt, tries } = this.#prompt;
    if (tries === 1) return text;
    const events = await this.#workshop.store.readEvents(session, takenAt, Number.MAX_SAFE_INTEGER);
    const ended = events.map(({ event }) => event).findLast((event) => event.type === 'turn-end');
    if (ended !== undefined && ended.outcome !== 'aborted') this.#outcome = ended.outcome;
    if (this.#outcome !== undefined) return undefined;
    const hasBegun = events.some(({ event }) => event.type === 'turn-start');
    if (!hasBegun) return text;
    const waiting = (await desk.inherit()).map(
      (question) =>
        `${question.type === 'approval' ? question.tag : `${question.tool} in ${question.space}`} was waiting for a person. Call it again in the same words: the reply counts, also if it came in the meantime.`,
    );
    return ['The process that worked on this ended. Go on with what you were asked before.', ...waiting].join('\n');
  }

  /** Stops the turn when its spending cannot be counted; the next worker continues it. */
  #leaveAfter(error: unknown): void {
    this.#failure ??= error as Error;
    this.#left.abort();
  }

  #leaveBetweenCalls(): void {
    if (this.#signals.leave.aborted && this.#callsRunning <= this.#questionsOpen) this.#left.abort();
  }

  async #follow(event: AgentEvent, owner: Owner): Promise<void> {
    this.#turn = event.turn;
    if (event.type === 'call-start' || event.type === 'run-start') this.#callsRunning++;
    else if (event.type === 'response-end')
      await this.#count({ tokens: event.usage.inputTokens + event.usage.outputTokens }, owner);
    else if (event.type === 'call-end' || event.type === 'run-end') {
      this.#callsRunning--;
      this.#callsEnded++;
      this.#leaveBetweenCalls();
    } else if (event.type === 'turn-end') {
      const { inputTokens, outputTokens, cost: dollars = 0 } = event.totals;
      this.#outcome = event.outcome;
      // Failed requests also cost something.
      const tokens = Math.max(0, inputTokens + outputTokens - this.#counted.tokens);
      await this.#count({ tokens, dollars, minutes: this.#time.ms / 60_000 }, owner);
    }
  }

  async #count(spending: Partial<Spending>, { session, token, account }: Owner): Promise<void> {
    const added = { ...NOTHING_SPENT, ...spending, calls: this.#callsEnded };
    this.#callsEnded = 0;
    const { tokens, calls } = this.#counted;
    const { dollars, minutes } = added;
    this.#counted = { tokens: tokens + added.tokens, calls: calls + added.calls, dollars, minutes };
    const spent = await this.#workshop.store.addSpending(session.id, added);
    const reached = findReachedLimit({ budget: { session: session.budget, token: token.budget }, spent });
    if (reached === undefined) return;
    this.#reached ??= reached;
    // The turn ends on its own at its initial limits, but other sessions may use up the limits of the token in the
    // meantime.
    const left = reached.most - account.spent[reached.of][reached.limit];
    if (this.#counted[reached.limit] < left) this.#cancel.abort();
  }

  async #readAccount(session: Session, token: Token): Promise<Account> {
    const spent = await this.#workshop.store.readSpending(session.id);
    return { budget: { session: session.budget, token: token.budget }, spent };
  }

  async #stopIfCancelled(): Promise<void> {
    if (await this.#workshop.store.isCancelled(this.#prompt.id)) this.#cancel.abort();
  }

  async #endAfter(error: unknown): Promise<void> {
    // Another worker has the session, and decides from now on.
    if (hasCode(error, 'BAE_FENCED') || hasCode(this.#failure, 'BAE_FENCED')) return;
    // It is unknown what was written; the worker that resumes the prompt reads the log.
    if (this.#failure !== undefined) throw this.#failure;
    if (hasCode(error, 'BAE_STORE')) throw error;
    if (this.#cancel.signal.aborted) return this.#end(this.#reached === undefined ? 'aborted' : 'limit');
    // Another worker continues it.
    if (this.#signals.stop.aborted || this.#left.signal.aborted) return;
    const isOurs = BaeError.is(error);
    await this.#end('failed', isOurs ? [error.message, ...error.hints].join('\nTry: ') : 'something unexpected failed');
    if (!isOurs) throw error;
  }

  /** Tests whether an earlier worker recorded the end of the prompt. */
  async #isTold(): Promise<boolean> {
    const { id, session, takenAt, tries } = this.#prompt;
    if (tries === 1) return false;
    const events = await this.#workshop.store.readEvents(session, takenAt, Number.MAX_SAFE_INTEGER);
    return events.some(({ event }) => event.type === 'prompt-end' && event.prompt === id);
  }

  async #end(outcome: string, text?: string): Promise<void> {
    const { store, notifier } = this.#workshop;
    const { id, session, epoch } = this.#prompt;
    await this.#openDesk({ id: session }).closeAll();
    const tell = (event: ServerEvent): Promise<number> => store.append(session, event, epoch);
    const where = { label: '1', turn: this.#turn };
    if (this.#reached !== undefined) await tell({ type: 'budget-reached', ...where, ...this.#reached });
    await store.endPrompt(this.#prompt, outcome);
    if (!(await this.#isTold()))
      await tell({ type: 'prompt-end', ...where, prompt: id, outcome, ...(text !== undefined && { text }) });
    await store.closePrompt({ ...this.#prompt, outcome });
    notifier.notify(session);
  }
}

/** Tests the code of an error, because the package of a database may have its own copy of the classes. */
function hasCode(error: unknown, code: string): boolean {
  return BaeError.is(error) && error.code === code;
}

/** Refuses effects that a session has no right to, regardless of rules and people. */
export function limitEffects({ may }: Pick<Session, 'may'>, inner: Approver): Approver {
  const refuse = (effect: Session['may'][number], tool: string) => ({
    allow: false as const,
    reason: `${tool} was not run: this session may ${may.join(', ')}, and the call has the effect '${effect}'.`,
    by: 'rule' as const,
  });
  return {
    ...inner,
    ...(inner.decide && {
      decide: (request) =>
        may.includes(request.effect) ? inner.decide!(request) : refuse(request.effect, request.tool),
    }),
    deny: (request) => (may.includes(request.effect) ? inner.deny?.(request) : refuse(request.effect, request.tool)),
    approve: (request, signal) =>
      may.includes(request.effect) ? inner.approve(request, signal) : refuse(request.effect, request.tool),
  };
}

type Log = NonNullable<AgentOptions['log']>;

/** Leaves out the stack trace of a call: it tells clients about the machine of the server. */
function dropStack(event: AgentEvent): AgentEvent {
  if (event.type !== 'call-end') return event;
  const { stack: _, ...rest } = event;
  return rest;
}

function notifyAfter(log: Log, notify: () => void): Log {
  return {
    ...(log.id !== undefined && { id: log.id }),
    append: async (event) => {
      await log.append(dropStack(event));
      notify();
    },
    record: async (record) => log.record?.(record),
  };
}
