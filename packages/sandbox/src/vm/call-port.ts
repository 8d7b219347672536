import type { AnswerForm } from '../message.ts';
import type { HostFunctions } from './host-functions.ts';
import type { Intrinsics } from './intrinsics.ts';

interface OpenCall {
  readonly settle: (form: AnswerForm, text: string) => void;
  /** True once somebody waits for the answer. */
  heard: boolean;
}

interface Heard {
  readonly heard?: () => void;
}

/**
 * Asks for calls and hands out their answers. Runs inside the sandbox, from its own text.
 *
 * All that leaves it is the number of what is called, and JSON text.
 */
export class CallPort {
  readonly #own: Intrinsics;
  readonly #ask: HostFunctions['ask'];
  readonly #look: HostFunctions['look'];
  /** Calls without an answer, and failures that nobody has heard of, by number. */
  readonly #open: Record<number, OpenCall>;
  readonly #unheard: Record<number, true>;
  readonly #Answer: PromiseConstructor;

  constructor(own: Intrinsics, { ask, look }: HostFunctions) {
    this.#own = own;
    this.#ask = ask;
    this.#look = look;
    this.#open = own.create(null) as Record<number, never>;
    this.#unheard = own.create(null) as Record<number, never>;
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
      const settle: OpenCall['settle'] = (form, text) =>
        form === 'error' ? reject(this.#failure(text, site)) : resolve(form === 'json' ? own.parse(text) : text);
      const open: OpenCall = { settle, heard: false };
      this.#open[id] = open;
      own.defineProperty(answer, 'heard', { value: () => delete this.#unheard[id] && (open.heard = true) });
    } catch (error) {
      reject(error);
    }
    return answer;
  }

  /** Gives a call its answer. */
  settle(id: number, form: AnswerForm, text: string): void {
    const open = this.#open[id];
    delete this.#open[id];
    if (form === 'error' && open?.heard === false) this.#unheard[id] = true;
    open?.settle(form, text);
  }

  /** Notes that somebody waits for an answer; nothing happens for any other value. */
  hear(value: unknown): void {
    const own = typeof value === 'object' && value !== null && this.#own.getOwnPropertyDescriptor(value, 'heard');
    if (own) (own.value as Heard['heard'])?.();
  }

  /** Forgets the calls that will have no answer any more. */
  forget(): void {
    const ids = this.#own.ownKeys(this.#open) as unknown as number[];
    for (let index = 0; index < ids.length; index++) delete this.#open[ids[index] as number];
  }

  /** Numbers of the calls that failed without anybody waiting for them. Each is told once. */
  unheard(): string {
    const ids = this.#own.ownKeys(this.#unheard) as string[];
    let text = '';
    for (let index = 0; index < ids.length; index++) {
      text += (index > 0 ? ',' : '') + ids[index]!;
      delete this.#unheard[ids[index] as unknown as number];
    }
    return text;
  }

  /** Arguments by position, as JSON; those that were left out are left out. */
  #written(args: readonly unknown[]): string {
    let text = '{';
    for (let index = 0; index < args.length; index++) {
      const value = args[index];
      if (value === undefined) continue;
      const where = 'argument ' + (index + 1);
      const isObject = typeof value === 'object' && value !== null;
      // Code has a say in what `instanceof` answers.
      if (isObject && this.#look(value) !== undefined)
        throw new this.#own.TypeError(where + ' is a promise: put await before it');
      const json = this.#own.stringify(value) as string | undefined;
      if (json === undefined) throw new this.#own.TypeError(where + ' is a ' + typeof value + ', which no tool takes');
      text += (text === '{' ? '"' : ',"') + index + '":' + json;
    }
    return text + '}';
  }

  #failure(text: string, site: Error): Error {
    const own = this.#own;
    const { name, message } = own.parse(text) as { readonly name: string; readonly message: string };
    const error = new own.Error(message);
    own.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
    own.defineProperty(error, 'stack', { value: site.stack, writable: true, configurable: true });
    return error;
  }

  /** A promise that knows whether somebody waits for it. */
  #answerClass(): PromiseConstructor {
    const { apply, promiseThen, species, Promise, freeze } = this.#own;
    class Answer<T> extends Promise<T> {
      declare readonly heard?: Heard['heard'];

      static get [species](): PromiseConstructor {
        return Promise;
      }

      // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
      override then<A, B>(...parts: Parameters<Promise<T>['then']>): Promise<A | B> {
        this.heard?.();
        return apply(promiseThen, this, parts) as Promise<A | B>;
      }
    }
    freeze(Answer.prototype);
    return freeze(Answer) as PromiseConstructor;
  }
}
