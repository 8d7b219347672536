import type { HostFunctions, Intrinsics } from './intrinsics.ts';

type Then = PromiseLike<unknown>['then'];
type Native = (this: unknown, ...args: unknown[]) => unknown;

export type UnhandledErrors = ReturnType<typeof createUnhandledErrors>;

/**
 * Tracks errors that nothing has caught yet: those of calls, of async functions, of promise handlers. They are reported
 * by the calls themselves, by hooks in prepared code, and by the functions of `Promise`, which are replaced here.
 */
export function createUnhandledErrors(own: Intrinsics, promiseStatus: HostFunctions['promiseStatus']) {
  const { apply, create, defineProperty, functionText, getOwnPropertyDescriptor, global, maps, Promise } = own;
  const { promiseReject, promiseThen, sets, WeakSet } = own;
  /** Number of the failed call, or 0 for other errors, by the thrown value. */
  const errors = new own.Map<unknown, number>();
  /** Errors beyond those that are kept: they are only counted until something catches them. */
  let others = new WeakSet();
  let otherCount = 0;
  /** Errors that were taken last. */
  let taken = create(null) as Record<number, unknown>;
  /** Functions that are known not to settle a promise, cached because the text of a function may be long. */
  const workers = new WeakSet();
  let settle: unknown;
  void new Promise((resolve) => (settle = resolve));
  /** Source text of the functions that settle a promise. */
  const settlerText = apply(functionText, settle as () => void, []);
  /** `then` function of every promise. */
  const patchedThen = createThen();

  /** Records an error. @param call the number of the call that failed with it; 0 for other errors */
  function add(error: unknown, call: number): void {
    if (apply(maps.has, errors, [error]) || apply(sets.has, others, [error as object])) return;
    if (apply(maps.size, errors, []) < 1000) return void apply(maps.set, errors, [error, call]);
    // Texts and numbers cannot be held weakly.
    if (typeof error !== 'object' || error === null) return;
    apply(sets.add, others, [error]);
    otherCount++;
  }

  function noteEscaped(error: unknown): unknown {
    add(error, 0);
    return error;
  }

  /** Records that an error was caught. */
  function remove(error: unknown): void {
    if (!apply(maps.remove, errors, [error]) && apply(sets.remove, others, [error as object])) otherCount--;
  }

  /**
   * Returns and clears all errors: their number, then the number of the call for each one that was kept, as `3,7,0,0`.
   */
  function takeAll(): string {
    taken = create(null) as Record<number, unknown>;
    let text = '';
    let index = 0;
    const each = (call: number, error: unknown): void => {
      text += ',' + call;
      taken[index++] = error;
    };
    apply(maps.each, errors, [each as (value: unknown, key: unknown) => void]);
    apply(maps.clear, errors, []);
    const count = index + otherCount;
    others = new WeakSet();
    otherCount = 0;
    return count + text;
  }

  /** Returns one of the errors that were taken last. */
  function takenAt(index: number): unknown {
    return taken[index];
  }

  /** Replaces a function of `Promise`, if the engine has it. */
  function replace(name: string, work: (self: unknown, args: IArguments, native: Native) => unknown): void {
    const native = (Promise as unknown as Record<string, Native | undefined>)[name];
    if (native === undefined) return;
    const made = {
      [name](this: unknown, _first: unknown) {
        return work(this, arguments, native);
      },
    };
    defineProperty(Promise, name, { value: made[name], writable: true, configurable: true });
  }

  /** Records the error with which a promise is rejected, before any other handler sees it. Returns the promise. */
  function follow<T>(promise: T): T {
    onRejection(promise, (error) => add(error, 0));
    return promise;
  }

  /** Combines promises. Only the failure that is passed on can still be unhandled. */
  function combine(self: unknown, args: IArguments, native: Native): unknown {
    let list: unknown[];
    try {
      list = [...(args[0] as Iterable<unknown>)];
    } catch (error) {
      return apply(promiseReject, self as PromiseConstructor, [error]);
    }
    const result = apply(native, self, [list]);
    const failed = (error: unknown): void => {
      const status = typeof result === 'object' && result !== null ? promiseStatus(result) : undefined;
      if (status?.state !== 'rejected' || status.value !== error) remove(error);
    };
    for (let index = 0; index < list.length; index++) onRejection(list[index], failed);
    return result;
  }

  function onRejection(promise: unknown, handler: (error: unknown) => void): void {
    if (typeof promise !== 'object' || promise === null) return;
    try {
      void apply(promiseThen, promise as Promise<unknown>, [undefined, handler]);
    } catch {
      // Not a promise.
    }
  }

  function createThen(): Then {
    const made = {
      // oxlint-disable-next-line unicorn/no-thenable -- it is that of promises
      then(this: Promise<unknown>, onValue: unknown, onError: unknown): unknown {
        const isPassedOn = isSettler(onError) && onError !== onValue && isSettler(onValue);
        return apply(promiseThen, this, [
          wrapHandler(onValue, false),
          isPassedOn ? onError : wrapHandler(onError, true),
        ]);
      },
    };
    // oxlint-disable-next-line typescript/unbound-method -- promises bind it
    return made.then as unknown as Then;
  }

  /**
   * Returns true for a function that settles a promise. As one of a pair it passes an error on; alone it may be the
   * resolving function, which takes the error as a value.
   */
  function isSettler(handler: unknown): handler is (value: unknown) => unknown {
    if (typeof handler !== 'function' || apply(sets.has, workers, [handler])) return false;
    if (apply(functionText, handler as () => void, []) === settlerText) return true;
    apply(sets.add, workers, [handler]);
    return false;
  }

  /** Returns a handler that records the errors that it catches and throws. */
  function wrapHandler(handler: unknown, catches: boolean): undefined | ((value: unknown) => unknown) {
    if (typeof handler !== 'function') return undefined;
    if (!catches && isSettler(handler)) return handler;
    return (value) => {
      if (catches) remove(value);
      try {
        return apply(handler as Native, undefined, [value]);
      } catch (error) {
        add(error, 0);
        throw error;
      }
    };
  }

  // Prepared code calls these three functions.
  defineProperty(global, '__caught', { value: (error: unknown) => remove(error) });
  defineProperty(global, '__escaped', { value: noteEscaped });
  defineProperty(global, '__made', { value: (promise: unknown) => follow(promise) });
  defineProperty(Promise.prototype, 'then', { value: patchedThen, writable: true, configurable: true });
  replace('all', combine);
  replace('allSettled', combine);
  replace('race', combine);
  // `any` fails with its own error.
  replace('any', (self, args, native) => follow(combine(self, args, native)));
  replace('reject', (self, args, native) => (noteEscaped(args[0]), apply(native, self, args)));
  replace('try', (self, args, native) => follow(apply(native, self, args)));
  replace('withResolvers', (self, args, native) => {
    const parts = apply(native, self, args) as object;
    follow(getOwnPropertyDescriptor(parts, 'promise')?.value);
    return parts;
  });
  return { add, remove, takeAll, takenAt, patchedThen };
}
