import type { AgentEvent } from '@bae/core';
import type { StatusLine } from '../terminal/terminal.ts';
import { truncate, makeLineVisible } from '../terminal/terminal-text.ts';
import type { PlainView } from './user-view.ts';

/** Minimum duration of a wait that is shown, in milliseconds. */
const PATIENCE_MS = 1000;
const LONGEST_CALL = 60;
const WRITING = 'the model is writing';

interface Step {
  readonly name: string;
  /** Start time, in milliseconds. */
  readonly since: number;
  /** Progress so far, as text. */
  readonly progress?: string;
}

/** Shows in the status line the model, call or run block that takes longer than a second, and its duration so far. */
export function createWaiting(status: StatusLine): PlainView {
  /** Open calls and run blocks by id; the last one is the innermost. */
  const open = new Map<string, Step>();
  let model: Step | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Shows the innermost long step, and schedules the next update. */
  const update = (): void => {
    clearTimeout(timer);
    const steps = open.size === 0 && model !== undefined ? [model] : [...open.values()];
    const long = steps.findLast((step) => measureAge(step) >= PATIENCE_MS);
    if (long === undefined) status.clear('step');
    else status.set('step', `${long.name}… ${long.progress ?? ''}${Math.floor(measureAge(long) / 1000)} s`);
    const last = steps.at(-1);
    if (last !== undefined) timer = setTimeout(update, PATIENCE_MS - (measureAge(last) % PATIENCE_MS)).unref();
  };

  return (event) => {
    switch (event.type) {
      case 'turn-start':
      case 'response-end':
        model = beginStep('waiting for the model');
        break;
      case 'response-delta':
        if (model?.name === WRITING) return;
        model = beginStep(WRITING);
        break;
      case 'call-start':
        open.set(event.id, beginStep(truncate(makeLineVisible(event.tag), LONGEST_CALL)));
        break;
      case 'call-progress': {
        const step = open.get(event.id);
        if (step !== undefined) open.set(event.id, { ...step, progress: renderProgress(event) });
        break;
      }
      case 'call-output': {
        const step = open.get(event.id);
        const line = event.text
          .trimEnd()
          .split(/[\r\n]/)
          .at(-1)!;
        if (step !== undefined && line !== '')
          open.set(event.id, { ...step, progress: `${truncate(makeLineVisible(line), LONGEST_CALL)}, ` });
        break;
      }
      case 'run-start':
        open.set(event.id, beginStep('the code is running'));
        break;
      case 'call-end':
      case 'run-end':
        open.delete(event.id);
        // The wait for the model begins again.
        if (open.size === 0 && model !== undefined) model = beginStep(model.name);
        break;
      case 'turn-end':
        model = undefined;
        open.clear();
        break;
      default:
        return;
    }
    update();
  };
}

/** Renders progress such as `7 of 10, reading b.txt, `: a count, and a text if any. */
function renderProgress({ done, total, text }: Extract<AgentEvent, { type: 'call-progress' }>): string {
  const count = total === undefined ? `${done}` : `${done} of ${total}`;
  return `${count}, ${text === undefined ? '' : `${truncate(makeLineVisible(text), LONGEST_CALL)}, `}`;
}

function beginStep(name: string): Step {
  return { name, since: performance.now() };
}

function measureAge({ since }: Step): number {
  return performance.now() - since;
}

/** Minimum time between two updates of the index progress, in milliseconds. */
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
