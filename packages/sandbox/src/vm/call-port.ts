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
  readonly #Answer: PromiseConstructor;

  constructor(own: Intrinsics, { ask, look }: HostFunctions, lost: LostErrors) {
    this.#own = own;
    this.#ask = ask;
    this.#look = look;
    this.#lost = lost;
    this.#open = own.create(null) as Record<number, never>;
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

  /** Gives a call its answer. */
  settle(id: number, form: AnswerForm, text: string): void {
    const settle = this.#open[id];
    delete this.#open[id];
    settle?.(form, text);
  }

  /** Forgets the calls that will have no answer any more. */
  forget(): void {
    const ids = this.#own.ownKeys(this.#open) as unknown as number[];
    for (let index = 0; index < ids.length; index++) delete this.#open[ids[index] as number];
  }

  /** Arguments by position, as JSON; those that were left out are left out. */
  #written(args: readonly unknown[]): string {
    const own = this.#own;
    let text = '{';
    for (let index = 0; index < args.length; index++) {
      const value = args[index];
      if (value === undefined) continue;
      const where = 'argument ' + (index + 1);
      const isObject = typeof value === 'object' && value !== null;
      // Code has a say in what `instanceof` answers.
      if (isObject && this.#look(value) !== undefined)
        throw new own.TypeError(where + ' is a promise: put await before it');
      const json = (isObject ? own.stringify(value, this.#refusing(where)) : own.stringify(value)) as
        | string
        | undefined;
      if (json === undefined) throw new own.TypeError(where + ' is a ' + typeof value + ', which no tool takes');
      // In one go: arguments may be large, and each `+=` of a sum needs room for it twice.
      text = text + (text === '{' ? '"' : ',"') + index + '":' + json;
    }
    return text + '}';
  }

  /** JSON has `{}` for a promise. */
  #refusing(where: string): (key: string, value: unknown) => unknown {
    const own = this.#own;
    return (key, value) => {
      if (typeof value === 'object' && value !== null && own.apply(own.kindOf, value, []) === '[object Promise]')
        throw new own.TypeError(key + ' in ' + where + ' is a promise: put await before it');
      return value;
    };
  }

  /** True for code that has no stack left, and fails everywhere. */
  #isOverflow(error: unknown): boolean {
    if (typeof error !== 'object' || error === null) return false;
    return this.#own.getOwnPropertyDescriptor(error, 'message')?.value === 'stack overflow';
  }

  #failure(text: string, site: Error): Error {
    const own = this.#own;
    const { name, message } = own.parse(text) as { readonly name: string; readonly message: string };
    const error = new own.Error(message);
    own.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
    own.defineProperty(error, 'stack', { value: site.stack, writable: true, configurable: true });
    return error;
  }

  /**
   * A promise whose `then` cannot be replaced. It passes for a plain one, so that the engine awaits it without asking
   * any function.
   */
  #answerClass(): PromiseConstructor {
    const { Promise, defineProperty, freeze } = this.#own;
    class Answer<T> extends Promise<T> {}
    defineProperty(Answer.prototype, 'then', { value: this.#lost.followingThen });
    defineProperty(Answer.prototype, 'constructor', { value: Promise });
    freeze(Answer.prototype);
    return freeze(Answer) as PromiseConstructor;
  }
}
