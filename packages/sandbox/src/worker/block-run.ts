import type { BlockEnd, FromThread, LostErrors, MadeCall, ThreadSettings, ToThread } from '../message.ts';
import { beginning } from './beginning.ts';
import { BlockOutput } from './block-output.ts';
import { isOutOfMemory, outOfMemoryError } from '../out-of-memory.ts';
import type { Machine } from './machine.ts';
import { CodeError } from './code-error.ts';
import { prepareCode, type PreparedCode } from './prepare-code.ts';

type RunMessage = Extract<ToThread, { type: 'run' }>;
type AnswerMessage = Extract<ToThread, { type: 'answer' }>;

/** How many of the largest calls can wait for their answers. */
const MANY = 2;
/** Stretches of work that a block that has ended has to come to rest. */
const LAST_STRETCHES = 10;
/** Errors that were never caught that are told. */
const LOST = 3;
const NOTHING: LostErrors = { first: [], count: 0 };
/** Characters of answers that are told of as taken without anything else to tell. */
const TOLD_TAKEN = 1_000_000;
/** What WebAssembly throws, also where the engine does not look whether it has got the memory that it asked for. */
const TRAP = 'RuntimeError';
const STOPPED: BlockEnd = { state: 'stopped', error: undefined };

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
  /** Characters of answers: those that were taken, and those of them that were told. */
  #taken = 0;
  #toldTaken = 0;
  /** The first call that had no answer when the last line had run. */
  #late: number | undefined;
  /** True once code does nothing more but word what it has come to. */
  #isOver = false;

  constructor(options: BlockRunOptions) {
    this.#options = options;
    this.#output = new BlockOutput(options.settings.outputLimit, (output) =>
      options.tell({ type: 'progress', output, calls: [], waits: false, taken: this.#taken }),
    );
  }

  print(text: string): void {
    this.#output.print(text);
  }

  /** @throws RangeError when the block has made too many calls, sends too much at a time, or is over */
  ask(call: number, args: string): number {
    // What is stopped on its way goes on for a while, which is not to be told.
    if (this.#isOver && !this.#options.isStopped())
      throw new RangeError('the block has ended, and makes no more calls');
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
      const lost = this.#isFull(machine, end) ? undefined : this.#lost(machine, end);
      this.#tellEnd(end, { spent: lost === undefined, lost: { ...(lost ?? NOTHING), late: this.#late } });
    } catch (error) {
      // The engine itself has failed: what it holds cannot be trusted any more.
      const isFull = machine.isNearlyFull && (error as Error).name === TRAP;
      const thrown = asThrown(isFull ? outOfMemoryError() : error);
      const end: BlockEnd = this.#options.isStopped() ? STOPPED : { state: 'thrown', error: thrown };
      this.#tellEnd(end, { spent: true, lost: NOTHING });
    }
  }

  #end(machine: Machine, { block, code, scope, operators }: RunMessage): BlockEnd {
    this.#block = block;
    machine.begin(scope);
    const prepared = tryPrepare(code, operators);
    if (prepared instanceof CodeError) return { state: 'unreadable', message: prepared.message, line: prepared.line };
    machine.evaluate(prepared.script, `block-${block}`);
    while (this.#goesOn(machine)) continue;
    this.#isOver = true;
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
    // Calls are answered in their order, so that those behind the first are late as well.
    if (!isBusy && this.#late === undefined && machine.isThrough) [this.#late] = this.#open.keys();
    this.#tellProgress(!isBusy);
    const message = isBusy ? this.#options.receive() : this.#options.await();
    if (message?.type === 'answer') this.answer(machine, message);
    return !this.#options.isStopped();
  }

  /** Hands an answer to the code. One that comes too late still says where the session is now. */
  answer(machine: Machine, { block, id, form, text, scope }: AnswerMessage): void {
    if (scope !== '') machine.move(scope);
    const asked = block === this.#block ? this.#open.get(id) : undefined;
    if (asked === undefined) return;
    this.#open.delete(id);
    this.#characters -= asked;
    this.#taken += text.length;
    machine.settle(id, form, text);
  }

  #tellProgress(waits: boolean): void {
    const calls = this.#calls;
    const output = this.#output.take();
    this.#calls = [];
    const taken = this.#taken;
    if (!waits && calls.length === 0 && output === '' && taken - this.#toldTaken < TOLD_TAKEN) return;
    this.#toldTaken = taken;
    this.#options.tell({ type: 'progress', output, calls, waits, taken });
  }

  #tellEnd(end: BlockEnd, state: { readonly spent: boolean; readonly lost: LostErrors }): void {
    const { isCut: cut } = this.#output;
    this.#options.tell({ type: 'end', end, output: this.#output.take(), cut, ...state });
  }

  /**
   * What was never caught, once all that the block has begun is at rest: also what the words of its value and of its
   * errors have begun, which can be code. Undefined for a stopped one that does not come to rest.
   *
   * @throws Error when another one does not
   */
  #lost(machine: Machine, end: BlockEnd): LostErrors | undefined {
    if (!comesToRest(machine)) return unlessRestless(end);
    const lost = machine.lost(LOST);
    if (lost.count === 0) return lost;
    if (!comesToRest(machine)) return unlessRestless(end);
    machine.lost(0);
    return lost;
  }

  /** Memory that a block has taken is not given back. */
  #isFull(machine: Machine, end: BlockEnd): boolean {
    const failed = end.state === 'stopped' || (end.state === 'thrown' && isOutOfMemory(end.error));
    return failed && machine.isNearlyFull;
  }
}

/** What a block has begun must not go on in the next one. */
function comesToRest(machine: Machine): boolean {
  let stretches = 0;
  while (machine.work()) if (++stretches >= LAST_STRETCHES) return false;
  machine.forget();
  return true;
}

function unlessRestless({ state }: BlockEnd): undefined {
  if (state !== 'stopped') throw new Error('what the code left behind never comes to rest');
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
