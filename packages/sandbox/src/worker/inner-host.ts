import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import type { AnswerForm } from '../message.ts';
import { OUT_OF_MEMORY } from '../out-of-memory.ts';
import type { HostFunctions } from '../vm/host-functions.ts';
import { preludeText, type Prelude } from '../vm/prelude.ts';
import type { ThrownError } from './thrown-error.ts';

/** What code can ask for: output, and calls. */
export interface CodeRequests {
  print(text: string): void;
  /** Passes a call on and returns its number. @throws RangeError when there are too many */
  ask(call: number, args: string): number;
}

/** A text that is made inside: what there is to show, or what code threw meanwhile. */
export type Shown = { readonly text: string | undefined } | { readonly thrown: QuickJSHandle };

const NAMES = ['begin', 'settle', 'forget', 'unheard', 'hear', 'show', 'nameOf', 'messageOf', 'stackOf'] as const;

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

  /** Brings the names of tools and places into scope. */
  begin(scope: string): void {
    this.#text(scope).consume((text) => this.#call('begin', text));
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

  /** Numbers of the calls that failed while nobody waited for them; each is told once. */
  unheard(): readonly number[] {
    const text = this.#call('unheard');
    return text === undefined || text === '' ? [] : text.split(',').map(Number);
  }

  /** Says that somebody waits for the answer that a value is. */
  hear(value: QuickJSHandle): void {
    this.#call('hear', value);
  }

  /** Words a value. That may run code, which may throw. */
  show(value: QuickJSHandle): Shown {
    const { undefined: self } = this.#context;
    const result = this.#context.callFunction(this.#prelude.show, self, value);
    if (result.error !== undefined) return { thrown: result.error };
    return { text: textOf(result.value.consume((text) => this.#string(text))) };
  }

  /** Words an error, and lets go of it. */
  describe(error: QuickJSHandle): ThrownError {
    return error.consume((handle) => ({
      name: this.#field('nameOf', handle, 'Error'),
      message: this.#field('messageOf', handle, OUT_OF_MEMORY),
      stack: this.#field('stackOf', handle, ''),
    }));
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
    throw new RangeError(OUT_OF_MEMORY);
  }

  #settle(id: number, form: AnswerForm, text: string): void {
    using number = this.#context.newNumber(id);
    using asForm = this.#context.newString(form);
    using answer = this.#text(text);
    this.#call('settle', number, asForm, answer);
  }

  #field(name: 'nameOf' | 'messageOf' | 'stackOf', error: QuickJSHandle, otherwise: string): string {
    try {
      return textOf(this.#call(name, error)) ?? otherwise;
    } catch {
      return otherwise;
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
    return this.#context.typeof(value) === 'string' ? this.#context.getString(value) : undefined;
  }

  #text(text: string): QuickJSHandle {
    this.reserve(text);
    return this.#context.newString(text);
  }

  #functions(requests: CodeRequests): QuickJSHandle {
    const context = this.#context;
    const handles: Record<keyof HostFunctions, QuickJSHandle> = {
      print: context.newFunction('print', (json) => {
        requests.print(textOf(context.getString(json)) ?? '');
      }),
      ask: context.newFunction('ask', (call, args) =>
        context.newNumber(requests.ask(context.getNumber(call), context.getString(args))),
      ),
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
