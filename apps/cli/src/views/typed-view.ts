import type { AgentEvent } from '@bae/core';
import { makeVisible, visibleLine } from '../terminal/make-visible.ts';
import { painterFor, type Painter } from '../terminal/paint.ts';
import type { Output } from '../terminal/terminal.ts';
import { isOnlyCalls } from './is-only-calls.ts';
import { runPanel } from './run-panel.ts';
import { summaryLine } from './summary-line.ts';
import type { View } from './view.ts';

/** Answers to tags that a person typed: the whole text, since it was asked for. */
export class TypedView implements View {
  /** Code whose panel will show what its calls were for. */
  private code: string | undefined;
  /** True when a call has failed since the last run block began. */
  private failed = false;

  constructor(private readonly out: Output) {}

  handle(event: AgentEvent): void {
    const shown = this.render(event, painterFor(this.out));
    if (shown !== undefined) this.out.write(`${shown}\n`);
  }

  private render(event: AgentEvent, paint: Painter): string | undefined {
    switch (event.type) {
      case 'run-start':
        this.code = isOnlyCalls(event.code) ? undefined : event.code;
        this.failed = false;
        return undefined;
      case 'call-end':
        this.failed ||= !event.ok;
        return this.code === undefined ? resultText(event, paint) : summaryLine(event, paint);
      case 'run-end':
        return this.panel(event, paint);
      case 'notice':
        return paint('hint', visibleLine(event.text));
      default:
        return undefined;
    }
  }

  private panel(event: Extract<AgentEvent, { type: 'run-end' }>, paint: Painter): string | undefined {
    this.code = undefined;
    if (isOnlyCalls(event.code) && (event.ok || this.failed)) return undefined;
    return runPanel({ ...event, title: 'exec', columns: this.out.columns() }, paint);
  }
}

function resultText({ text, ok }: Extract<AgentEvent, { type: 'call-end' }>, paint: Painter): string {
  const shown = makeVisible(text).replace(/\n$/, '');
  if (shown === '') return paint('quiet', '(no output)');
  return ok ? shown : paint('error', shown);
}
