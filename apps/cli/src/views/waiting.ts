import type { AgentEvent } from '@bae/core';
import { visibleLine } from '../terminal/make-visible.ts';
import type { StatusLine } from '../terminal/status-line.ts';
import { fitted } from '../terminal/text-width.ts';
import type { View } from './view.ts';

/** After this it is said what is waited for, in milliseconds. */
const PATIENCE_MS = 1000;
/** Longest name of a call, in columns. */
const LONGEST_CALL = 60;

/** What the model, a call or a run block takes longer than a second for: its name and the seconds, on the status line. */
export class Waiting implements View {
  /** Calls and run blocks that have begun, by their ids; the last one is waited for. */
  private readonly open = new Map<string, string>();
  /** What the model is at, in a turn of its own. */
  private model: string | undefined;
  private since = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly status: StatusLine) {}

  handle(event: AgentEvent): void {
    switch (event.type) {
      case 'turn-start':
        this.model = 'waiting for the model';
        return this.next();
      case 'response-delta':
        if (this.model === 'the model is writing') return undefined;
        this.model = 'the model is writing';
        return this.next();
      case 'response-end':
        this.model = 'waiting for the model';
        return this.next();
      case 'call-start':
      case 'run-start':
        this.open.set(event.id, event.type === 'run-start' ? 'the code is running' : calledBy(event.tag));
        return this.next();
      case 'call-end':
      case 'run-end':
        this.open.delete(event.id);
        return this.next();
      case 'turn-end':
        this.model = undefined;
        this.open.clear();
        return this.next();
      default:
        return undefined;
    }
  }

  /** Something new is waited for, or nothing at all. */
  private next(): void {
    this.since = performance.now();
    this.status.done('step');
    clearTimeout(this.timer);
    if (this.current() !== undefined) this.timer = setTimeout(() => this.tell(), PATIENCE_MS).unref();
  }

  private tell(): void {
    const seconds = Math.round((performance.now() - this.since) / 1000);
    this.status.say('step', `${this.current()}… ${seconds} s`);
    this.timer = setTimeout(() => this.tell(), PATIENCE_MS).unref();
  }

  private current(): string | undefined {
    return [...this.open.values()].at(-1) ?? this.model;
  }
}

function calledBy(tag: string): string {
  return fitted(visibleLine(tag), LONGEST_CALL);
}
