import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type JSPromiseState,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type VmFunctionImplementation,
} from 'quickjs-emscripten-core';
import type { ErrorField } from '../guest/inspector.ts';
import type { HostFunctions } from '../guest/intrinsics.ts';
import { buildPrelude, type Prelude } from '../guest/prelude.ts';
import {
  boundError,
  createOutOfMemoryError,
  ENGINE_ERROR,
  isOutOfMemory,
  OUT_OF_MEMORY,
  type CompiledModule,
  type NotAwaited,
  type ResultForm,
  type ThrownError,
} from '../messages.ts';
import { formatInLocale } from './format-in-locale.ts';

/** Maximum stack size of code, in bytes; with twice as much it could use up the stack of its thread. */
const STACK_BYTES = 256 * 1024;
/** Number of jobs that run before the thread checks for messages. */
const JOBS = 1000;
/** Flag for a script whose top level may await; the result is a promise of `{ value }`. */
const AS_ASYNC_SCRIPT = 128;
const PAGE_BYTES = 64 * 1024;
const INITIAL_BYTES = 16 * 1024 * 1024;

/** Time limit for reading the message of an error, in milliseconds, because that can run code. */
const MESSAGE_MS = 500;
const NO_MESSAGE = 'its message takes too long to read';
const NO_ROOM = { name: ENGINE_ERROR, message: OUT_OF_MEMORY };

export interface EngineHost {
  /** Engine as compiled by another thread. Default: it is compiled here. */
  readonly module?: CompiledModule | undefined;
  readonly memoryBytes: number;
  print(text: string): void;
  /** Requests a call and returns its number. @throws RangeError if there are too many */
  requestCall(callee: number, args: string): number;
  isStopped(): boolean;
}

export type Evaluation =
  | { readonly state: 'pending' }
  | { readonly state: 'thrown'; readonly error: ThrownError }
  /** `value`: the last value as text; undefined if there is none to show. */
  | { readonly state: 'done'; readonly value: string | undefined };

/** Part of a `WebAssembly.Memory` that is read here. */
interface Memory {
  readonly buffer: ArrayBuffer;
}
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => Memory;
};

/** JavaScript engine with its variables. Only numbers and text pass between it and the thread. */
export class Engine {
  readonly #host: EngineHost;
  readonly #memory: Memory;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #prelude: QuickJSHandle;
  /** Functions of the prelude that have been called, by name. */
  readonly #functions = new Map<keyof Prelude, QuickJSHandle>();
  /** Function that allocates the given number of bytes, or fails as code does. */
  readonly #allocate: QuickJSHandle;
  /** Script that was evaluated last, and the error that it or one of its jobs threw outside any promise. */
  #script: QuickJSHandle | undefined;
  #failure: ThrownError | undefined;
  #isUninterruptible = false;
  /** Time at which code is interrupted, in milliseconds, and true once it was. */
  #until = Number.POSITIVE_INFINITY;
  #wasInterrupted = false;

  private constructor(memory: Memory, runtime: QuickJSRuntime, host: EngineHost) {
    this.#host = host;
    this.#memory = memory;
    this.#runtime = runtime;
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => {
      if (this.#isUninterruptible || (performance.now() <= this.#until && !host.isStopped())) return false;
      this.#wasInterrupted = true;
      return true;
    });
    const context = runtime.newContext();
    this.#context = context;
    const allocate = '(() => { const Room = ArrayBuffer; return (bytes) => void new Room(bytes) })()';
    this.#allocate = context.unwrapResult(context.evalCode(allocate));
    using start = context.unwrapResult(context.evalCode(buildPrelude(), 'bae'));
    using functions = this.#createHostFunctions();
    this.#prelude = context.unwrapResult(context.callFunction(start, context.undefined, functions));
  }

  /** Loads an engine with a limited memory: the engine's own limit applies only to single allocations. */
  static async start(host: EngineHost): Promise<Engine> {
    const maximum = Math.ceil(host.memoryBytes / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: INITIAL_BYTES / PAGE_BYTES, maximum });
    const quickJs = newVariant(variant as unknown as QuickJSSyncVariant, {
      wasmMemory: memory,
      ...(host.module && { wasmModule: host.module }),
    });
    return new Engine(memory, (await newQuickJSWASMModuleFromVariant(quickJs)).newRuntime(), host);
  }

  /** True when the engine has taken most of its memory; it never releases any. */
  get isNearlyFull(): boolean {
    return this.#memory.buffer.byteLength > this.#host.memoryBytes / 2;
  }

  /**
   * Changes what code can call, at the beginning of a block or within it.
   *
   * @param scope the nodes in scope, as JSON; empty if it has not changed
   * @throws Error if code has made one of their names unchangeable
   */
  setScope(at: 'begin' | 'move', scope: string): void {
    using text = this.#createText(scope);
    const blocked = this.#run(at, text);
    if (blocked !== undefined) throw new Error(`code has made ${blocked} unchangeable, and tools need it`);
  }

  /** Begins to evaluate a script; `evaluation` returns its progress. @throws Error if there is no room for it */
  evaluate(script: string, name: string): void {
    this.#script?.dispose();
    this.#failure = undefined;
    this.#reserve(script);
    const result = this.#context.evalCode(script, name, AS_ASYNC_SCRIPT);
    this.#script = result.error === undefined ? result.value : undefined;
    if (result.error !== undefined) this.#failure = this.#describe(result.error);
  }

  /** Runs some of the pending jobs. Returns true if there are more. */
  runJobs(): boolean {
    const { error } = this.#runtime.executePendingJobs(JOBS);
    if (error !== undefined) this.#failure = this.#describe(error);
    return this.#runtime.hasPendingJob();
  }

  /** @param shows true to get the last value as text */
  evaluation(shows: boolean): Evaluation {
    if (this.#failure !== undefined) return { state: 'thrown', error: this.#failure };
    const state = this.#script && this.#context.getPromiseState(this.#script);
    if (state === undefined || state.type === 'pending') return { state: 'pending' };
    if (state.type === 'rejected') return { state: 'thrown', error: this.#describe(state.error) };
    using last = this.#lastValue(state.value);
    return shows ? this.#formatLast(last) : { state: 'done', value: undefined };
  }

  /** True once the last line has run, and any promise that it ended in is settled. */
  get hasFinished(): boolean {
    if (this.#script === undefined) return false;
    const state = this.#context.getPromiseState(this.#script);
    if (state.type !== 'fulfilled') return dispose(state) === 'rejected';
    using last = this.#lastValue(state.value);
    return dispose(this.#context.getPromiseState(last)) !== 'pending';
  }

  /** Settles a call. A result for which there is no room becomes an error. */
  settle(id: number, form: ResultForm, text: string): void {
    try {
      this.#settle(id, form, text);
    } catch {
      const most = Math.floor(this.#host.memoryBytes / 1024 / 1024);
      const way = 'set variables that are not needed to undefined, or read in parts: read("big.log:1-10000")';
      const message = `${OUT_OF_MEMORY}: there is no room for the result beside the variables of the session (${most} MB). To go on, ${way}`;
      const error = { name: 'RangeError', message };
      this.#settle(id, 'error', JSON.stringify(error));
    }
  }

  forget(): void {
    this.#run('forget');
  }

  /**
   * Returns the errors and results that were not awaited since the last time. @param most the maximum number of
   * described errors
   */
  takeNotAwaited(most: number): NotAwaited {
    const [all = '', unread = ''] = (this.#run('takeNotAwaited') ?? '').split(';');
    const [count = 0, ...calls] = all.split(',').map(Number);
    const errors = calls.slice(0, most).map((call, index) => {
      if (call !== 0) return call;
      using at = this.#context.newNumber(index);
      return this.#describe(this.#call('errorAt', at));
    });
    return { errors, count, ...(unread !== '' && { unread: unread.split(',').map(Number) }) };
  }

  #settle(id: number, form: ResultForm, text: string): void {
    using number = this.#context.newNumber(id);
    using asForm = this.#context.newString(form);
    using result = this.#createText(text);
    this.#run('settle', number, asForm, result);
  }

  #lastValue(box: QuickJSHandle): QuickJSHandle {
    return box.consume((handle) => this.#context.getProp(handle, 'value'));
  }

  /** Formats the last value or, if that is a promise, the value with which it was settled. */
  #formatLast(value: QuickJSHandle): Evaluation {
    const state = this.#context.getPromiseState(value);
    if (state.type === 'fulfilled' && state.notAPromise === true) return this.#format(value);
    this.#run('markRead', value);
    if (state.type === 'rejected') return { state: 'thrown', error: this.#describe(state.error) };
    return state.type === 'pending' ? this.#format(value) : state.value.consume((inner) => this.#format(inner));
  }

  /** Formats a value, which may run code that throws. */
  #format(value: QuickJSHandle): Evaluation {
    using format = this.#context.getProp(this.#prelude, 'format');
    const result = this.#context.callFunction(format, this.#context.undefined, value);
    if (result.error !== undefined) return { state: 'thrown', error: this.#describe(result.error) };
    try {
      return { state: 'done', value: result.value.consume((text) => this.#readText(text)) };
    } catch (error) {
      if (!isOutOfMemory(error as Error)) throw error;
      return { state: 'thrown', error: { ...NO_ROOM, stack: '' } };
    }
  }

  /** Describes an error, which then counts as handled, and disposes of it. */
  #describe(handle: QuickJSHandle): ThrownError {
    using error = handle;
    this.#until = performance.now() + MESSAGE_MS;
    this.#attempt('markCaught', error);
    const name = this.#errorField(error, 'name') ?? 'Error';
    this.#wasInterrupted = false;
    const message = this.#errorField(error, 'message');
    const isTooSlow = this.#wasInterrupted;
    const stack = this.#errorField(error, 'stack') ?? '';
    this.#until = Number.POSITIVE_INFINITY;
    const thrown = boundError({ name, message: message ?? '', stack });
    if (message === undefined) return { ...thrown, ...(isTooSlow ? { message: NO_MESSAGE } : NO_ROOM) };
    // If there is no room for an error, the engine throws an empty value.
    const isEmpty = name === ENGINE_ERROR && message === '';
    const isNothing = isEmpty || message === 'null' || message === '[unsupported type]';
    return isNothing && this.isNearlyFull ? { ...thrown, ...NO_ROOM } : thrown;
  }

  #errorField(error: QuickJSHandle, field: ErrorField): string | undefined {
    using name = this.#context.newString(field);
    return this.#attempt('formatError', error, name);
  }

  #attempt(name: keyof Prelude, ...args: readonly QuickJSHandle[]): string | undefined {
    try {
      return this.#run(name, ...args);
    } catch {
      return undefined;
    }
  }

  /** Calls a function of the prelude. Returns its text. @throws Error if it fails */
  #run(name: keyof Prelude, ...args: readonly QuickJSHandle[]): string | undefined {
    using result = this.#call(name, ...args);
    return this.#readText(result);
  }

  #call(name: keyof Prelude, ...args: readonly QuickJSHandle[]): QuickJSHandle {
    const work = this.#functions.get(name) ?? this.#context.getProp(this.#prelude, name);
    this.#functions.set(name, work);
    // The other functions do not run the model's code, and must also complete when that is stopped.
    this.#isUninterruptible = name !== 'formatError';
    try {
      const result = this.#context.callFunction(work, this.#context.undefined, ...args);
      if (result.error === undefined) return result.value;
      result.error.dispose();
      throw new Error(`the sandbox cannot do its own work: ${name}`);
    } finally {
      this.#isUninterruptible = false;
    }
  }

  /**
   * Reads a text, which is passed as JSON; returns undefined for other values. @throws Error if there is no room for a
   * copy
   */
  #readText(handle: QuickJSHandle): string | undefined {
    if (this.#context.typeof(handle) !== 'string') return undefined;
    const json = this.#context.getString(handle);
    // JSON is never empty.
    if (json === '') throw createOutOfMemoryError();
    return JSON.parse(json) as string;
  }

  #createText(text: string): QuickJSHandle {
    this.#reserve(text);
    return this.#context.newString(text);
  }

  /** Reserves room for a text from outside, because the engine's own functions do not check for it. */
  #reserve(text: string): void {
    if (text.length < 256) return;
    using bytes = this.#context.newNumber(3 * text.length + 1024);
    using result = this.#context.callFunction(this.#allocate, this.#context.undefined, bytes);
    if (result.error !== undefined) throw createOutOfMemoryError();
  }

  #createHostFunctions(): QuickJSHandle {
    const context = this.#context;
    const host = this.#host;
    const functions = context.newObject();
    const define = (name: keyof HostFunctions, work: VmFunctionImplementation<QuickJSHandle>): void =>
      context.newFunction(name, work).consume((handle) => context.setProp(functions, name, handle));
    define('print', (json) => {
      host.print(this.#readText(json) as string);
    });
    define('requestCall', (callee, args) => {
      const json = context.getString(args);
      if (json === '') throw new RangeError(`${OUT_OF_MEMORY}: there is no room for the arguments; pass them in parts`);
      return context.newNumber(host.requestCall(context.getNumber(callee), json));
    });
    define('formatInLocale', (json) => this.#createText(formatInLocale(context.getString(json))));
    define('promiseStatus', (value) => this.#promiseStatus(value));
    return functions;
  }

  #promiseStatus(value: QuickJSHandle): QuickJSHandle {
    const context = this.#context;
    const state = context.getPromiseState(value);
    if (state.type === 'fulfilled' && state.notAPromise === true) return context.undefined;
    const status = context.newObject();
    context.newString(state.type).consume((text) => context.setProp(status, 'state', text));
    if (state.type === 'fulfilled') state.value.consume((inner) => context.setProp(status, 'value', inner));
    if (state.type === 'rejected') state.error.consume((error) => context.setProp(status, 'value', error));
    return status;
  }
}

/** Disposes of the value with which a promise was settled. Returns its state. */
function dispose(state: JSPromiseState): JSPromiseState['type'] {
  if (state.type === 'fulfilled' && state.notAPromise !== true) state.value.dispose();
  if (state.type === 'rejected') state.error.dispose();
  return state.type;
}
