import { BaeError, type Agent, type AgentEvent, type AgentOptions, type Approver } from '@bae/core';
import type { ServerEvent, Session, Spending } from '@bae/client';
import type { Notifier, ServerStore, TakenPrompt, Token } from '../ports.ts';
import { isUsable } from '../tokens/token.ts';
import { computeTurnLimits, findReachedLimit, NOTHING_SPENT, type Account, type ReachedLimit } from './budget.ts';
import { QuestionDesk } from './question-desk.ts';

/** What the agent of a session is made with, besides what the operator has set. */
export interface ServedAgentParts
  extends
    Pick<
      AgentOptions,
      'log' | 'results' | 'resume' | 'askPerson' | 'maxTokens' | 'maxCost' | 'maxMinutes' | 'maxCalls'
    >,
    Pick<QuestionDesk, 'ask'> {
  /** Puts the rights of the session in front of the consent of rules and people. */
  readonly wrapApprover: (inner: Approver) => Approver;
}

/** Opens the agent of a session: its spaces, its model, its workspace. */
export type OpenAgent = (
  session: Session,
  parts: ServedAgentParts,
) => Promise<{ readonly agent: Agent; close(): Promise<void> }>;

export interface Workshop {
  readonly store: ServerStore;
  readonly notifier: Notifier;
  readonly openAgent: OpenAgent;
  /** Longest wait for the reply of a person, in milliseconds. Default: an hour. */
  readonly replyMs?: number;
  /** How often a prompt is taken up after its worker ended. Default: 5. */
  readonly mostTries?: number;
}

/** When a worker ends before its work does. */
export interface LeaveSignals {
  /** Aborts when the worker is to end: the call that runs is finished. */
  readonly leave: AbortSignal;
  /** Aborts when it must end now. */
  readonly stop: AbortSignal;
}

/** How often a prompt is taken up again after its worker ended. */
const MOST_TRIES = 5;

const HOUR_MS = 3_600_000;

/**
 * Works on the prompts of a session, one after the other, until none is left or it is asked to leave. A prompt that is
 * left stays for the next worker, which goes on with it.
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

/** Whose work it is, and what was left to use when it began. */
interface Owner {
  readonly session: Session;
  readonly token: Token;
  readonly account: Account;
}

/** Work on one prompt. */
class PromptWork {
  readonly #prompt: TakenPrompt;
  readonly #workshop: Workshop;
  readonly #signals: LeaveSignals;
  /** Ends the turn for good: it was cancelled, or others have used up the budget. */
  readonly #cancel = new AbortController();
  /** Ends the turn for this worker. */
  readonly #left = new AbortController();
  #callsRunning = 0;
  /** Calls that ended since the sums were written last. */
  #callsEnded = 0;
  #failure: Error | undefined;
  #turn = 0;
  #outcome: string | undefined;
  #reached: ReachedLimit | undefined;
  /** What of this turn was added to the sums. */
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
    // A look that fails is made again at the next event.
    const unwatch = notifier.watch(session.id, () => void this.#stopIfCancelled().catch(() => undefined));
    const leave = (): void => this.#leaveBetweenCalls();
    this.#signals.leave.addEventListener('abort', leave);
    try {
      // The worker that ended it has not told anybody.
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
    const { store, notifier, openAgent, replyMs = HOUR_MS } = this.#workshop;
    const text = await this.#findText();
    if (text === undefined) return this.#end(this.#outcome!);
    const kept = await store.openLog(session.id, this.#prompt.epoch);
    this.#turn = kept.resume?.turn ?? 0;
    const desk = new QuestionDesk({
      session,
      epoch: this.#prompt.epoch,
      store,
      notifier,
      getTurn: () => this.#turn,
      replyMs,
    });
    if (this.#prompt.tries > 1) await desk.closeAll();
    const signal = AbortSignal.any([this.#signals.stop, this.#left.signal, this.#cancel.signal]);
    this.#leaveBetweenCalls();
    const opened = await openAgent(session, {
      ...kept,
      ...(kept.log && { log: notifyAfter(kept.log, () => notifier.notify(session.id)) }),
      ...computeTurnLimits(account),
      ask: desk.ask,
      askPerson: desk.askPerson,
      wrapApprover: (inner) => limitEffects(session, inner),
    });
    try {
      opened.agent.subscribe(async (event) => {
        if (event.type === 'response-delta' || event.type === 'call-progress') notifier.notify(session.id, event);
        else await this.#follow(event, { session, token, account }).catch((error: unknown) => this.#leaveAfter(error));
      });
      await opened.agent.ask(text, { signal });
      if (this.#failure !== undefined) throw this.#failure;
      await this.#end(this.#outcome ?? 'answered');
    } finally {
      await opened.close();
    }
  }

  /** What the agent is asked; undefined when its turn is over already and only the prompt was not ended. */
  async #findText(): Promise<string | undefined> {
    const { id: _, session, text, takenAt, tries } = this.#prompt;
    if (tries === 1) return text;
    const events = await this.#workshop.store.readEvents(session, takenAt, Number.MAX_SAFE_INTEGER);
    const ended = events.map(({ event }) => event).findLast((event) => event.type === 'turn-end');
    if (ended !== undefined && ended.outcome !== 'aborted') this.#outcome = ended.outcome;
    if (this.#outcome !== undefined) return undefined;
    const hasBegun = events.some(({ event }) => event.type === 'turn-start');
    return hasBegun ? 'The process that worked on this ended. Go on with what you were asked before.' : text;
  }

  /** What cannot be counted is not done: the turn stops here, and the next worker goes on with it. */
  #leaveAfter(error: unknown): void {
    this.#failure ??= error as Error;
    this.#left.abort();
  }

  #leaveBetweenCalls(): void {
    if (this.#signals.leave.aborted && this.#callsRunning === 0) this.#left.abort();
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
      const { inputTokens, outputTokens, cost: dollars = 0, ms } = event.totals;
      this.#outcome = event.outcome;
      // Requests that failed had a price, too.
      const tokens = Math.max(0, inputTokens + outputTokens - this.#counted.tokens);
      await this.#count({ tokens, dollars, minutes: ms / 60_000 }, owner);
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
    // The turn ends by itself at the limits that it began with; others use up those of the token at the same time.
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
    // Another worker has the session, and whatever it does is right.
    if (hasCode(error, 'BAE_FENCED') || hasCode(this.#failure, 'BAE_FENCED')) return;
    // Nobody knows what was written; the log does, and whoever takes the prompt up again.
    if (this.#failure !== undefined) throw this.#failure;
    if (hasCode(error, 'BAE_STORE')) throw error;
    if (this.#cancel.signal.aborted) return this.#end(this.#reached === undefined ? 'aborted' : 'limit');
    // Another worker goes on with it.
    if (this.#signals.stop.aborted || this.#left.signal.aborted) return;
    const isOurs = BaeError.is(error);
    await this.#end('failed', isOurs ? [error.message, ...error.hints].join('\nTry: ') : 'something unexpected failed');
    if (!isOurs) throw error;
  }

  /** True when an earlier worker wrote down that the prompt is over. */
  async #isTold(): Promise<boolean> {
    const { id, session, takenAt, tries } = this.#prompt;
    if (tries === 1) return false;
    const events = await this.#workshop.store.readEvents(session, takenAt, Number.MAX_SAFE_INTEGER);
    return events.some(({ event }) => event.type === 'prompt-end' && event.prompt === id);
  }

  async #end(outcome: string, text?: string): Promise<void> {
    const { store, notifier } = this.#workshop;
    const { id, session, epoch } = this.#prompt;
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

/** By its code, because a database may come with a package that has its own copy of the classes. */
function hasCode(error: unknown, code: string): boolean {
  return BaeError.is(error) && error.code === code;
}

/** Refuses effects that a session does not have, whatever rules and people say. */
function limitEffects({ may }: Session, inner: Approver): Approver {
  const refuse = (effect: Session['may'][number], tool: string) => ({
    allow: false as const,
    reason: `${tool} was not run: this session may ${may.join(', ')}, and the call has the effect '${effect}'.`,
    by: 'rule' as const,
  });
  return {
    ...inner,
    deny: (request) => (may.includes(request.effect) ? inner.deny?.(request) : refuse(request.effect, request.tool)),
    approve: (request, signal) =>
      may.includes(request.effect) ? inner.approve(request, signal) : refuse(request.effect, request.tool),
  };
}

type Log = NonNullable<AgentOptions['log']>;

function notifyAfter(log: Log, notify: () => void): Log {
  return {
    ...(log.id !== undefined && { id: log.id }),
    append: async (event) => {
      await log.append(event);
      notify();
    },
    record: async (record) => log.record?.(record),
  };
}
