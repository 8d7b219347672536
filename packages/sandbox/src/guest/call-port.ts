import type { ResultForm } from '../messages.ts';
import type { HostFunctions, Intrinsics } from './intrinsics.ts';
import type { UnhandledErrors } from './unhandled-errors.ts';

type Settle = (form: ResultForm, text: string) => void;

/** Requests calls and settles their promises, inside the engine. Only numbers of callees and JSON text leave it. */
export class CallPort {
  readonly #own: Intrinsics;
  readonly #host: HostFunctions;
  readonly #errors: UnhandledErrors;
  #pending: Record<number, Settle>;
  /** Numbers of the calls whose result nothing has read; and of every call, by its promise, which is not kept. */
  #unread: Record<number, true>;
  readonly #ids: WeakMap<object, number>;
  readonly #ResultPromise: PromiseConstructor;

  constructor(own: Intrinsics, host: HostFunctions, errors: UnhandledErrors) {
    this.#own = own;
    this.#host = host;
    this.#errors = errors;
    this.#pending = own.create(null) as Record<number, Settle>;
    this.#unread = own.create(null) as Record<number, true>;
    this.#ids = new own.WeakMap();
    this.#ResultPromise = this.#createPromiseClass();
  }

  /** Makes a call. Returns a promise, also when the call cannot be made. */
  request(callee: number, args: readonly unknown[]): Promise<unknown> {
    const own = this.#own;
    // The result comes from the host, so this is the only stack that leads to the code.
    const { stack } = new own.Error();
    const { promise, resolve, reject } = own.apply(own.withResolvers, this.#ResultPromise, []);
    try {
      const id = this.#host.requestCall(callee, this.#encode(args));
      own.apply(own.weakSet, this.#ids, [promise, id]);
      this.#unread[id] = true;
      this.#pending[id] = (form, text) => {
        if (form !== 'error') return resolve(form === 'json' ? own.parse(text) : text);
        const error = this.#createError(text, stack);
        this.#errors.add(error, id);
        reject(error);
      };
    } catch (error) {
      // Code that has no stack left fails everywhere.
      if (this.#messageOf(error) !== 'stack overflow') this.#errors.add(error, 0);
      reject(error);
    }
    return promise;
  }

  /** Settles a call. Throws where there is no room for the result; the call can then be settled with another one. */
  settle(id: number, form: ResultForm, text: string): void {
    this.#pending[id]?.(form, text);
    delete this.#pending[id];
  }

  /** Notes that something reads the result of a call, if the value is one. */
  markRead(promise: unknown): void {
    const id = this.#own.apply(this.#own.weakGet, this.#ids, [promise as object]) as number | undefined;
    if (id !== undefined) delete this.#unread[id];
  }

  /** Takes the numbers of the calls whose result nothing has read: `2,5`. */
  takeUnread(): string {
    const ids = this.#own.ownKeys(this.#unread) as string[];
    this.#unread = this.#own.create(null) as Record<number, true>;
    let text = '';
    for (let index = 0; index < ids.length; index++) text += (index > 0 ? ',' : '') + ids[index];
    return text;
  }

  forget(): void {
    this.#pending = this.#own.create(null) as Record<number, Settle>;
  }

  /** Arguments by position, as JSON, without those that are undefined. */
  #encode(args: readonly unknown[]): string {
    const length = this.#isFromMap(args) ? 1 : args.length;
    let text = '{';
    for (let index = 0; index < length; index++) {
      if (args[index] === undefined) continue;
      const json = this.#encodeArgument(args[index], 'argument ' + (index + 1));
      // In one go: arguments may be large, and each `+=` of a sum needs room for it twice.
      text = text + (text === '{' ? '"' : ',"') + index + '":' + json;
    }
    return text + '}';
  }

  /** True for what `files.map(read)` passes: the index and the list as well. */
  #isFromMap(args: readonly unknown[]): boolean {
    const index = args[1];
    const list = args[2];
    if (args.length !== 3 || typeof index !== 'number' || !this.#own.isArray(list)) return false;
    return (list as readonly unknown[])[index] === args[0];
  }

  #encodeArgument(value: unknown, where: string): string {
    const own = this.#own;
    if (typeof value === 'string') return own.stringify(value);
    const isObject = typeof value === 'object' && value !== null;
    // Code can decide what `instanceof` returns.
    if (isObject && this.#host.promiseStatus(value) !== undefined)
      throw new own.TypeError(where + ' is a promise: put await before it');
    if (isObject && own.apply(own.kindOf, value, []) === '[object RegExp]')
      throw new own.TypeError(where + ' is a RegExp: pass its text, as "TODO|FIXME"');
    try {
      const json = own.stringify(value, (key: string, part: unknown) => {
        const at = key === '' ? where : key + ' in ' + where;
        if (typeof part === 'bigint') throw new own.TypeError(at + ' is a bigint, which no tool takes: use Number(…)');
        // JSON has `{}` for a promise.
        if (typeof part === 'object' && part !== null && own.apply(own.kindOf, part, []) === '[object Promise]')
          throw new own.TypeError(at + ' is a promise: put await before it');
        return part;
      }) as string | undefined;
      if (json !== undefined) return json;
    } catch (error) {
      if (this.#messageOf(error) !== 'circular reference') throw error;
      throw new own.TypeError(where + ' contains itself: pass data without circles');
    }
    throw new own.TypeError(where + ' is a ' + typeof value + ', which no tool takes');
  }

  #messageOf(error: unknown): unknown {
    if (typeof error !== 'object' || error === null) return undefined;
    return this.#own.getOwnPropertyDescriptor(error, 'message')?.value;
  }

  /** The error of a tool. Where there is no room for its message, the engine's own error is better than none. */
  #createError(text: string, stack: string | undefined): unknown {
    const own = this.#own;
    try {
      const { name, message } = own.parse(text) as { readonly name: string; readonly message: string };
      const error = new own.Error(message);
      own.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
      own.defineProperty(error, 'stack', { value: stack, writable: true, configurable: true });
      return error;
    } catch (error) {
      return error;
    }
  }

  /**
   * A promise whose `then` cannot be replaced. It passes for a plain promise, so the engine awaits it at once; the engine
   * and everything else that awaits a promise reads its `constructor` first.
   */
  #createPromiseClass(): PromiseConstructor {
    const { Promise, defineProperty, freeze, getOwnPropertyDescriptor } = this.#own;
    const markRead = this.markRead.bind(this);
    const watched = {
      get constructor() {
        markRead(this);
        return Promise;
      },
    };
    class Result<T> extends Promise<T> {}
    defineProperty(Result.prototype, 'then', { value: this.#errors.patchedThen });
    defineProperty(Result.prototype, 'constructor', getOwnPropertyDescriptor(watched, 'constructor')!);
    freeze(Result.prototype);
    return freeze(Result) as PromiseConstructor;
  }
}
