import type { HostFunctions } from './host-functions.ts';
import type { Intrinsics } from './intrinsics.ts';

type Then = PromiseLike<unknown>['then'];

/**
 * Follows what goes wrong where nobody may be waiting: in calls, in async functions, in what is done with a promise.
 * Such an error is lost until something catches it. Runs inside the sandbox, from its own text.
 *
 * It is told of errors by the calls themselves, by hooks that prepared code has, and by functions of promises.
 */
export class LostErrors {
  /** What promises have as their `then`. */
  readonly followingThen: Then;
  readonly #own: Intrinsics;
  readonly #look: HostFunctions['look'];
  /** Numbers of the calls that failed with it, 0 for other errors, by what was thrown. */
  readonly #lost: Map<unknown, number>;
  /** Errors beyond those that are kept, which are counted as long as nothing catches them. */
  #more: WeakSet<object>;
  #moreCount = 0;
  /** Those that were told last, by place. */
  #told: Record<number, unknown>;
  /** Text of the functions that settle a promise: they pass on what they are given. */
  readonly #passing: string;
  readonly #note = (error: unknown): void => this.add(error, 0);
  /** Functions that are known to do anything else: the text of one may be long. */
  readonly #working: WeakSet<object>;

  constructor(own: Intrinsics, look: HostFunctions['look']) {
    this.#own = own;
    this.#look = look;
    this.#lost = new own.Map<unknown, number>();
    this.#more = new own.WeakSet();
    this.#told = own.create(null) as Record<number, unknown>;
    this.#working = new own.WeakSet();
    let settle: unknown;
    void new own.Promise((resolve) => (settle = resolve));
    this.#passing = own.apply(own.functionText, settle as () => void, []);
    this.followingThen = this.#makeThen();
    this.#install();
  }

  /** Notes that something was thrown. @param call number of the call that failed with it; 0 for everything else */
  add(error: unknown, call: number): void {
    const { apply, maps, sets } = this.#own;
    if (apply(maps.has, this.#lost, [error]) || apply(sets.has, this.#more, [error as object])) return;
    if (apply(maps.size, this.#lost, []) < 1000) return void apply(maps.set, this.#lost, [error, call]);
    // Texts and numbers cannot be held without being kept.
    if (typeof error !== 'object' || error === null) return;
    apply(sets.add, this.#more, [error]);
    this.#moreCount++;
  }

  /** Notes that something that was thrown was caught. */
  caught(error: unknown): void {
    const { apply, maps, sets } = this.#own;
    if (!apply(maps.remove, this.#lost, [error]) && apply(sets.remove, this.#more, [error as object]))
      this.#moreCount--;
  }

  /**
   * How many are lost, and numbers of the calls that failed with those that are kept, 0 for other errors: `3,7,0,0`.
   * Each is told once.
   */
  tell(): string {
    const { apply, maps, create } = this.#own;
    this.#told = create(null) as Record<number, unknown>;
    let text = '';
    let place = 0;
    const each = (call: number, error: unknown): void => {
      text += ',' + call;
      this.#told[place++] = error;
    };
    apply(maps.each, this.#lost, [each as (value: unknown, key: unknown) => void]);
    apply(maps.clear, this.#lost, []);
    const count = place + this.#moreCount;
    this.#more = new this.#own.WeakSet();
    this.#moreCount = 0;
    return count + text;
  }

  /** An error that was told last, by its place among them. */
  told(place: number): unknown {
    return this.#told[place];
  }

  #install(): void {
    const { defineProperty, global, Promise } = this.#own;
    const escaped = (error: unknown): unknown => (this.add(error, 0), error);
    // Prepared code calls these three.
    defineProperty(global, '__caught', { value: (error: unknown) => this.caught(error) });
    defineProperty(global, '__escaped', { value: escaped });
    defineProperty(global, '__made', { value: (promise: unknown) => this.#followed(promise) });
    defineProperty(Promise.prototype, 'then', { value: this.followingThen, writable: true, configurable: true });
    this.#replace('reject', (self, error, reject) => (escaped(error), this.#own.apply(reject, self, [error])));
    const names = ['all', 'allSettled', 'race'];
    for (let index = 0; index < names.length; index++) {
      this.#replace(names[index]!, (self, inputs, combine) => this.#combined(self, inputs, combine));
    }
    // It fails with an error of its own.
    this.#replace('any', (self, inputs, combine) => this.#followed(this.#combined(self, inputs, combine)));
    this.#replaceMakers();
  }

  /** The other functions of `Promise` that make promises, as far as the engine has them. */
  #replaceMakers(): void {
    const { apply, defineProperty, getOwnPropertyDescriptor, Promise } = this.#own;
    const followed = this.#followed.bind(this);
    const original = Promise as unknown as Record<string, (this: unknown, ...args: unknown[]) => unknown>;
    const { try: attempt, withResolvers } = original;
    const made = {
      try(this: unknown, ...args: unknown[]) {
        return followed(apply(attempt!, this, args));
      },
      withResolvers(this: unknown) {
        const parts = apply(withResolvers!, this, []) as object;
        followed(getOwnPropertyDescriptor(parts, 'promise')?.value);
        return parts;
      },
    };
    const replace = (name: 'try' | 'withResolvers'): void => {
      if (original[name] === undefined) return;
      defineProperty(Promise, name, { value: made[name], writable: true, configurable: true });
    };
    replace('try');
    replace('withResolvers');
  }

  /** Notes what a promise is rejected with, before anything else can hear of it. Returns what it is given. */
  #followed<T>(promise: T): T {
    const { apply, promiseThen } = this.#own;
    try {
      void apply(promiseThen, promise as unknown as Promise<unknown>, [undefined, this.#note]);
    } catch {
      // It is no promise: code has a `Promise` of its own.
    }
    return promise;
  }

  #replace(
    name: string,
    work: (self: unknown, value: unknown, original: (value: unknown) => unknown) => unknown,
  ): void {
    const { defineProperty, Promise } = this.#own;
    const original = (Promise as unknown as Record<string, (value: unknown) => unknown>)[name]!;
    const made = {
      [name](this: unknown, value: unknown) {
        return work(this, value, original);
      },
    };
    defineProperty(Promise, name, { value: made[name], writable: true, configurable: true });
  }

  /** What fails besides the one failure that is passed on is nobody's business any more. */
  #combined(self: unknown, inputs: unknown, combine: (inputs: unknown) => unknown): unknown {
    const { apply, promiseThen, promiseReject } = this.#own;
    let list: unknown[];
    try {
      list = [...(inputs as Iterable<unknown>)];
    } catch (error) {
      return apply(promiseReject, self as PromiseConstructor, [error]);
    }
    const result = apply(combine, self, [list]);
    const failed = (error: unknown): void => {
      const look = typeof result === 'object' && result !== null ? this.#look(result) : undefined;
      if (look?.state !== 'rejected' || look.value !== error) this.caught(error);
    };
    for (let index = 0; index < list.length; index++) {
      const one = list[index];
      if (typeof one !== 'object' || one === null) continue;
      try {
        void apply(promiseThen, one as Promise<unknown>, [undefined, failed]);
      } catch {
        // It is no promise.
      }
    }
    return result;
  }

  #makeThen(): Then {
    const { apply, promiseThen } = this.#own;
    const handler = this.#handler.bind(this);
    const passes = this.#passes.bind(this);
    const made = {
      // oxlint-disable-next-line unicorn/no-thenable -- it is that of promises
      then(this: Promise<unknown>, onValue: unknown, onError: unknown): unknown {
        const isPassedOn = passes(onError) && onError !== onValue && passes(onValue);
        return apply(promiseThen, this, [handler(onValue, false), isPassedOn ? onError : handler(onError, true)]);
      },
    };
    // oxlint-disable-next-line typescript/unbound-method -- promises bind it
    return made.then as unknown as Then;
  }

  /**
   * True for a function that settles a promise. As one of two it is that which fails it; alone it may as well be the
   * other, which takes an error for a value.
   */
  #passes(handler: unknown): handler is (value: unknown) => unknown {
    const { apply, functionText, sets } = this.#own;
    if (typeof handler !== 'function' || apply(sets.has, this.#working, [handler])) return false;
    if (apply(functionText, handler as () => void, []) === this.#passing) return true;
    apply(sets.add, this.#working, [handler]);
    return false;
  }

  #handler(handler: unknown, catches: boolean): undefined | ((value: unknown) => unknown) {
    if (typeof handler !== 'function') return undefined;
    if (!catches && this.#passes(handler)) return handler;
    const work = handler as (value: unknown) => unknown;
    return (value) => {
      if (catches) this.caught(value);
      try {
        return this.#own.apply(work, undefined, [value]);
      } catch (error) {
        this.add(error, 0);
        throw error;
      }
    };
  }
}
