import type { ToolResult } from '@bae/core';
import type { CodeCall } from './callable.ts';
import type { DoneCall } from './unasked-lines.ts';
import type { CallTable } from './call-table.ts';
import { callOf, quoted } from './call-of.ts';
import type { AnswerForm, MadeCall } from './message.ts';
import { beginning } from './worker/beginning.ts';

/** Calls of one block that are under way at the same time. */
const AT_ONCE = 8;
/** Milliseconds of work at a stretch, after which others get their turn. */
const STRETCH_MS = 5;
/** Characters of answers that the sandbox has not taken yet, beyond which no more calls are made. */
const MOST_UNTAKEN = 32_000_000;
/** Characters of the arguments of a call that are kept: more than a quote needs. */
const KEPT = 1000;

/** What became of a call, as the sandbox takes it. */
export interface CallAnswer {
  readonly id: number;
  readonly form: AnswerForm;
  readonly text: string;
  /** True when the call has moved the session. */
  readonly moved: boolean;
}

/** What the calls of a block need. */
export interface BlockCallsOptions {
  readonly table: CallTable;
  dispatch(call: CodeCall): Promise<ToolResult>;
  answer(answer: CallAnswer): void;
}

/** The calls of one block: each is made once, in order, some at a time. */
export class BlockCalls {
  readonly #options: BlockCallsOptions;
  readonly #queue: MadeCall[] = [];
  readonly #active = new Map<number, MadeCall>();
  /** Calls that went well, by number. */
  readonly #done = new Map<number, MadeCall>();
  /** What calls failed with, by number. */
  readonly #failed = new Map<number, string>();
  /** Characters of answers, and how many of them the sandbox has taken. */
  #told = 0;
  #taken = 0;
  /** True while others have their turn. */
  #yields = false;
  #ended = false;

  constructor(options: BlockCallsOptions) {
    this.#options = options;
  }

  /** How many calls have no answer, those that were never made included. */
  get open(): number {
    return this.#active.size + this.#queue.length;
  }

  /** The first calls without an answer, quoted. */
  firstOpen(count: number): readonly string[] {
    return [...this.#active.values(), ...this.#queue].slice(0, count).map((made) => this.#quoted(made));
  }

  make(calls: readonly MadeCall[]): void {
    for (const made of calls) this.#queue.push(made);
    this.#next();
  }

  /** Says how many characters of answers the sandbox has taken in all; calls that waited for that are made. */
  taken(characters: number): void {
    this.#taken = characters;
    this.#next();
  }

  /** What a call failed with, quoted: `read("a.ts"): FileNotFoundError: …`. */
  failureOf(id: number): string | undefined {
    return this.#failed.get(id);
  }

  /** A call that went well. */
  doneOf(id: number): DoneCall | undefined {
    const made = this.#done.get(id);
    return made && { quote: this.#quoted(made), callable: this.#options.table.at(made.call) };
  }

  /** Numbers of the calls that went well, in their order. */
  get done(): readonly number[] {
    return [...this.#done.keys()];
  }

  /** Makes no more calls and tells no more answers. */
  end(): void {
    this.#ended = true;
  }

  get #mayMake(): boolean {
    return !this.#ended && !this.#yields && this.#told - this.#taken <= MOST_UNTAKEN;
  }

  #next(): void {
    const began = performance.now();
    while (this.#mayMake && this.#active.size < AT_ONCE && this.#queue.length > 0) {
      if (performance.now() - began > STRETCH_MS) return this.#yield();
      const made = this.#queue.shift() as MadeCall;
      this.#active.set(made.id, made);
      void this.#make(made);
    }
  }

  #yield(): void {
    this.#yields = true;
    setImmediate(() => {
      this.#yields = false;
      this.#next();
    });
  }

  async #make(made: MadeCall): Promise<void> {
    const answer = await this.#answerTo(made);
    // An answer that comes because the block has ended says nothing of what the call has done.
    if (this.#ended) return;
    this.#active.delete(made.id);
    if (answer.form === 'error') this.#failed.set(made.id, `${this.#quoted(made)}: ${worded(answer)}`);
    else this.#done.set(made.id, inShort(made));
    this.#told += answer.text.length;
    this.#options.answer(answer);
    this.#next();
  }

  async #answerTo({ id, call, args }: MadeCall): Promise<CallAnswer> {
    const callable = this.#options.table.at(call);
    try {
      if (callable === undefined) throw new RangeError('there is no such tool');
      const result = await this.#options.dispatch(callOf(callable, args));
      const moved = result.ok && callable.kind === 'move';
      return { id, ...(result.ok ? valueOf(result) : { form: 'error', text: errorText(result) }), moved };
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      return { id, form: 'error', text: JSON.stringify({ name, message }), moved: false };
    }
  }

  #quoted({ call, args }: MadeCall): string {
    const callable = this.#options.table.at(call);
    try {
      return callable === undefined ? 'an unknown call' : quoted(callable, args);
    } catch {
      // Nothing that comes out of the sandbox is taken for granted.
      return 'an unreadable call';
    }
  }
}

/** Enough of a call to quote it: there may be thousands, with long texts. */
function inShort(made: MadeCall): MadeCall {
  return made.args.length <= KEPT ? made : { ...made, args: beginning(made.args, KEPT) };
}

/** Data when the tool gave some, else the text that a tag would be answered with. */
function valueOf({ value = null, text }: ToolResult): Pick<CallAnswer, 'form' | 'text'> {
  const data = value === null || typeof value === 'string' ? undefined : jsonOf(value);
  if (data !== undefined) return { form: 'json', text: data };
  const plain = typeof value === 'string' ? value : text;
  return isPassedAsItIs(plain) ? { form: 'text', text: plain } : { form: 'json', text: JSON.stringify(plain) };
}

/** Undefined for what JSON has no way to write. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The engine takes UTF-8 that ends with the first zero. */
function isPassedAsItIs(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function errorText({ errorType = 'Error', text }: ToolResult): string {
  const prefix = `${errorType}: `;
  return JSON.stringify({ name: errorType, message: text.startsWith(prefix) ? text.slice(prefix.length) : text });
}

function worded({ text }: CallAnswer): string {
  const { name, message } = JSON.parse(text) as { readonly name: string; readonly message: string };
  return `${name}: ${message}`;
}
