import type { ToolResult } from '@bae/core';
import { cutText, type CallRequest, type CallResult } from '../messages.ts';
import type { Callee, CalleeTable } from './callee-table.ts';
import { createToolCall, quoteCall, type CodeCall } from './tool-call.ts';

/** Maximum number of calls of one block that run at the same time. */
const CONCURRENCY = 8;
/** Time of work after which other tasks get their turn, in milliseconds. */
const STRETCH_MS = 5;
/**
 * Maximum length of results that the thread has not yet received, above which no more calls are made, in characters.
 */
const MOST_UNRECEIVED = 32_000_000;
/** Maximum length of the arguments kept of a finished call, in characters: more than a quote needs. */
const KEPT_ARGUMENTS = 1000;

export interface FinishedCall {
  readonly quote: string;
  readonly callee: Callee | undefined;
}

export interface BlockCallsOptions {
  readonly table: CalleeTable;
  dispatch(call: CodeCall): Promise<ToolResult>;
  /** @param moved true if the call has moved the session */
  onResult(result: CallResult, moved: boolean): void;
}

/** Makes the calls of one block: each once, in order, some of them at the same time. */
export class BlockCalls {
  readonly #options: BlockCallsOptions;
  readonly #queue: CallRequest[] = [];
  readonly #active = new Map<number, CallRequest>();
  readonly #succeeded = new Map<number, CallRequest>();
  /** Failed calls, quoted with their errors. */
  readonly #failed = new Map<number, string>();
  /** Length of the results that were sent, and of those that the thread has received, in characters. */
  #sent = 0;
  #received = 0;
  /** True while other tasks have their turn. */
  #isYielding = false;
  #isEnded = false;

  constructor(options: BlockCallsOptions) {
    this.#options = options;
  }

  /** Number of calls without a result, including those that were never made. */
  get pendingCount(): number {
    return this.#active.size + this.#queue.length;
  }

  /** Quotes the first calls without a result. */
  quotePending(count: number): readonly string[] {
    return [...this.#active.values(), ...this.#queue].slice(0, count).map((request) => this.#quote(request));
  }

  make(requests: readonly CallRequest[]): void {
    for (const request of requests) this.#queue.push(request);
    this.#next();
  }

  /**
   * Records the total length of results that the thread has received, in characters, and makes the calls that waited
   * for it.
   */
  noteReceived(characters: number): void {
    this.#received = characters;
    this.#next();
  }

  /** Quotes a failed call with its error: `read("a.ts"): FileNotFoundError: …`. */
  quoteFailure(id: number): string | undefined {
    return this.#failed.get(id);
  }

  getFinished(id: number): FinishedCall | undefined {
    const request = this.#succeeded.get(id);
    return request && { quote: this.#quote(request), callee: this.#options.table.at(request.callee) };
  }

  /** Numbers of the calls that succeeded, in the order of their results. */
  get finished(): readonly number[] {
    return [...this.#succeeded.keys()];
  }

  end(): void {
    this.#isEnded = true;
  }

  #next(): void {
    const began = performance.now();
    while (!this.#isEnded && !this.#isYielding && this.#queue.length > 0) {
      if (this.#active.size >= CONCURRENCY || this.#sent - this.#received > MOST_UNRECEIVED) return;
      if (performance.now() - began > STRETCH_MS) return this.#yield();
      void this.#make(this.#queue.shift() as CallRequest);
    }
  }

  #yield(): void {
    this.#isYielding = true;
    setImmediate(() => {
      this.#isYielding = false;
      this.#next();
    });
  }

  async #make(request: CallRequest): Promise<void> {
    const { id, callee, args } = request;
    this.#active.set(id, request);
    const result = await this.#dispatch(request).catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    // A result that arrives because the block has ended says nothing about the effect of the call.
    if (this.#isEnded) return;
    this.#active.delete(id);
    if (result instanceof Error) {
      const { name, message } = result;
      this.#failed.set(id, `${this.#quote(request)}: ${name}: ${message}`);
      this.#send({ id, form: 'error', text: JSON.stringify({ name, message }) }, false);
    } else {
      this.#succeeded.set(id, { ...request, args: cutText(args, KEPT_ARGUMENTS) });
      this.#send({ id, ...encodeValue(result) }, this.#options.table.at(callee)?.kind === 'move');
    }
    this.#next();
  }

  #send(result: CallResult, moved: boolean): void {
    this.#sent += result.text.length;
    this.#options.onResult(result, moved);
  }

  async #dispatch({ callee: number, args }: CallRequest): Promise<ToolResult> {
    const callee = this.#options.table.at(number);
    if (callee === undefined) throw new RangeError('there is no such tool');
    const result = await this.#options.dispatch(createToolCall(callee, args));
    if (result.ok) return result;
    const { errorType: name = 'Error', text } = result;
    const message = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
    throw Object.assign(new Error(message), { name });
  }

  #quote({ callee: number, args }: CallRequest): string {
    const callee = this.#options.table.at(number);
    try {
      return callee === undefined ? 'an unknown call' : quoteCall(callee, args);
    } catch {
      // Nothing that the thread sends is trusted.
      return 'an unreadable call';
    }
  }
}

/** Encodes the data that a tool returned, if any, otherwise the text that a tag would get. */
function encodeValue({ value = null, text }: ToolResult): Pick<CallResult, 'form' | 'text'> {
  const data = value === null || typeof value === 'string' ? undefined : tryStringify(value);
  if (data !== undefined) return { form: 'json', text: data };
  const plain = typeof value === 'string' ? value : text;
  // The engine takes UTF-8 that ends at the first zero.
  const isSafe = plain.isWellFormed() && !plain.includes('\0');
  return isSafe ? { form: 'text', text: plain } : { form: 'json', text: JSON.stringify(plain) };
}

/** Returns a value as JSON; undefined if JSON cannot express it. */
function tryStringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
