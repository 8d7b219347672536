import type { HostFunctions, Intrinsics } from './intrinsics.ts';

type Then = PromiseLike<unknown>['then'];
type Native = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Tracks errors that nothing has caught yet: of calls, of async functions, of handlers of promises. They are reported by
 * the calls themselves, by hooks in prepared code, and by the functions of `Promise`, which it replaces.
 */
export class UnhandledErrors {
  /** The `then` of every promise. */
  readonly patchedThen: Then;
  readonly #own: Intrinsics;
  readonly #promiseStatus: HostFunctions['promiseStatus'];
  /** Numbers of the calls that failed, 0 for other errors, by what was thrown. */
  readonly #errors: Map<unknown, number>;
  /** Errors beyond those that are kept: they are counted until something catches them. */
  #others: WeakSet<object>;
  #otherCount = 0;
  /** The errors that were taken last. */
  #taken: Record<number, unknown>;
  /** Source text of the functions that settle a promise. */
  readonly #settlerText: string;
  /** Functions that are known not to settle a promise: the text of a function may be long. */
  readonly #workers: WeakSet<object>;

  constructor(own: Intrinsics, promiseStatus: HostFunctions['promiseStatus']) {
    this.#own = own;
    this.#promiseStatus = promiseStatus;
    this.#errors = new own.Map<unknown, number>();
    this.#others = new own.WeakSet();
    this.#taken = own.create(null) as Record<number, unknown>;
    this.#workers = new own.WeakSet();
    let settle: unknown;
    void new own.Promise((resolve) => (settle = resolve));
    this.#settlerText = own.apply(own.functionText, settle as () => void, []);
    this.patchedThen = this.#createThen();
    this.#install();
  }

  /** Notes an error. @param call number of the call that failed with it; 0 for other errors */
  add(error: unknown, call: number): void {
    const { apply, maps, sets } = this.#own;
    if (apply(maps.has, this.#errors, [error]) || apply(sets.has, this.#others, [error as object])) return;
    if (apply(maps.size, this.#errors, []) < 1000) return void apply(maps.set, this.#errors, [error, call]);
    // Texts and numbers cannot be held weakly.
    if (typeof error !== 'object' || error === null) return;
    apply(sets.add, this.#others, [error]);
    this.#otherCount++;
  }

  /** Notes that an error was caught. */
  remove(error: unknown): void {
    const { apply, maps, sets } = this.#own;
    if (!apply(maps.remove, this.#errors, [error]) && apply(sets.remove, this.#others, [error as object]))
      this.#otherCount--;
  }

  /** Takes all errors. Returns their number, then the number of the call for each that was kept: `3,7,0,0`. */
  takeAll(): string {
    const { apply, maps, create } = this.#own;
    this.#taken = create(null) as Record<number, unknown>;
    let text = '';
    let index = 0;
    const each = (call: number, error: unknown): void => {
      text += ',' + call;
      this.#taken[index++] = error;
    };
    apply(maps.each, this.#errors, [each as (value: unknown, key: unknown) => void]);
    apply(maps.clear, this.#errors, []);
    const count = index + this.#otherCount;
    this.#others = new this.#own.WeakSet();
    this.#otherCount = 0;
    return count + text;
  }

  /** One of the errors that were taken last. */
  takenAt(index: number): unknown {
    return this.#taken[index];
  }

  #install(): void {
    const { apply, defineProperty, getOwnPropertyDescriptor, global, Promise } = this.#own;
    const escaped = (error: unknown): unknown => (this.add(error, 0), error);
    // Prepared code calls these three.
    defineProperty(global, '__caught', { value: (error: unknown) => this.remove(error) });
    defineProperty(global, '__escaped', { value: escaped });
    defineProperty(global, '__made', { value: (promise: unknown) => this.#follow(promise) });
    defineProperty(Promise.prototype, 'then', { value: this.patchedThen, writable: true, configurable: true });
    const combine = (self: unknown, args: IArguments, native: Native): unknown => this.#combine(self, args[0], native);
    this.#replace('all', combine);
    this.#replace('allSettled', combine);
    this.#replace('race', combine);
    // It fails with an error of its own.
    this.#replace('any', (self, args, native) => this.#follow(this.#combine(self, args[0], native)));
    this.#replace('reject', (self, args, native) => (escaped(args[0]), apply(native, self, args)));
    this.#replace('try', (self, args, native) => this.#follow(apply(native, self, args)));
    this.#replace('withResolvers', (self, args, native) => {
      const parts = apply(native, self, args) as object;
      this.#follow(getOwnPropertyDescriptor(parts, 'promise')?.value);
      return parts;
    });
  }

  /** Replaces a function of `Promise`, if the engine has it. */
  #replace(name: string, work: (self: unknown, args: IArguments, native: Native) => unknown): void {
    const { defineProperty, Promise } = this.#own;
    const native = (Promise as unknown as Record<string, Native | undefined>)[name];
    if (native === undefined) return;
    const made = {
      [name](this: unknown, _first: unknown) {
        return work(this, arguments, native);
      },
    };
    defineProperty(Promise, name, { value: made[name], writable: true, configurable: true });
  }

  /** Notes what a promise is rejected with, before anything else learns of it. Returns the promise. */
  #follow<T>(promise: T): T {
    this.#onRejection(promise, (error) => this.add(error, 0));
    return promise;
  }

  /** Combines promises. Only the failure that is passed on can still be unhandled. */
  #combine(self: unknown, inputs: unknown, native: Native): unknown {
    const { apply, promiseReject } = this.#own;
    let list: unknown[];
    try {
      list = [...(inputs as Iterable<unknown>)];
    } catch (error) {
      return apply(promiseReject, self as PromiseConstructor, [error]);
    }
    const result = apply(native, self, [list]);
    const failed = (error: unknown): void => {
      const status = typeof result === 'object' && result !== null ? this.#promiseStatus(result) : undefined;
      if (status?.state !== 'rejected' || status.value !== error) this.remove(error);
    };
    for (let index = 0; index < list.length; index++) this.#onRejection(list[index], failed);
    return result;
  }

  #onRejection(promise: unknown, handler: (error: unknown) => void): void {
    if (typeof promise !== 'object' || promise === null) return;
    try {
      void this.#own.apply(this.#own.promiseThen, promise as Promise<unknown>, [undefined, handler]);
    } catch {
      // It is not a promise.
    }
  }

  #createThen(): Then {
    const { apply, promiseThen } = this.#own;
    const wrap = this.#wrapHandler.bind(this);
    const isSettler = this.#isSettler.bind(this);
    const made = {
      // oxlint-disable-next-line unicorn/no-thenable -- it is that of promises
      then(this: Promise<unknown>, onValue: unknown, onError: unknown): unknown {
        const isPassedOn = isSettler(onError) && onError !== onValue && isSettler(onValue);
        return apply(promiseThen, this, [wrap(onValue, false), isPassedOn ? onError : wrap(onError, true)]);
      },
    };
    // oxlint-disable-next-line typescript/unbound-method -- promises bind it
    return made.then as unknown as Then;
  }

  /**
   * True for a function that settles a promise. As one of a pair it passes an error on; alone it may be the function
   * that resolves, which takes the error as a value.
   */
  #isSettler(handler: unknown): handler is (value: unknown) => unknown {
    const { apply, functionText, sets } = this.#own;
    if (typeof handler !== 'function' || apply(sets.has, this.#workers, [handler])) return false;
    if (apply(functionText, handler as () => void, []) === this.#settlerText) return true;
    apply(sets.add, this.#workers, [handler]);
    return false;
  }

  /** A handler that notes what it catches and what it throws. */
  #wrapHandler(handler: unknown, catches: boolean): undefined | ((value: unknown) => unknown) {
    if (typeof handler !== 'function') return undefined;
    if (!catches && this.#isSettler(handler)) return handler;
    return (value) => {
      if (catches) this.remove(value);
      try {
        return this.#own.apply(handler as Native, undefined, [value]);
      } catch (error) {
        this.add(error, 0);
        throw error;
      }
    };
  }
}
