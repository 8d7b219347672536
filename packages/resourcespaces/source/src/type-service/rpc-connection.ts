import type { Readable, Writable } from 'node:stream';
import { encodeMessage, MessageDecoder } from './message-decoder.ts';

/** The other side answered with an error. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
}

/** The two directions of a connection, and what is done about it from outside. */
export interface RpcOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Answers a question of the other side. */
  answer(method: string, params: unknown): unknown;
  /** Called when nothing more can be sent; what waits goes on waiting until `close`. */
  unreachable(error: Error): void;
  /** Called when the first question goes out, and when the last is answered. */
  busy(isBusy: boolean): void;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Questions and answers in JSON-RPC 2.0 over two streams. */
export class RpcConnection {
  readonly #options: RpcOptions;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  #closed: Error | undefined;

  constructor(options: RpcOptions) {
    this.#options = options;
    const decoder = new MessageDecoder();
    options.input.on('data', (chunk: Buffer) => {
      try {
        for (const message of decoder.push(chunk)) this.#receive(message as Message);
      } catch (error) {
        this.close(error as Error);
      }
    });
    options.output.on('error', (error) => options.unreachable(error));
  }

  /** Why nothing can be asked any more; undefined while it can. */
  get closed(): Error | undefined {
    return this.#closed;
  }

  /**
   * Asks, and waits for the answer. When the signal fires the other side is told to stop, and is not waited for.
   *
   * @throws RpcError when the answer is an error; the signal's reason; the reason of `close`
   */
  async request<T>(method: string, params: unknown, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closed;
    const id = this.#next++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const abort = (): void => {
      this.notify('$/cancelRequest', { id });
      reject(signal.reason as Error);
    };
    this.#waiting.set(id, { resolve, reject });
    if (this.#waiting.size === 1) this.#options.busy(true);
    signal.addEventListener('abort', abort, { once: true });
    this.#send({ id, method, params });
    try {
      return (await promise) as T;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#options.busy(false);
    }
  }

  /** Tells, and waits for nothing. */
  notify(method: string, params: unknown): void {
    if (this.#closed === undefined) this.#send({ method, params });
  }

  /** Fails all questions that wait, and those to come, with a reason. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const { reject } of this.#waiting.values()) reject(reason);
  }

  #send(message: object): void {
    this.#options.output.write(encodeMessage({ jsonrpc: '2.0', ...message }));
  }

  #receive({ id, method, params, result, error }: Message): void {
    if (id === undefined) return;
    if (method !== undefined) {
      this.#send({ id, result: this.#options.answer(method, params) ?? null });
      return;
    }
    const waiting = this.#waiting.get(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new RpcError(error.message));
  }
}
