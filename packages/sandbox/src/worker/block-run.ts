import type { BlockEnd, FromThread, LostErrors, MadeCall, ThreadSettings, ToThread } from '../message.ts';
import { beginning } from './beginning.ts';
import { BlockOutput } from './block-output.ts';
import { OUT_OF_MEMORY } from '../out-of-memory.ts';
import type { Machine } from './machine.ts';
import { CodeError } from './code-error.ts';
import { prepareCode, type PreparedCode } from './prepare-code.ts';

type RunMessage = Extract<ToThread, { type: 'run' }>;
type AnswerMessage = Extract<ToThread, { type: 'answer' }>;

/** How many of the largest calls can wait for their answers. */
const MANY = 2;
/** Stretches of work that a stopped block has to come to rest. */
const LAST_STRETCHES = 10;
/** Errors that were never caught that are told. */
const LOST = 3;
const NOTHING: LostErrors = { first: [], count: 0 };

/** What a block needs from its thread. */
export interface BlockRunOptions {
  readonly settings: ThreadSettings;
  isStopped(): boolean;
  tell(message: FromThread): void;
  /** What the thread was told since; undefined when nothing. */
  receive(): ToThread | undefined;
  /** The same, but waits for it. */
  await(): ToThread;
}

/** One block on its way through the machine. */
export class BlockRun {
  readonly #options: BlockRunOptions;
  readonly #output: BlockOutput;
  /** Calls that are not passed on yet; and characters of those without an answer, by number. */
  #calls: MadeCall[] = [];
  readonly #open = new Map<number, number>();
  #block = 0;
  #made = 0;
  /** Characters of the arguments of calls without an answer. */
  #characters = 0;

  constructor(options: BlockRunOptions) {
    this.#options = options;
    this.#output = new BlockOutput(options.settings.outputLimit, (output) =>
      options.tell({ type: 'progress', output, calls: [], waits: false }),
    );
  }

  print(text: string): void {
    this.#output.print(text);
  }

  /** @throws RangeError when the block has made too many calls, or sends too much at a time */
  ask(call: number, args: string): number {
    const { mostCalls, mostArguments } = this.#options.settings;
    if (this.#made >= mostCalls) throw new RangeError(`a run block makes at most ${mostCalls} calls`);
    const characters = args.length;
    if (characters > mostArguments) {
      throw new RangeError(`a call takes at most ${mostArguments} characters, not ${characters}: pass it in parts`);
    }
    if (this.#characters + characters > MANY * mostArguments) {
      const limit = MANY * mostArguments;
      throw new RangeError(`calls without an answer hold at most ${limit} characters: await some of them first`);
    }
    this.#characters += characters;
    const id = ++this.#made;
    this.#open.set(id, characters);
    this.#calls.push({ id, call, args });
    return id;
  }

  /** Runs the block to its end, and tells it. */
  execute(machine: Machine, message: RunMessage): void {
    try {
      const end = this.#end(machine, message);
      const spent = this.#isSpent(machine, end);
      this.#tellEnd(end, { spent, lost: spent ? NOTHING : machine.lost(LOST) });
    } catch (error) {
      // The engine itself has failed: what it holds cannot be trusted any more.
      this.#tellEnd({ state: 'thrown', error: asThrown(error) }, { spent: true, lost: NOTHING });
    }
  }

  #end(machine: Machine, { block, code, scope, operators }: RunMessage): BlockEnd {
    this.#block = block;
    machine.begin(scope);
    const prepared = tryPrepare(code, operators);
    if (prepared instanceof CodeError) return { state: 'unreadable', message: prepared.message, line: prepared.line };
    machine.evaluate(prepared.script, `block-${block}`);
    while (this.#goesOn(machine)) continue;
    const end = machine.evaluation(prepared.shows);
    if (this.#options.isStopped()) return stopped(machine);
    if (end.state === 'pending') return { state: 'stuck' };
    return end.state === 'done' ? this.#shown(end.shown) : end;
  }

  /** A value has as much room as everything that was printed before it. */
  #shown(text: string | undefined): BlockEnd {
    const { outputLimit } = this.#options.settings;
    const cut = text !== undefined && text.length > outputLimit;
    return { state: 'done', shown: cut ? beginning(text, outputLimit) : text, cut };
  }

  /** Works for a while, then looks for answers. Returns whether there is anything left to do. */
  #goesOn(machine: Machine): boolean {
    const isBusy = machine.work();
    if (this.#options.isStopped() || (!isBusy && this.#open.size === 0)) return false;
    this.#tellProgress(!isBusy);
    const message = isBusy ? this.#options.receive() : this.#options.await();
    if (message?.type === 'answer') this.answer(machine, message);
    return true;
  }

  /** Hands an answer to the code. One that comes too late still says where the session is now. */
  answer(machine: Machine, { block, id, form, text, scope }: AnswerMessage): void {
    if (scope !== '') machine.move(scope);
    const asked = block === this.#block ? this.#open.get(id) : undefined;
    if (asked === undefined) return;
    this.#open.delete(id);
    this.#characters -= asked;
    machine.settle(id, form, text);
  }

  #tellProgress(waits: boolean): void {
    const calls = this.#calls;
    const output = this.#output.take();
    this.#calls = [];
    if (waits || calls.length > 0 || output !== '') this.#options.tell({ type: 'progress', output, calls, waits });
  }

  #tellEnd(end: BlockEnd, state: { readonly spent: boolean; readonly lost: LostErrors }): void {
    const { isCut: cut } = this.#output;
    this.#options.tell({ type: 'end', end, output: this.#output.take(), cut, ...state });
  }

  /** What a stopped block has begun must not go on in the next one; memory that it has taken is not given back. */
  #isSpent(machine: Machine, end: BlockEnd): boolean {
    const failed = end.state === 'stopped' || (end.state === 'thrown' && end.error.message === OUT_OF_MEMORY);
    if (failed && machine.isNearlyFull) return true;
    if (end.state !== 'stopped') return false;
    machine.forget();
    for (let stretch = 0; stretch < LAST_STRETCHES; stretch++) if (!machine.work()) return false;
    return true;
  }
}

function tryPrepare(code: string, operators: readonly string[]): PreparedCode | CodeError {
  try {
    return prepareCode(code, operators);
  } catch (error) {
    if (error instanceof CodeError) return error;
    throw error;
  }
}

function stopped(machine: Machine): BlockEnd {
  const evaluation = machine.evaluation(false);
  return { state: 'stopped', error: evaluation.state === 'thrown' ? evaluation.error : undefined };
}

function asThrown(error: unknown): { readonly name: string; readonly message: string; readonly stack: string } {
  const isError = error instanceof Error;
  return { name: isError ? error.name : 'Error', message: isError ? error.message : String(error), stack: '' };
}
