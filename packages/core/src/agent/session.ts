import type { Approver, Draft } from '../protocol/approver.ts';
import type { CodeRunner } from '../protocol/code-runner.ts';
import type { Host } from '../protocol/host.ts';
import { maskKeys } from '../results/mask-keys.ts';
import type { ResultStore } from '../protocol/pruner.ts';
import type { SessionLog, SessionRecord } from '../protocol/session-log.ts';
import type { SpacePath } from '../protocol/space-path.ts';
import type { ToolContext } from '../protocol/tool-definition.ts';
import type { Navigation } from '../registry/navigation.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResultLimits } from '../tool-router/render-result.ts';
import type { ToolRouter } from '../tool-router/tool-router.ts';
import type { EchoedCallGuard, ReadTexts } from './call-guards.ts';
import type { SessionHooks } from './hooks.ts';
import type { ModelCalls } from './model-calls.ts';
import type { Places } from './places.ts';
import type { AgentEvent, AgentEventBody } from '../protocol/agent-event.ts';

/** The parts that one session is made of; each session has its own. */
export interface Session {
  readonly label: string;
  /** 16 random hexadecimal digits that frame the results in messages to the model. */
  readonly nonce: string;
  readonly host: Host;
  readonly registry: Registry;
  readonly navigation: Navigation;
  readonly places: Places;
  readonly router: ToolRouter;
  readonly hub: EventHub;
  readonly state: ToolContext['session'];
  readonly recorder: SessionRecorder;
  readonly echoes: EchoedCallGuard;
  readonly readTexts: ReadTexts;
  readonly results: ResultStore;
  readonly resultLimits: ResultLimits;
  /** Handles of texts that the model wrote and that were not executed. */
  readonly unsent: Set<string>;
  readonly codeRunner: CodeRunner | undefined;
  readonly approver: Approver;
  /** Keeps changes of files aside until somebody has consented. Undefined where nothing can. */
  readonly createDraft: (() => Draft) | undefined;
  readonly modelCalls: ModelCalls;
  readonly hooks: SessionHooks;
  /** The next id for a call or run, unique in the session. */
  nextId(): string;
}

/** Records what a session needs to be resumed after a crash, in the order in which it happened. */
export class SessionRecorder {
  /** SHA-256 of the resources that tools have shown; new entries are recorded before the next record. */
  readonly seen: Map<string, string>;
  readonly #log: SessionLog | undefined;
  readonly #pending: SessionRecord[] = [];
  #location = '';

  constructor(log: SessionLog | undefined, seen: ReadonlyMap<string, string> = new Map()) {
    this.#log = log;
    this.seen = new Map(seen);
    const set = this.seen.set.bind(this.seen);
    // Tools put entries in at any time.
    this.seen.set = (key, value) => {
      this.#pending.push({ kind: 'seen', key, value });
      set(key, value);
      return this.seen;
    };
  }

  async record(record: SessionRecord): Promise<void> {
    await this.#flush();
    await this.#log?.record?.(record);
  }

  /** Records what tools have shown since the last record, and where the session is, if that has changed. */
  async recordLocation(location: SpacePath, history: readonly SpacePath[]): Promise<void> {
    await this.#flush();
    const now = JSON.stringify([location, history]);
    if (now === this.#location) return;
    this.#location = now;
    await this.record({ kind: 'location', location, history });
  }

  async #flush(): Promise<void> {
    for (const record of this.#pending.splice(0)) await this.#log?.record?.(record);
  }
}

/** UTF-16 code units of a shown change that are recorded. */
const MOST_SHOWN = 20_000;

/**
 * The approver of one session: before a call runs, what was decided about it is recorded, with what was shown, and
 * consent that is to be remembered.
 */
export function recordConsents(approver: Approver, recorder: SessionRecorder): Approver {
  return {
    deny: (request) => approver.deny?.(request),
    ...(approver.decide && { decide: (request) => approver.decide!(request) }),
    async approve(request, signal) {
      let shown: string | undefined;
      const preview =
        request.preview &&
        (async () => {
          const text = await request.preview!();
          shown = maskKeys(text).slice(0, MOST_SHOWN);
          return text;
        });
      const outcome = await approver.approve({ ...request, ...(preview && { preview }) }, signal);
      const { allow: allowed, by, remember } = outcome;
      const {
        session: _,
        args: _args,
        preview: _preview,
        parts: _parts,
        files: _files,
        texts: _texts,
        ...call
      } = request;
      const approval = { ...call, allowed, ...(by && { by }), ...(shown !== undefined && { shown }) };
      await recorder.record({ kind: 'approval', approval });
      if (remember !== undefined) await recorder.record({ kind: 'consent', consent: remember });
      return outcome;
    },
  };
}

/** What is not over yet. */
const UNLOGGED: ReadonlySet<AgentEvent['type']> = new Set(['response-delta', 'call-progress', 'call-output', 'hook']);

type EventListener = (event: AgentEvent) => void | Promise<void>;

/**
 * Labels the events of one session and delivers them in order, first to the log, then to every listener. A listener
 * that throws is removed: a broken view must not end a turn.
 */
export class EventHub {
  /** Number of the current or last turn. */
  turn: number;
  readonly #label: string;
  readonly #log: SessionLog | undefined;
  readonly #listeners = new Set<EventListener>();

  constructor(label: string, log: SessionLog | undefined, turn = 0) {
    this.#label = label;
    this.#log = log;
    this.turn = turn;
  }

  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async emit(body: AgentEventBody): Promise<void> {
    const event: AgentEvent = { label: this.#label, turn: this.turn, ...body };
    // What is not over yet is not kept: the event of its end has all of it.
    if (!UNLOGGED.has(event.type)) await this.#log?.append(event);
    for (const listener of this.#listeners) {
      try {
        await listener(event);
      } catch (error) {
        this.#listeners.delete(listener);
        const text = `an event listener failed and was removed: ${String(error)}`;
        await this.emit({ type: 'notice', code: 'error', text });
      }
    }
  }
}

/** Keeps the events of a turn until its reader takes them. */
export class EventQueue {
  readonly #events: AgentEvent[] = [];
  #isEnded = false;
  #wake: (() => void) | undefined;

  push(event: AgentEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  /** The events until the queue ends; `abandon` is called when the reader stops before that. */
  async *read(abandon: () => void): AsyncGenerator<AgentEvent> {
    try {
      for (;;) {
        const event = this.#events.shift();
        if (event !== undefined) yield event;
        else if (this.#isEnded) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      if (!this.#isEnded) abandon();
    }
  }
}
