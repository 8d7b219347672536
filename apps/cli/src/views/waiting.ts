import type { AgentEvent } from '@bae/core';
import type { StatusLine } from '../terminal/status-line.ts';
import { truncate, makeLineVisible } from '../terminal/terminal-text.ts';
import type { View } from './view.ts';

/** After this the status line shows what bae is waiting for, in milliseconds. */
const PATIENCE_MS = 1000;
/** Longest name of a call, in columns. */
const LONGEST_CALL = 60;
const WRITING = 'the model is writing';

interface Step {
  readonly name: string;
  /** When it began, in milliseconds. */
  readonly since: number;
}

/**
 * What the model, a call or a run block takes longer than a second for: its name and the seconds, on the status line.
 * Of a run block whose calls are quick, that is the block.
 */
export class Waiting implements View {
  readonly #status: StatusLine;
  /** Calls and run blocks that have begun, by their ids; the last one is waited for. */
  readonly #open = new Map<string, Step>();
  /** What the model is doing, in a turn of its own. */
  #model: Step | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(status: StatusLine) {
    this.#status = status;
  }

  handle(event: AgentEvent): void {
    switch (event.type) {
      case 'turn-start':
      case 'response-end':
        this.#model = beginStep('waiting for the model');
        return this.#update();
      case 'response-delta':
        if (this.#model?.name === WRITING) return undefined;
        this.#model = beginStep(WRITING);
        return this.#update();
      case 'call-start':
        this.#open.set(event.id, beginStep(truncate(makeLineVisible(event.tag), LONGEST_CALL)));
        return this.#update();
      case 'run-start':
        this.#open.set(event.id, beginStep('the code is running'));
        return this.#update();
      case 'call-end':
      case 'run-end':
        this.#open.delete(event.id);
        // Only now it is the model again that is waited for.
        if (this.#open.size === 0 && this.#model !== undefined) this.#model = beginStep(this.#model.name);
        return this.#update();
      case 'turn-end':
        this.#model = undefined;
        this.#open.clear();
        return this.#update();
      default:
        return undefined;
    }
  }

  /** Shows the innermost step that takes long, and updates itself when the next one does. */
  #update(): void {
    clearTimeout(this.#timer);
    const steps = this.#steps();
    const long = steps.findLast((step) => measureAge(step) >= PATIENCE_MS);
    if (long === undefined) this.#status.clear('step');
    else this.#status.set('step', `${long.name}… ${Math.floor(measureAge(long) / 1000)} s`);
    const last = steps.at(-1);
    if (last === undefined) return;
    this.#timer = setTimeout(() => this.#update(), PATIENCE_MS - (measureAge(last) % PATIENCE_MS)).unref();
  }

  #steps(): readonly Step[] {
    if (this.#open.size > 0) return [...this.#open.values()];
    return this.#model === undefined ? [] : [this.#model];
  }
}

function beginStep(name: string): Step {
  return { name, since: performance.now() };
}

function measureAge({ since }: Step): number {
  return performance.now() - since;
}

/** Between two changes of the line about the index, in milliseconds. */
const EVERY_MS = 100;

/** Shows on the status line how far the index of modules is, when it takes longer than a second. */
export function createIndexProgress(status: StatusLine): (done: number, total: number) => void {
  let start: number | undefined;
  let next = 0;
  return (done, total) => {
    const now = performance.now();
    start ??= now;
    if (done >= total) {
      status.clear('index');
      start = undefined;
    } else if (now >= Math.max(start + PATIENCE_MS, next)) {
      next = now + EVERY_MS;
      status.set('index', `indexing ${done} of ${total} modules…`);
    }
  };
}
