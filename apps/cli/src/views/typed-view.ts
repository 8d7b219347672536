import type { AgentEvent } from '@bae/core';
import { makeVisible, visibleLine } from '../terminal/make-visible.ts';
import { painterFor, type Painter } from '../terminal/paint.ts';
import type { Output } from '../terminal/terminal.ts';
import { runPanel } from './run-panel.ts';
import type { View } from './view.ts';

/** Answers to tags that a person typed: the whole text, since it was asked for. */
export class TypedView implements View {
  constructor(private readonly out: Output) {}

  handle(event: AgentEvent): void {
    const shown = this.render(event, painterFor(this.out));
    if (shown !== undefined) this.out.write(`${shown}\n`);
  }

  private render(event: AgentEvent, paint: Painter): string | undefined {
    switch (event.type) {
      case 'call-end':
        return resultText(event, paint);
      case 'run-end':
        return runPanel({ ...event, title: 'exec', columns: this.out.columns() }, paint);
      case 'notice':
        return paint('hint', visibleLine(event.text));
      default:
        return undefined;
    }
  }
}

function resultText({ text, ok }: Extract<AgentEvent, { type: 'call-end' }>, paint: Painter): string {
  const shown = makeVisible(text).replace(/\n$/, '');
  if (shown === '') return paint('quiet', '(no output)');
  return ok ? shown : paint('error', shown);
}
