import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadSettings, ToThread } from './message.ts';
import type { SandboxLimits } from './sandbox-options.ts';
import { WAKEFUL_MS, Wakefulness } from './wakefulness.ts';

/** Most characters of the arguments of one call, as JSON: those of any file that code can read. */
const MOST_ARGUMENTS = 16_000_000;
/** Megabytes for what stands around the engine: the code as text and as a tree. */
const OWN_MEMORY_MB = 128;

/** Hears what the thread tells, and how it failed. */
export interface ThreadListener {
  heard(message: FromThread): void;
  failed(error: Error): void;
}

/** The thread of one session, with an engine in it. It keeps the process alive only while somebody listens. */
export class Thread {
  readonly #worker: Worker;
  readonly #signal = new Int32Array(new SharedArrayBuffer(8));
  readonly #ready = Promise.withResolvers<void>();
  readonly #wakefulness = new Wakefulness();
  #listener: ThreadListener | undefined;
  #failure: Error | undefined;

  constructor({ memoryMb, mostCalls, outputLimit }: SandboxLimits) {
    const signal = this.#signal.buffer;
    const memoryBytes = memoryMb * 1024 * 1024;
    const most = { mostCalls, mostArguments: MOST_ARGUMENTS, outputLimit };
    const workerData: ThreadSettings = { memoryBytes, ...most, signal, wakefulMs: WAKEFUL_MS };
    this.#worker = new Worker(workerFile(), {
      workerData,
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: OWN_MEMORY_MB },
    });
    this.#worker.on('message', (message: FromThread) => this.#heard(message));
    this.#worker.on('error', (error) => this.#failed(error as Error));
    this.#worker.on('exit', () => this.#failed(new Error('the sandbox was closed')));
    // A thread that fails while nobody waits for it is seen by the next who does.
    this.#ready.promise.catch(() => undefined);
    this.#worker.unref();
  }

  /** True when the thread is gone. */
  get isGone(): boolean {
    return this.#failure !== undefined;
  }

  /** Waits until the engine is loaded. @throws Error when that fails */
  async ready(): Promise<void> {
    this.#worker.ref();
    try {
      await this.#ready.promise;
    } finally {
      if (this.#listener === undefined) this.#worker.unref();
    }
  }

  /** Keeps the process alive and passes on what is told, until `rest`. */
  listen(listener: ThreadListener): void {
    this.#listener = listener;
    this.#worker.ref();
    Atomics.store(this.#signal, 0, 0);
    if (this.#failure !== undefined) listener.failed(this.#failure);
  }

  /** Hears nothing more, and keeps nothing alive. */
  rest(): void {
    this.#listener = undefined;
    this.#wakefulness.end();
    this.#worker.unref();
  }

  tell(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    this.#worker.postMessage(message);
    Atomics.add(this.#signal, 1, 1);
    Atomics.notify(this.#signal, 1);
    // What code does between two calls is mostly short.
    if (message.type === 'answer') this.#wakefulness.renew();
  }

  /** Asks running code to end. Native functions do not look, so somebody has to see whether it does. */
  stop(): void {
    Atomics.store(this.#signal, 0, 1);
    this.tell({ type: 'stop' });
  }

  /** Ends the thread, whatever it is doing; who listens hears that it failed. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #heard(message: FromThread): void {
    if (message.type === 'ready') this.#ready.resolve();
    this.#listener?.heard(message);
  }

  #failed(error: Error): void {
    this.#failure ??= error;
    this.#ready.reject(error);
    this.#listener?.failed(error);
  }
}

/** The thread's program is a file of its own: source when the sources run, compiled otherwise. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './sandbox-worker.ts' : './sandbox-worker.js', import.meta.url);
}
