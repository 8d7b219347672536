import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ConfigurationError } from '@bae/core';
import type { CompiledModule, HostMessage, ThreadMessage, ThreadSettings } from '../messages.ts';

/** Maximum length of the arguments of one call, as JSON, in characters: enough for any file that code can read. */
const MOST_ARGUMENTS = 16_000_000;
/** Memory for the surroundings of the engine, in megabytes: the code as text and as a tree. */
const OWN_MEMORY_MB = 128;

export interface ThreadListener {
  receive(message: ThreadMessage): void;
  fail(error: Error): void;
}

/** Thread of one session, with an engine in it. It keeps the process alive only while it has a listener. */
export class Thread {
  readonly #worker: Worker;
  readonly #signal = new Int32Array(new SharedArrayBuffer(8));
  readonly #ready = Promise.withResolvers<void>();
  #listener: ThreadListener | undefined;
  #failure: Error | undefined;

  constructor({ memoryMb, mostCalls, outputLimit }: SandboxLimits) {
    const own = { mostArguments: MOST_ARGUMENTS, signal: this.#signal.buffer };
    const engine = compileEngine();
    const workerData: ThreadSettings = { engine, memoryBytes: memoryMb * 1024 * 1024, mostCalls, outputLimit, ...own };
    this.#worker = new Worker(locateWorker(), {
      workerData,
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: OWN_MEMORY_MB },
    });
    this.#worker.on('message', (message: ThreadMessage) => {
      if (message.type === 'ready') this.#ready.resolve();
      this.#listener?.receive(message);
    });
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#worker.on('exit', () => this.#fail(new Error('the sandbox was closed')));
    // A failure that nothing awaits is reported to the next listener.
    this.#ready.promise.catch(() => undefined);
    this.#worker.unref();
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Waits until the engine is loaded. @throws Error if that fails */
  async ready(): Promise<void> {
    this.#worker.ref();
    try {
      await this.#ready.promise;
    } finally {
      if (this.#listener === undefined) this.#worker.unref();
    }
  }

  /** Keeps the process alive and passes messages on, until `rest` is called. */
  listen(listener: ThreadListener): void {
    this.#listener = listener;
    this.#worker.ref();
    Atomics.store(this.#signal, 0, 0);
    if (this.#failure !== undefined) listener.fail(this.#failure);
  }

  rest(): void {
    this.#listener = undefined;
    this.#worker.unref();
  }

  send(message: HostMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    this.#worker.postMessage(message);
    Atomics.add(this.#signal, 1, 1);
    Atomics.notify(this.#signal, 1);
  }

  /** Asks running code to end. It may not, because native functions of the engine do not check for the request. */
  stop(): void {
    Atomics.store(this.#signal, 0, 1);
    this.send({ type: 'stop' });
  }

  /** Ends the thread, whatever it is doing; its listener gets an error. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#ready.reject(error);
    this.#listener?.fail(error);
  }
}

declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => CompiledModule };
let engine: CompiledModule | undefined;

/** Compiles the engine for all threads: a function that one of them has called is compiled for the others, too. */
function compileEngine(): CompiledModule {
  const require = createRequire(import.meta.url);
  engine ??= new WebAssembly.Module(readFileSync(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')));
  return engine;
}

/**
 * Returns the URL of the thread's program: the source file if sources are run directly, otherwise the compiled file.
 */
function locateWorker(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './sandbox-worker.ts' : './sandbox-worker.js', import.meta.url);
}

/** Threads for sessions; one is kept ready. */
export class ThreadPool {
  readonly #limits: SandboxLimits;
  readonly #ending = new Set<Promise<void>>();
  #spare: Thread | undefined;
  #isClosed = false;

  constructor(limits: SandboxLimits) {
    this.#limits = limits;
  }

  take(): Thread {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare === undefined || spare.hasFailed ? new Thread(this.#limits) : spare;
  }

  prepare(): void {
    if (!this.#isClosed) this.#spare ??= new Thread(this.#limits);
  }

  async warm(): Promise<void> {
    this.prepare();
    await this.#spare?.ready();
  }

  end(thread: Thread): Promise<void> {
    const ending = thread.end();
    this.#ending.add(ending);
    return ending.finally(() => this.#ending.delete(ending));
  }

  /** Ends the thread that is kept ready, until `prepare` or `take` creates another. */
  async drop(): Promise<void> {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare !== undefined) await this.end(spare);
  }

  /** Ends the spare thread, and waits for all threads that are ending. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.drop();
    await Promise.all(this.#ending);
  }
}

/** Limits of the code that a sandbox runs. */
export interface SandboxOptions {
  /** Time limit of one block, including its calls, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Memory limit for the variables of one session, 32 to 1024 megabytes. Default: 256. */
  readonly memoryMb?: number;
  /** Maximum length of the kept output of one block, and of its final value, in characters. Default: 64,000. */
  readonly outputLimit?: number;
  /** Maximum number of calls of one block. Default: 10,000. */
  readonly mostCalls?: number;
}

export type SandboxLimits = Required<SandboxOptions>;

const LONGEST_MS = 2 ** 31 - 1;

const RANGES: Readonly<Record<keyof SandboxLimits, readonly [least: number, usual: number, most: number]>> = {
  timeoutMs: [1, 30_000, LONGEST_MS],
  memoryMb: [32, 256, 1024],
  outputLimit: [0, 64_000, 10_000_000],
  mostCalls: [0, 10_000, 1_000_000],
};

/** @throws ConfigurationError if a limit is out of range */
export function resolveLimits(options: SandboxOptions): SandboxLimits {
  const limits = Object.entries(RANGES).map(([name, [least, usual, most]]) => {
    const value = options[name as keyof SandboxOptions] ?? usual;
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new ConfigurationError(`${name} of a sandbox is ${value}; it is a whole number from ${least} to ${most}.`);
    }
    return [name, value] as const;
  });
  return Object.fromEntries(limits) as unknown as SandboxLimits;
}
