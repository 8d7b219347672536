import { randomUUID } from 'node:crypto';
import {
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Elicit, ElicitUrl, Form, PageRequest } from './client-consent.ts';

/** Maximum time that a call waits for the reply to its question, in milliseconds. */
const HELD_MS = 300_000;

/** How a client can ask its user. */
export interface QuestionModes {
  readonly form: boolean;
  /** By the address of a page. */
  readonly url: boolean;
}

/** A running call, and the data of its request. */
export interface RunningCall {
  /** The request that currently waits for the call; after a question, this is a later one than the first. */
  readonly context: ServerContext;
  readonly signal: AbortSignal;
  readonly elicit: Elicit | undefined;
  readonly elicitUrl: ElicitUrl | undefined;
  /** Resolves when no request waits for it any more, because it has asked a question. */
  readonly whenHeld?: Promise<void>;
}

type Work = (call: RunningCall) => Promise<CallToolResult>;

/**
 * Holds calls that wait for a person. In the stateless revision of the protocol a server cannot ask during a request:
 * the question is the result, and the client sends the request again with the reply.
 */
export class HeldCalls {
  readonly #calls = new Map<string, HeldCall>();

  /**
   * Starts a call, or continues the one that a request belongs to.
   *
   * @returns its result, or its question
   * @throws ProtocolError if the call that a request belongs to no longer exists
   */
  async proceed(
    context: ServerContext,
    modes: QuestionModes,
    work: Work,
  ): Promise<CallToolResult | InputRequiredResult> {
    const state = context.mcpReq.requestState<string>();
    const found = state === undefined ? undefined : this.#calls.get(state);
    if (state !== undefined && found === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'The call that this replies to has ended. Make it again without requestState.',
      );
    const call = found ?? new HeldCall(context, modes, work);
    this.#calls.delete(call.id);
    const result = await call.proceed(context);
    const { id } = call;
    if (result.resultType !== 'input_required') return result;
    this.#calls.set(id, call);
    call.expire(() => this.#calls.delete(id));
    return result;
  }
}

interface OpenQuestion {
  readonly asked: Form | PageRequest;
  readonly reply: (result: Awaited<ReturnType<Elicit>>) => void;
}

class HeldCall implements RunningCall {
  /** Changes with each question. It cannot be guessed, so only the client that was asked knows it. */
  id = '';
  readonly elicit: Elicit | undefined;
  readonly elicitUrl: ElicitUrl | undefined;
  context: ServerContext;
  readonly #controller = new AbortController();
  readonly #open = new Map<string, OpenQuestion>();
  readonly #result: Promise<CallToolResult>;
  readonly #held = Promise.withResolvers<void>();
  #asked = Promise.withResolvers<undefined>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: ServerContext, modes: QuestionModes, work: Work) {
    this.context = context;
    const ask: Elicit & ElicitUrl = (asked, signal) => this.#ask(asked, signal);
    this.elicit = modes.form ? ask : undefined;
    this.elicitUrl = modes.url ? ask : undefined;
    this.#result = work(this);
    this.#result.catch(() => undefined);
  }

  get whenHeld(): Promise<void> {
    return this.#held.promise;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async proceed(context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.context = context;
    const { signal, inputResponses } = context.mcpReq;
    for (const [key, { reply }] of this.#open) {
      const response = inputResponse(inputResponses, key);
      if (response.kind !== 'elicit') continue;
      this.#open.delete(key);
      reply(response as Awaited<ReturnType<Elicit>>);
    }
    if (this.#open.size === 0) this.#asked = Promise.withResolvers();
    const abort = (): void => this.#controller.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const result = await Promise.race([this.#result, this.#asked.promise]);
      if (result !== undefined) return result;
      const questions = Array.from(this.#open, ([key, { asked }]) => [key, toInputRequest(asked)] as const);
      this.id = randomUUID();
      return inputRequired({ inputRequests: Object.fromEntries(questions), requestState: this.id });
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Ends the call after a time without a reply. */
  expire(onEnd: () => void): void {
    this.#held.resolve();
    this.#timer = setTimeout(() => {
      onEnd();
      this.#controller.abort(new Error('nobody replied to its question'));
    }, HELD_MS);
    this.#timer.unref();
  }

  #ask(asked: Form | PageRequest, signal: AbortSignal): ReturnType<Elicit> {
    return new Promise((resolve, reject) => {
      const key = `question-${++this.#count}`;
      const abort = (): void => {
        this.#open.delete(key);
        reject(signal.reason as Error);
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      const reply: OpenQuestion['reply'] = (result) => {
        signal.removeEventListener('abort', abort);
        resolve(result);
      };
      this.#open.set(key, { asked, reply });
      this.#asked.resolve(undefined);
    });
  }
}

function toInputRequest(asked: Form | PageRequest): InputRequest {
  return 'url' in asked ? inputRequired.elicitUrl(asked) : inputRequired.elicit(asked);
}
