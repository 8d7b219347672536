import type { AgentEvent } from '@bae/core';
import type { StatusLine } from '../terminal/status-line.ts';
import { truncate, makeLineVisible } from '../terminal/terminal-text.ts';
import type { View } from './view.ts';

/** A longer wait is shown, in milliseconds. */
const PATIENCE_MS = 1000;
/** Longest name of a call, in columns. */
const LONGEST_CALL = 60;
const WRITING = 'the model is writing';

interface Step {
  readonly name: string;
  /** When it began, in milliseconds. */
  readonly since: number;
}

/** Shows on the status line which model, call or run block takes longer than a second, and how long so far. */
export class Waiting implements View {
  readonly #status: StatusLine;
  /** Open calls and run blocks by their ids; the last one is the innermost. */
  readonly #open = new Map<string, Step>();
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
        // The wait for the model begins again.
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

  /** Shows the innermost long step, and schedules the next update. */
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

/** Least time between two updates of the index progress, in milliseconds. */
const EVERY_MS = 100;

/** Shows the progress of indexing modules when it takes longer than a second. */
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
