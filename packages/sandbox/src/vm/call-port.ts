import type { AnswerForm } from '../message.ts';
import type { HostFunctions } from './host-functions.ts';
import type { Intrinsics } from './intrinsics.ts';
import type { LostErrors } from './lost-errors.ts';

type Settle = (form: AnswerForm, text: string) => void;

/**
 * Asks for calls and hands out their answers. Runs inside the sandbox, from its own text.
 *
 * All that leaves it is the number of what is called, and JSON text.
 */
export class CallPort {
  readonly #own: Intrinsics;
  readonly #ask: HostFunctions['ask'];
  readonly #look: HostFunctions['look'];
  readonly #lost: LostErrors;
  /** What settles the calls without an answer, by number. */
  readonly #open: Record<number, Settle>;
  /** Numbers of the calls whose answer nobody has asked for yet; and of every call, by its promise. */
  #unasked: Record<number, true>;
  readonly #ids: WeakMap<object, number>;
  readonly #Answer: PromiseConstructor;

  constructor(own: Intrinsics, { ask, look }: HostFunctions, lost: LostErrors) {
    this.#own = own;
    this.#ask = ask;
    this.#look = look;
    this.#lost = lost;
    this.#open = own.create(null) as Record<number, never>;
    this.#unasked = own.create(null) as Record<number, true>;
    this.#ids = new own.WeakMap();
    this.#Answer = this.#answerClass();
  }

  /** Makes a call; what goes wrong with that is an answer, too. */
  request(call: number, args: readonly unknown[]): Promise<unknown> {
    const own = this.#own;
    // Where the call is made: its answer comes from nowhere.
    const site = new own.Error();
    let resolve!: (value: unknown) => void;
    let reject!: (error: unknown) => void;
    const answer = new this.#Answer((onValue, onError) => {
      resolve = onValue;
      reject = onError;
    });
    try {
      const id = this.#ask(call, this.#written(args));
      own.apply(own.weakSet, this.#ids, [answer, id]);
      this.#unasked[id] = true;
      this.#open[id] = (form, text) => {
        if (form !== 'error') return resolve(form === 'json' ? own.parse(text) : text);
        const error = this.#failure(text, site);
        this.#lost.add(error, id);
        reject(error);
      };
    } catch (error) {
      if (!this.#isOverflow(error)) this.#lost.add(error, 0);
      reject(error);
    }
    return answer;
  }

  /** Gives a call its answer. Throws where there is no room for it; the call can be given another one then. */
  settle(id: number, form: AnswerForm, text: string): void {
    this.#open[id]?.(form, text);
    delete this.#open[id];
  }

  /** Notes that somebody asks for the answer of a call. */
  asked(promise: unknown): void {
    const id = this.#own.apply(this.#own.weakGet, this.#ids, [promise as object]) as number | undefined;
    if (id !== undefined) delete this.#unasked[id];
  }

  /** Numbers of the calls whose answer nobody has asked for, each told once: `2,5`. */
  unasked(): string {
    const ids = this.#own.ownKeys(this.#unasked) as string[];
    this.#unasked = this.#own.create(null) as Record<number, true>;
    let text = '';
    for (let index = 0; index < ids.length; index++) text += (index > 0 ? ',' : '') + ids[index];
    return text;
  }

  /** Forgets the calls that will have no answer any more. */
  forget(): void {
    const ids = this.#own.ownKeys(this.#open) as unknown as number[];
    for (let index = 0; index < ids.length; index++) delete this.#open[ids[index] as number];
  }

  /** Arguments by position, as JSON; those that were left out are left out. */
  #written(args: readonly unknown[]): string {
    const own = this.#own;
    const length = this.#isOfMap(args) ? 1 : args.length;
    let text = '{';
    for (let index = 0; index < length; index++) {
      const value = args[index];
      if (value === undefined) continue;
      const where = 'argument ' + (index + 1);
      const isObject = typeof value === 'object' && value !== null;
      // Code has a say in what `instanceof` answers.
      if (isObject && this.#look(value) !== undefined)
        throw new own.TypeError(where + ' is a promise: put await before it');
      if (typeof value === 'bigint') throw this.#bigInt(where);
      if (isObject && own.apply(own.kindOf, value, []) === '[object RegExp]')
        throw new own.TypeError(where + ' is a RegExp: pass its text, as "TODO|FIXME"');
      const json = isObject ? this.#json(value, where) : (own.stringify(value) as string | undefined);
      if (json === undefined) throw new own.TypeError(where + ' is a ' + typeof value + ', which no tool takes');
      // In one go: arguments may be large, and each `+=` of a sum needs room for it twice.
      text = text + (text === '{' ? '"' : ',"') + index + '":' + json;
    }
    return text + '}';
  }

  /** True for what `files.map(read)` passes: the place and the list as well. */
  #isOfMap(args: readonly unknown[]): boolean {
    const index = args[1];
    const list = args[2];
    if (args.length !== 3 || typeof index !== 'number' || !this.#own.isArray(list)) return false;
    return (list as readonly unknown[])[index] === args[0];
  }

  #json(value: object, where: string): string | undefined {
    const own = this.#own;
    try {
      return own.stringify(value, this.#refusing(where));
    } catch (error) {
      if (this.#messageOf(error) !== 'circular reference') throw error;
      throw new own.TypeError(where + ' contains itself: pass data without circles');
    }
  }

  #bigInt(where: string): Error {
    return new this.#own.TypeError(where + ' is a bigint, which no tool takes: use Number(…)');
  }

  /** JSON has `{}` for a promise. */
  #refusing(where: string): (key: string, value: unknown) => unknown {
    const own = this.#own;
    return (key, value) => {
      if (typeof value === 'bigint') throw this.#bigInt(key + ' in ' + where);
      if (typeof value === 'object' && value !== null && own.apply(own.kindOf, value, []) === '[object Promise]')
        throw new own.TypeError(key + ' in ' + where + ' is a promise: put await before it');
      return value;
    };
  }

  /** True for code that has no stack left, and fails everywhere. */
  #isOverflow(error: unknown): boolean {
    return this.#messageOf(error) === 'stack overflow';
  }

  #messageOf(error: unknown): unknown {
    if (typeof error !== 'object' || error === null) return undefined;
    return this.#own.getOwnPropertyDescriptor(error, 'message')?.value;
  }

  /** Where there is no room for the words of the tool, the engine's own are better than no answer. */
  #failure(text: string, site: Error): unknown {
    const own = this.#own;
    try {
      const { name, message } = own.parse(text) as { readonly name: string; readonly message: string };
      const error = new own.Error(message);
      own.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
      own.defineProperty(error, 'stack', { value: site.stack, writable: true, configurable: true });
      return error;
    } catch (error) {
      return error;
    }
  }

  /**
   * A promise whose `then` cannot be replaced. It passes for a plain one, so that the engine awaits it at once; whoever
   * waits for a promise, the engine too, looks at its `constructor` first.
   */
  #answerClass(): PromiseConstructor {
    const { Promise, defineProperty, freeze } = this.#own;
    const noteAsked = this.asked.bind(this);
    const watched = {
      get constructor() {
        noteAsked(this);
        return Promise;
      },
    };
    class Answer<T> extends Promise<T> {}
    defineProperty(Answer.prototype, 'then', { value: this.#lost.followingThen });
    defineProperty(Answer.prototype, 'constructor', this.#own.getOwnPropertyDescriptor(watched, 'constructor')!);
    freeze(Answer.prototype);
    return freeze(Answer) as PromiseConstructor;
  }
}
