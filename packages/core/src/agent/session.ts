import type { Approver, Confine, Draft } from '../protocol/approver.ts';
import type { CodeRunner } from '../protocol/code-runner.ts';
import type { Host } from '../protocol/host.ts';
import { maskKeys } from '../results/mask-keys.ts';
import { ParameterError } from '../errors/bae-error.ts';
import type { ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import type { ResultStore, ToolResult } from '../protocol/tool-result.ts';
import { getTagName } from '../protocol/verbs.ts';
import { readSuggestedBody } from '../tool-router/suggest-call.ts';
import type { SessionLog, SessionRecord, SessionSnapshot } from '../protocol/session-log.ts';
import type { SpacePath } from '../protocol/space-path.ts';
import type { ToolContext } from '../protocol/tool-definition.ts';
import type { Navigation } from '../registry/navigation.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResultLimits } from '../tool-router/render-result.ts';
import type { ToolRouter } from '../tool-router/tool-router.ts';
import type { ReadTexts } from './guards/call-guards.ts';
import type { EchoedCallGuard } from './guards/echoed-calls.ts';
import type { SessionHooks } from './hooks.ts';
import type { ModelCalls } from './model-request.ts';
import type { Places } from './places.ts';
import type { AgentEvent, AgentEventBody } from '../protocol/agent-event.ts';

/** Parts of one session; each session has its own. */
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
  /** Controllers that cancel the running calls and run blocks, by their ids. */
  readonly cancels: Map<string, AbortController>;
  /** Handles of texts that the model wrote but that were not executed. */
  readonly unsent: Set<string>;
  readonly codeRunner: CodeRunner | undefined;
  readonly approver: Approver;
  /** Creates a draft that holds changes of files until someone consents. Undefined if drafts are not supported. */
  readonly createDraft: (() => Draft) | undefined;
  /** Runs work that may change only some files. */
  readonly confine: Confine;
  readonly modelCalls: ModelCalls;
  readonly hooks: SessionHooks | undefined;
}

/** Records everything that is needed to resume a session after a crash, in order. */
export class SessionRecorder {
  /** SHA-256 hashes of the resources that tools have shown; new entries are recorded before the next record. */
  readonly seen: Map<string, string>;
  readonly #log: SessionLog | undefined;
  readonly #pending: SessionRecord[] = [];
  #location = '';

  constructor(log: SessionLog | undefined, seen: ReadonlyMap<string, string> = new Map()) {
    this.#log = log;
    this.seen = new Map(seen);
    const set = this.seen.set.bind(this.seen);
    // Tools may add entries at any time.
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

  /**
   * Records the resources that tools have shown since the last record, and the location of the session if it has
   * changed.
   */
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

/** Maximum recorded length of a displayed change, in UTF-16 code units. */
const MOST_SHOWN = 20_000;

/**
 * Returns an approver for one session that records each decision, with the change as shown, and any consent to
 * remember, before the call runs.
 */
export function recordConsents(approver: Approver, recorder: SessionRecorder): Approver {
  return {
    deny: (request) => approver.deny?.(request),
    ...(approver.decide && { decide: (request) => approver.decide!(request) }),
    restrictsRead: (request) => approver.restrictsRead?.(request) === true,
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

/** Types of interim events, which are not logged. */
const UNLOGGED: ReadonlySet<AgentEvent['type']> = new Set(['response-delta', 'call-progress', 'call-output', 'hook']);

type EventListener = (event: AgentEvent) => void | Promise<void>;

/**
 * Labels the events of one session and delivers them in order, first to the log, then to every listener. A listener
 * that throws is removed: a broken view must not end a turn.
 */
export class EventHub {
  /** Number of the current or last turn. */
  turn: number;
  readonly label: string;
  readonly #log: SessionLog | undefined;
  readonly #listeners = new Set<EventListener>();
  #lastId: number;

  constructor(label: string, log: SessionLog | undefined, { turn = 0, lastId = 0 }: Partial<SessionSnapshot> = {}) {
    this.label = label;
    this.#log = log;
    this.turn = turn;
    this.#lastId = lastId;
  }

  /** Returns the next id for a call or run, unique in the session. */
  nextId(): string {
    return String(++this.#lastId);
  }

  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async emit(body: AgentEventBody): Promise<void> {
    const event: AgentEvent = { label: this.label, turn: this.turn, ...body };
    // Interim events are not logged: the end event contains all of their content.
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

  /** Yields the events until the queue ends; calls `abandon` if the reader stops before that. */
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

const FROM_RESULT = /(?:^|[\s,]+)from=["']?(?<ref>result:\d+)["']?\s*$/;

type KeptTexts = Pick<Session, 'results' | 'unsent'>;

/** Keeps a text that was not executed, and adds its handle, and how to write it, to the problem's message. */
export function keepUnsentText(problem: ParseProblem, { results, unsent }: KeptTexts): ParseProblem {
  if (problem.unsent === undefined) return problem;
  const { text, tag } = problem.unsent;
  const ref = results.keep(text);
  unsent.add(ref);
  const offer = tag === undefined ? '' : ` To write it as it is: ${tag} from=${ref}>.`;
  return { ...problem, message: `${problem.message} Its text is <R:${ref}>.${offer}` };
}

/**
 * Returns a call whose body is the text named by `from=result:4`; the call itself if it names none.
 *
 * @throws ParameterError if that is not a text that was left unexecuted, or if the call also has a body
 */
export function addUnsentText(call: ToolCall, { results, unsent }: KeptTexts): ToolCall {
  const { verb, arg, body = '', kwargs } = call;
  const found = verb === 'write' || verb === 'edit' ? FROM_RESULT.exec(arg) : null;
  if (found === null) return call;
  const ref = found.groups!['ref']!;
  const text = unsent.has(ref) ? results.get(ref) : undefined;
  const fail = (fact: string): never => {
    throw new ParameterError(`from: ${fact}`, [`<R:${ref}>`]);
  };
  if (text === undefined) return fail(`${ref} is not a kept text of yours; write the text between the tags.`);
  if (body.trim() !== '') return fail(`the call has a text of its own besides ${ref}; leave one of them out.`);
  return { ...call, arg: arg.slice(0, found.index), body: text, block: true, ...(kwargs && { kwargs }) };
}

/** Length from which the text of a call that failed is kept, in characters: a shorter one is soon sent again. */
const LONG_TEXT = 300;

/** Keeps the text of a write or edit that failed, and says how the next one uses it, so that it is not sent again. */
export function keepFailedText(call: ToolCall, result: ToolResult, { results, unsent }: KeptTexts): ToolResult {
  const { verb, arg, body = '', tag } = call;
  if ((verb !== 'write' && verb !== 'edit') || body.length < LONG_TEXT) return result;
  const ref = results.keep(body);
  unsent.add(ref);
  const { text, toolAt, remedies = [] } = result;
  const sendKept = (open: string): string => `${open} from=${ref}>`;
  const last = remedies.at(-1) ?? '';
  const suggested = readSuggestedBody(last);
  if (suggested !== undefined && text.endsWith(last))
    return { ...result, text: text.slice(0, -last.length) + sendKept(suggested.tag.slice(0, -1)) };
  const again = toolAt === undefined ? tag.slice(0, -1) : `<${toolAt}.${getTagName(verb)}:${arg}`;
  return { ...result, text: `${text}\nIts text is kept: ${sendKept(again)} sends it.` };
}
