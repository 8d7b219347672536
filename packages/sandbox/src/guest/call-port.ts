import type { ResultForm } from '../messages.ts';
import type { HostFunctions, Intrinsics } from './intrinsics.ts';
import type { UnhandledErrors } from './unhandled-errors.ts';

type Settle = (form: ResultForm, text: string) => void;

export type CallPort = ReturnType<typeof createCallPort>;

/**
 * Requests calls and settles their promises inside the engine. Only numbers of callees and JSON text leave the engine.
 */
export function createCallPort(own: Intrinsics, host: HostFunctions, errors: UnhandledErrors) {
  const { apply, create, defineProperty, Error, freeze, getOwnPropertyDescriptor, isArray, kindOf, ownKeys } = own;
  const { parse, Promise, stringify, TypeError, WeakMap, weakGet, weakSet, withResolvers } = own;
  let pending = create(null) as Record<number, Settle>;
  /**
   * Numbers of the calls whose result has not been read; and the number of every call, by its promise, which is not
   * kept alive.
   */
  let unread = create(null) as Record<number, true>;
  const ids = new WeakMap<object, number>();
  const ResultPromise = createPromiseClass();

  /** Requests a call. Returns a promise, even if the call cannot be made. */
  function request(callee: number, args: readonly unknown[]): Promise<unknown> {
    // The result comes from the host, so this is the only stack that leads to the code.
    const { stack } = new Error();
    const { promise, resolve, reject } = apply(withResolvers, ResultPromise, []);
    try {
      const id = host.requestCall(callee, encode(args));
      apply(weakSet, ids, [promise, id]);
      unread[id] = true;
      pending[id] = (form, text) => {
        if (form !== 'error') return resolve(form === 'json' ? parse(text) : text);
        const error = createError(text, stack);
        errors.add(error, id);
        reject(error);
      };
    } catch (error) {
      // Code that has no stack left fails everywhere.
      if (readMessage(error) !== 'stack overflow') errors.add(error, 0);
      reject(error);
    }
    return promise;
  }

  /** Settles a call. Throws if there is no room for the result; the call can then be settled with another result. */
  function settle(id: number, form: ResultForm, text: string): void {
    pending[id]?.(form, text);
    delete pending[id];
  }

  /** Records that the result of a call is being read, if the value is one. */
  function markRead(promise: unknown): void {
    const id = apply(weakGet, ids, [promise as object]) as number | undefined;
    if (id !== undefined) delete unread[id];
  }

  /** Returns and clears the numbers of the calls whose result has not been read: `2,5`. */
  function takeUnread(): string {
    const ids = ownKeys(unread) as string[];
    unread = create(null) as Record<number, true>;
    let text = '';
    for (let index = 0; index < ids.length; index++) text += (index > 0 ? ',' : '') + ids[index];
    return text;
  }

  function forget(): void {
    pending = create(null) as Record<number, Settle>;
  }

  /** Encodes arguments by position as JSON, without those that are undefined. */
  function encode(args: readonly unknown[]): string {
    const length = isFromMap(args) ? 1 : args.length;
    let text = '{';
    for (let index = 0; index < length; index++) {
      if (args[index] === undefined) continue;
      const json = encodeArgument(args[index], 'argument ' + (index + 1));
      // Joined in one expression: arguments may be large, and each `+=` would need room for the text twice.
      text = text + (text === '{' ? '"' : ',"') + index + '":' + json;
    }
    return text + '}';
  }

  /** Returns true for the arguments that `files.map(read)` passes, which include the index and the list. */
  function isFromMap(args: readonly unknown[]): boolean {
    const index = args[1];
    const list = args[2];
    if (args.length !== 3 || typeof index !== 'number' || !isArray(list)) return false;
    return (list as readonly unknown[])[index] === args[0];
  }

  function encodeArgument(value: unknown, where: string): string {
    if (typeof value === 'string') return stringify(value);
    const isObject = typeof value === 'object' && value !== null;
    // Code can control the result of `instanceof`, so it is not used.
    if (isObject && host.promiseStatus(value) !== undefined)
      throw new TypeError(where + ' is a promise: put await before it');
    if (isObject && apply(kindOf, value, []) === '[object RegExp]')
      throw new TypeError(where + ' is a RegExp: pass its text, as "TODO|FIXME"');
    try {
      const json = stringify(value, (key: string, part: unknown) => {
        const at = key === '' ? where : key + ' in ' + where;
        if (typeof part === 'bigint') throw new TypeError(at + ' is a bigint, which no tool takes: use Number(…)');
        // JSON would encode a promise as `{}`.
        if (typeof part === 'object' && part !== null && apply(kindOf, part, []) === '[object Promise]')
          throw new TypeError(at + ' is a promise: put await before it');
        return part;
      }) as string | undefined;
      if (json !== undefined) return json;
    } catch (error) {
      if (readMessage(error) !== 'circular reference') throw error;
      throw new TypeError(where + ' contains itself: pass data without circles');
    }
    throw new TypeError(where + ' is a ' + typeof value + ', which no tool takes');
  }

  function readMessage(error: unknown): unknown {
    if (typeof error !== 'object' || error === null) return undefined;
    return getOwnPropertyDescriptor(error, 'message')?.value;
  }

  /** Creates the error of a tool. If there is no room for its message, returns the engine's own error. */
  function createError(text: string, stack: string | undefined): unknown {
    try {
      const { name, message } = parse(text) as { readonly name: string; readonly message: string };
      const error = new Error(message);
      defineProperty(error, 'name', { value: name, writable: true, configurable: true });
      defineProperty(error, 'stack', { value: stack, writable: true, configurable: true });
      return error;
    } catch (error) {
      return error;
    }
  }

  /**
   * Creates a promise class whose `then` cannot be replaced. Its objects are treated as plain promises, so that the
   * engine awaits them immediately; the engine and any other code that awaits a promise reads its `constructor` first.
   */
  function createPromiseClass(): PromiseConstructor {
    const watched = {
      get constructor() {
        markRead(this);
        return Promise;
      },
    };
    class Result<T> extends Promise<T> {}
    defineProperty(Result.prototype, 'then', { value: errors.patchedThen });
    defineProperty(Result.prototype, 'constructor', getOwnPropertyDescriptor(watched, 'constructor')!);
    freeze(Result.prototype);
    return freeze(Result) as PromiseConstructor;
  }

  return { request, settle, markRead, takeUnread, forget };
}
