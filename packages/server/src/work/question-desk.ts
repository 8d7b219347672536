import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AgentOptions, ApprovalPolicy, ApprovalRequest } from '@bae/core';
import type { Question, Reply, ServerEvent, Session } from '@bae/client';
import type { Notifier, ServerStore } from '../ports.ts';

interface QuestionDeskOptions {
  readonly session: Pick<Session, 'id'>;
  /** Epoch of the worker of the session. */
  readonly epoch: number;
  readonly store: ServerStore;
  readonly notifier: Notifier;
  /** Number of the turn in events. */
  readonly getTurn: () => number;
  /** Maximum wait for a reply, in milliseconds; after that, no one is available. */
  readonly replyMs: number;
  /** True when another worker goes on with the turn, which will ask the same again. */
  readonly isHandedOver: () => boolean;
}

/** Interval at which a reply is looked for even without a notification, in milliseconds. */
const LOOK_MS = 5000;

/** Passes the questions of an agent to the users of the interface, and waits for their replies. */
export class QuestionDesk {
  readonly #options: QuestionDeskOptions;
  /** Open questions of an earlier worker, whose replies count when the same is asked again. */
  #inherited: readonly Question[] = [];

  constructor(options: QuestionDeskOptions) {
    this.#options = options;
  }

  readonly ask: NonNullable<ApprovalPolicy['ask']> = async (request, signal) => {
    const change = (await request.preview?.()) ?? JSON.stringify(request.args, undefined, 2);
    const reply = await this.#put(describeApproval(request, change), signal);
    if (reply === undefined || !('decision' in reply)) return undefined;
    const { decision, remember, because } = reply;
    return { decision, ...(remember && { remember }), ...(because !== undefined && { reason: because }) };
  };

  readonly askPerson: NonNullable<AgentOptions['askPerson']> = async ({ space, tool, text, fields }, signal) => {
    const question: Question = { id: randomUUID(), type: 'question', space, tool, text, fields: { ...fields } };
    const reply = await this.#put(question, signal);
    return reply !== undefined && 'answers' in reply ? (reply.answers ?? undefined) : undefined;
  };

  /** Takes over the open questions of an earlier worker, and returns them. */
  async inherit(): Promise<readonly Question[]> {
    const { session, store } = this.#options;
    this.#inherited = await store.listOpenQuestions(session.id);
    return this.#inherited;
  }

  /** Closes the questions that were not asked again: nothing waits for their replies, even those that they have. */
  async closeAll(): Promise<void> {
    const { session, store } = this.#options;
    for (const { id } of await store.listOpenQuestions(session.id)) {
      await store.closeQuestion(id, this.#worker);
      await this.#tell({ type: 'question-end', question: id, decision: 'none' });
    }
  }

  get #worker(): { readonly session: string; readonly epoch: number } {
    return { session: this.#options.session.id, epoch: this.#options.epoch };
  }

  async #put(asked: Question, signal: AbortSignal): Promise<Reply | undefined> {
    const { session, epoch, store, isHandedOver } = this.#options;
    const question = this.#takeInherited(asked) ?? asked;
    if (question === asked) await store.addQuestion(session.id, question);
    await store.setState(session.id, 'waiting', epoch);
    if (question === asked) await this.#tell({ type: 'question', question });
    await this.#waitForReply(question.id, signal);
    if (isHandedOver()) return undefined;
    await store.setState(session.id, 'working', epoch);
    return this.#close(question.id);
  }

  /** Returns the question of an earlier worker that asks exactly the same, once. */
  #takeInherited(asked: Question): Question | undefined {
    const { id: _, ...wanted } = JSON.parse(JSON.stringify(asked)) as Question;
    const found = this.#inherited.find(({ id: __, ...question }) => isDeepStrictEqual(question, wanted));
    this.#inherited = this.#inherited.filter((question) => question !== found);
    return found;
  }

  async #waitForReply(id: string, signal: AbortSignal): Promise<void> {
    const { session, store, notifier, replyMs } = this.#options;
    const until = performance.now() + replyMs;
    let { resolve: wake } = Promise.withResolvers<void>();
    const unwatch = notifier.watch(session.id, () => wake());
    signal.addEventListener('abort', () => wake(), { once: true });
    try {
      for (;;) {
        // Before the row is read, so that a reply between reading and waiting is not missed.
        const next = new Promise<void>((resolve) => (wake = resolve));
        const hasReply = (await store.readQuestion(id))?.reply !== undefined;
        const left = until - performance.now();
        if (hasReply || signal.aborted || left <= 0) return;
        const timer = setTimeout(() => wake(), Math.min(left, LOOK_MS));
        await next;
        clearTimeout(timer);
      }
    } finally {
      unwatch();
    }
  }

  /** Closes a question, and returns its reply: none is accepted after that, and none before is lost. */
  async #close(question: string): Promise<Reply | undefined> {
    const reply = await this.#options.store.closeQuestion(question, this.#worker);
    const decision = reply === undefined ? 'none' : 'decision' in reply ? reply.decision : 'answered';
    await this.#tell({ type: 'question-end', question, decision });
    return reply;
  }

  async #tell(
    event:
      | Pick<Extract<ServerEvent, { type: 'question' }>, 'type' | 'question'>
      | Pick<Extract<ServerEvent, { type: 'question-end' }>, 'type' | 'question' | 'decision'>,
  ): Promise<void> {
    const { session, epoch, store, notifier, getTurn } = this.#options;
    await store.append(session.id, { ...event, label: '1', turn: getTurn() }, epoch);
    notifier.notify(session.id);
  }
}

function describeApproval(request: ApprovalRequest, change: string): Question {
  const { tag, space, tool, effect, target, touches = [], reason } = request;
  const about = { tag, space, tool, effect, target, touches, ...(reason !== undefined && { reason }) };
  return { id: randomUUID(), type: 'approval', ...about, change, hash: hashChange(change) };
}

/** Computes the identifier of a change, by which a reply refers to it. */
function hashChange(change: string): string {
  return createHash('sha256').update(change).digest('hex');
}
