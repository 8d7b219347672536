import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import type { AnswerForm } from '../message.ts';
import { OUT_OF_MEMORY, outOfMemoryError } from '../out-of-memory.ts';
import type { HostFunctions } from '../vm/host-functions.ts';
import { preludeText, type Prelude } from '../vm/prelude.ts';
import { withinBounds, type ThrownError } from './thrown-error.ts';

/** What code can ask for: output, and calls. */
export interface CodeRequests {
  print(text: string): void;
  /** Passes a call on and returns its number. @throws RangeError when there are too many */
  ask(call: number, args: string): number;
}

/** A text that is made inside: what there is to show, or what code threw meanwhile. */
export type Shown = { readonly text: string | undefined } | { readonly thrown: QuickJSHandle };

const NAMES = [
  ...(['begin', 'move', 'settle', 'forget', 'lost', 'lostAt', 'asked', 'caught'] as const),
  ...(['show', 'nameOf', 'messageOf', 'stackOf'] as const),
] as const;

/** The host's own functions inside the engine. Only numbers and text pass between the two. */
export class InnerHost {
  readonly #context: QuickJSContext;
  readonly #prelude: Readonly<Record<keyof Prelude, QuickJSHandle>>;
  /** Reserves room for a text inside, or fails as code does. */
  readonly #room: QuickJSHandle;

  constructor(context: QuickJSContext, requests: CodeRequests) {
    this.#context = context;
    const reserve = context.evalCode('(() => { const Room = ArrayBuffer; return (bytes) => void new Room(bytes) })()');
    this.#room = context.unwrapResult(reserve);
    const start = context.unwrapResult(context.evalCode(preludeText(), 'bae'));
    const functions = this.#functions(requests);
    const prelude = context.unwrapResult(context.callFunction(start, context.undefined, functions));
    const handles = NAMES.map((name) => [name, context.getProp(prelude, name)] as const);
    this.#prelude = Object.fromEntries(handles) as Record<keyof Prelude, QuickJSHandle>;
    for (const handle of [start, functions, prelude]) handle.dispose();
  }

  /** Begins a block, with the names of tools and places in scope. @throws Error when code has made one unchangeable */
  begin(scope: string): void {
    this.#lay('begin', scope);
  }

  /** Brings other names into scope in the middle of a block. */
  move(scope: string): void {
    this.#lay('move', scope);
  }

  /** Gives a call its answer. One that there is no room for becomes an error. */
  settle(id: number, form: AnswerForm, text: string): void {
    try {
      this.#settle(id, form, text);
    } catch {
      const error = { name: 'RangeError', message: `${OUT_OF_MEMORY}: there is no room for the answer` };
      this.#settle(id, 'error', JSON.stringify(error));
    }
  }

  /** Forgets the calls that will have no answer any more. */
  forget(): void {
    this.#call('forget');
  }

  /**
   * How much was thrown that nothing caught, and numbers of the calls that failed with the first, 0 for other errors.
   * `unasked`: calls whose answer nobody has asked for.
   */
  lost(): { readonly count: number; readonly calls: readonly number[]; readonly unasked: readonly number[] } {
    const [lost = '', unasked = ''] = (this.#call('lost') ?? '0').split(';');
    const [count = 0, ...calls] = lost.split(',').map(Number);
    return { count, calls, unasked: unasked === '' ? [] : unasked.split(',').map(Number) };
  }

  /** Says that somebody asks for the answer of a call, when the value is one. */
  asked(value: QuickJSHandle): void {
    this.#call('asked', value);
  }

  /** An error that was told last, by its place among them, from 0. */
  lostAt(place: number): QuickJSHandle {
    const context = this.#context;
    using at = context.newNumber(place);
    return context.unwrapResult(context.callFunction(this.#prelude.lostAt, context.undefined, at));
  }

  /** Words a value. That may run code, which may throw. @throws Error when there is no room for its words */
  show(value: QuickJSHandle): Shown {
    const { undefined: self } = this.#context;
    const result = this.#context.callFunction(this.#prelude.show, self, value);
    if (result.error !== undefined) return { thrown: result.error };
    return { text: textOf(result.value.consume((text) => this.#string(text))) };
  }

  /** Words an error, which is known then, and lets go of it. `isWorded`: false where its message cannot be had. */
  describe(error: QuickJSHandle): ThrownError & { readonly isWorded: boolean } {
    this.#caught(error);
    return error.consume((handle) => {
      const name = this.#field('nameOf', handle) ?? 'Error';
      const message = this.#field('messageOf', handle);
      const stack = this.#field('stackOf', handle) ?? '';
      return { ...withinBounds({ name, message: message ?? '', stack }), isWorded: message !== undefined };
    });
  }

  /** The engine's own functions do not look whether there is room for a text that comes from outside. */
  reserve(text: string): void {
    if (text.length < 256) return;
    const context = this.#context;
    const result = context
      .newNumber(3 * text.length + 1024)
      .consume((bytes) => context.callFunction(this.#room, context.undefined, bytes));
    if (result.error === undefined) return result.dispose();
    result.error.dispose();
    throw outOfMemoryError();
  }

  #lay(work: 'begin' | 'move', scope: string): void {
    const taken = textOf(this.#text(scope).consume((text) => this.#call(work, text)));
    if (taken !== undefined) throw new Error(`code has made ${taken} unchangeable, and tools need it`);
  }

  /** Code that is stopped does nothing of the kind any more. */
  #caught(error: QuickJSHandle): void {
    try {
      this.#call('caught', error);
    } catch {
      // It is told twice at worst.
    }
  }

  #settle(id: number, form: AnswerForm, text: string): void {
    using number = this.#context.newNumber(id);
    using asForm = this.#context.newString(form);
    using answer = this.#text(text);
    this.#call('settle', number, asForm, answer);
  }

  #field(name: 'nameOf' | 'messageOf' | 'stackOf', error: QuickJSHandle): string | undefined {
    try {
      return textOf(this.#call(name, error));
    } catch {
      return undefined;
    }
  }

  /** Calls a function of the prelude. @throws Error when it fails, for example because code is stopped */
  #call(name: keyof Prelude, ...args: readonly QuickJSHandle[]): string | undefined {
    const context = this.#context;
    const result = context.callFunction(this.#prelude[name], context.undefined, ...args);
    if (result.error === undefined) return result.value.consume((value) => this.#string(value));
    result.error.dispose();
    throw new Error(`the sandbox cannot do its own work: ${name}`);
  }

  #string(value: QuickJSHandle): string | undefined {
    return this.#context.typeof(value) === 'string' ? this.#copied(value) : undefined;
  }

  /** JSON, which is never empty: the engine hands out nothing where it has no room for a copy. */
  #copied(json: QuickJSHandle): string {
    const text = this.#context.getString(json);
    if (text === '') throw outOfMemoryError();
    return text;
  }

  #text(text: string): QuickJSHandle {
    this.reserve(text);
    return this.#context.newString(text);
  }

  #functions(requests: CodeRequests): QuickJSHandle {
    const context = this.#context;
    const handles: Record<keyof HostFunctions, QuickJSHandle> = {
      print: context.newFunction('print', (json) => {
        requests.print(textOf(this.#copied(json)) ?? '');
      }),
      ask: context.newFunction('ask', (call, args) => {
        const json = context.getString(args);
        if (json === '')
          throw new RangeError(`${OUT_OF_MEMORY}: there is no room for the arguments; pass them in parts`);
        return context.newNumber(requests.ask(context.getNumber(call), json));
      }),
      look: context.newFunction('look', (promise) => this.#look(promise)),
    };
    const functions = context.newObject();
    for (const [name, handle] of Object.entries(handles))
      handle.consume((value) => context.setProp(functions, name, value));
    return functions;
  }

  #look(promise: QuickJSHandle): QuickJSHandle {
    const context = this.#context;
    const state = context.getPromiseState(promise);
    if (state.type === 'fulfilled' && state.notAPromise === true) return context.undefined;
    const look = context.newObject();
    context.newString(state.type).consume((text) => context.setProp(look, 'state', text));
    if (state.type === 'fulfilled') state.value.consume((value) => context.setProp(look, 'value', value));
    if (state.type === 'rejected') state.error.consume((error) => context.setProp(look, 'value', error));
    return look;
  }
}

/** A text that came out as JSON. */
function textOf(json: string | undefined): string | undefined {
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  return typeof value === 'string' ? value : undefined;
}
