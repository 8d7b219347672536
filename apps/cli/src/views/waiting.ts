import type { AgentEvent } from '@bae/core';
import { visibleLine } from '../terminal/make-visible.ts';
import type { StatusLine } from '../terminal/status-line.ts';
import { fitted } from '../terminal/text-width.ts';
import type { View } from './view.ts';

/** After this it is said what is waited for, in milliseconds. */
const PATIENCE_MS = 1000;
/** Longest name of a call, in columns. */
const LONGEST_CALL = 60;
const WRITING = 'the model is writing';

/** Something that has begun and not ended. */
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
  /** Calls and run blocks that have begun, by their ids; the last one is waited for. */
  private readonly open = new Map<string, Step>();
  /** What the model is at, in a turn of its own. */
  private model: Step | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly status: StatusLine) {}

  handle(event: AgentEvent): void {
    switch (event.type) {
      case 'turn-start':
      case 'response-end':
        this.model = begun('waiting for the model');
        return this.tell();
      case 'response-delta':
        if (this.model?.name === WRITING) return undefined;
        this.model = begun(WRITING);
        return this.tell();
      case 'call-start':
      case 'run-start':
        this.open.set(event.id, begun(event.type === 'run-start' ? 'the code is running' : calledBy(event.tag)));
        return this.tell();
      case 'call-end':
      case 'run-end':
        return this.ended(event.id);
      case 'turn-end':
        this.model = undefined;
        this.open.clear();
        return this.tell();
      default:
        return undefined;
    }
  }

  private ended(id: string): void {
    this.open.delete(id);
    // Only now it is the model again that is waited for.
    if (this.open.size === 0 && this.model !== undefined) this.model = begun(this.model.name);
    this.tell();
  }

  /** Tells of the innermost step that takes long, and again when the next one does. */
  private tell(): void {
    clearTimeout(this.timer);
    const steps = this.steps();
    const long = steps.findLast((step) => ageOf(step) >= PATIENCE_MS);
    if (long === undefined) this.status.done('step');
    else this.status.say('step', `${long.name}… ${Math.floor(ageOf(long) / 1000)} s`);
    const last = steps.at(-1);
    if (last === undefined) return;
    this.timer = setTimeout(() => this.tell(), PATIENCE_MS - (ageOf(last) % PATIENCE_MS)).unref();
  }

  private steps(): readonly Step[] {
    if (this.open.size > 0) return [...this.open.values()];
    return this.model === undefined ? [] : [this.model];
  }
}

function begun(name: string): Step {
  return { name, since: performance.now() };
}

function ageOf({ since }: Step): number {
  return performance.now() - since;
}

function calledBy(tag: string): string {
  return fitted(visibleLine(tag), LONGEST_CALL);
}
