import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import type { AnswerForm, LostErrors } from '../message.ts';
import { ENGINE_ERROR, isOutOfMemory, OUT_OF_MEMORY } from '../out-of-memory.ts';
import { InnerHost, type CodeRequests, type Shown } from './inner-host.ts';
import { loadQuickJs, type LoadedQuickJs } from './load-quickjs.ts';
import type { ThrownError } from './thrown-error.ts';

/** Bytes of stack that code may use; with twice as much it could use up that of its thread. */
const STACK_BYTES = 256 * 1024;
/** Jobs done at a stretch. */
const JOBS = 1000;
/** Evaluates a script whose top level may await; the result is a promise of `{ value }`. */
const AS_ASYNC_SCRIPT = 128;

/** Milliseconds that the words of an error may take, which can be code. */
const WORDING_MS = 500;
const NO_WORDS = 'its message takes too long to read';
const NO_ROOM = { name: ENGINE_ERROR, message: OUT_OF_MEMORY };

/** What a machine needs from outside. */
export interface MachineHost extends CodeRequests {
  readonly memoryBytes: number;
  /** True when code has to end now. */
  isStopped(): boolean;
}

/** What an evaluated script has come to. */
export type Evaluation =
  | { readonly state: 'pending' }
  | { readonly state: 'thrown'; readonly error: ThrownError }
  /** `shown`: the value as text; undefined when there is nothing to show. */
  | { readonly state: 'done'; readonly shown: string | undefined };

/** One JavaScript engine with its variables. */
export class Machine {
  readonly #host: MachineHost;
  readonly #memory: LoadedQuickJs['memory'];
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #inner: InnerHost;
  /** The script that was evaluated last, and what it, or a job of it, failed with outside of any promise. */
  #result: QuickJSHandle | undefined;
  #failure: ThrownError | undefined;
  /** True during work that has to be done also for code that is stopped. */
  #isUninterrupted = false;
  /** When work has to end, in milliseconds. */
  #until = Number.POSITIVE_INFINITY;

  private constructor({ memory, quickJs }: LoadedQuickJs, host: MachineHost) {
    this.#host = host;
    this.#memory = memory;
    this.#runtime = quickJs.newRuntime();
    this.#runtime.setMaxStackSize(STACK_BYTES);
    this.#runtime.setInterruptHandler(
      () => !this.#isUninterrupted && (performance.now() > this.#until || host.isStopped()),
    );
    this.#context = this.#runtime.newContext();
    this.#inner = new InnerHost(this.#context, host);
  }

  /** Loads an engine. */
  static async start(host: MachineHost): Promise<Machine> {
    return new Machine(await loadQuickJs(host.memoryBytes), host);
  }

  /** True when the engine has taken most of its memory; it never gives any back. */
  get isNearlyFull(): boolean {
    return this.#memory.buffer.byteLength > this.#host.memoryBytes / 2;
  }

  /** Begins a block, with names of tools and places. @param scope JSON of the nodes; empty for those of before */
  begin(scope: string): void {
    this.#uninterrupted(() => this.#inner.begin(scope));
  }

  /** Brings other names into scope in the middle of a block. @param scope JSON of the nodes */
  move(scope: string): void {
    this.#uninterrupted(() => this.#inner.move(scope));
  }

  /** Begins to evaluate a script; `evaluation` tells how far it has come. */
  evaluate(script: string, name: string): void {
    this.#result?.dispose();
    this.#failure = undefined;
    this.#inner.reserve(script);
    const result = this.#context.evalCode(script, name, AS_ASYNC_SCRIPT);
    this.#result = result.error === undefined ? result.value : undefined;
    if (result.error !== undefined) this.#failure = this.#thrown(result.error);
  }

  /** Does some of the jobs there are. Returns whether there are more. */
  work(): boolean {
    const done = this.#runtime.executePendingJobs(JOBS);
    if (done.error !== undefined) this.#failure = this.#thrown(done.error);
    return this.#runtime.hasPendingJob();
  }

  /** @param shows whether the value of the script is to be shown */
  evaluation(shows: boolean): Evaluation {
    if (this.#failure !== undefined) return { state: 'thrown', error: this.#failure };
    return this.#result === undefined ? { state: 'pending' } : this.#outcome(this.#result, shows);
  }

  /** True once the last line has run, and the promise that it may have ended in has come to something. */
  get isThrough(): boolean {
    if (this.#result === undefined) return false;
    const state = this.#context.getPromiseState(this.#result);
    if (state.type === 'pending') return false;
    if (state.type === 'rejected') return state.error.consume(() => true);
    const value = state.value.consume((box) => this.#context.getProp(box, 'value'));
    return value.consume((last) => this.#hasCome(last));
  }

  #hasCome(value: QuickJSHandle): boolean {
    const state = this.#context.getPromiseState(value);
    if (state.type === 'fulfilled' && state.notAPromise !== true) state.value.dispose();
    if (state.type === 'rejected') state.error.dispose();
    return state.type !== 'pending';
  }

  /** Gives a call its answer. */
  settle(id: number, form: AnswerForm, text: string): void {
    this.#uninterrupted(() => this.#inner.settle(id, form, text));
  }

  /** Forgets the calls that will have no answer any more. */
  forget(): void {
    this.#uninterrupted(() => this.#inner.forget());
  }

  /** What was thrown and never caught since the last time. @param most how much of it is worded */
  lost(most: number): LostErrors {
    const { count, calls, unasked } = this.#uninterrupted(() => this.#inner.lost());
    const first = calls.slice(0, most).map((call, place) => {
      if (call !== 0) return call;
      const error = this.#uninterrupted(() => this.#inner.lostAt(place));
      return this.#thrown(error);
    });
    return { first, count, ...(unasked.length > 0 && { unasked }) };
  }

  #uninterrupted<T>(work: () => T): T {
    this.#isUninterrupted = true;
    try {
      return work();
    } finally {
      this.#isUninterrupted = false;
    }
  }

  #outcome(result: QuickJSHandle, shows: boolean): Evaluation {
    const state = this.#context.getPromiseState(result);
    if (state.type === 'pending') return { state: 'pending' };
    if (state.type === 'rejected') return { state: 'thrown', error: this.#thrown(state.error) };
    const value = state.value.consume((box) => this.#context.getProp(box, 'value'));
    return value.consume((last) => (shows ? this.#shown(last) : { state: 'done', shown: undefined }));
  }

  /** The last value, or what the promise that it is has come to. */
  #shown(value: QuickJSHandle): Evaluation {
    const state = this.#context.getPromiseState(value);
    if (state.type === 'fulfilled' && state.notAPromise === true) return this.#words(value);
    this.#uninterrupted(() => this.#inner.asked(value));
    if (state.type === 'rejected') return { state: 'thrown', error: this.#thrown(state.error) };
    return state.type === 'pending' ? this.#words(value) : state.value.consume((inner) => this.#words(inner));
  }

  #words(value: QuickJSHandle): Evaluation {
    const shown = this.#shownWords(value);
    if (shown === undefined) return { state: 'thrown', error: { ...NO_ROOM, stack: '' } };
    if ('thrown' in shown) return { state: 'thrown', error: this.#thrown(shown.thrown) };
    return { state: 'done', shown: shown.text };
  }

  /** Undefined where there is no room for them. */
  #shownWords(value: QuickJSHandle): Shown | undefined {
    try {
      return this.#inner.show(value);
    } catch (error) {
      if (isOutOfMemory(error as Error)) return undefined;
      throw error;
    }
  }

  #thrown(error: QuickJSHandle): ThrownError {
    this.#until = performance.now() + WORDING_MS;
    const { isWorded, ...thrown } = this.#inner.describe(error);
    const isLate = performance.now() > this.#until;
    this.#until = Number.POSITIVE_INFINITY;
    if (!isWorded) return isLate ? { ...thrown, message: NO_WORDS } : { ...thrown, ...NO_ROOM };
    // Without room for an error the engine throws nothing in particular.
    const isEmpty = thrown.name === ENGINE_ERROR && thrown.message === '';
    const isNothing = isEmpty || thrown.message === 'null' || thrown.message === '[unsupported type]';
    return isNothing && this.isNearlyFull ? { ...thrown, ...NO_ROOM } : thrown;
  }
}
