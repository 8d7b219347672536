import type { AgentEvent } from '@bae/core';
import { makeVisible, visibleLine } from '../terminal/make-visible.ts';
import { painterFor, type Painter } from '../terminal/paint.ts';
import type { Output } from '../terminal/output.ts';
import { endsFold, FoldedLines } from './folded-lines.ts';
import { prefixed } from './prefixed.ts';
import { runPanel } from './run-panel.ts';
import { summaryLine } from './summary-line.ts';
import type { View } from './view.ts';
import { WatchedCode } from './watched-code.ts';

/** Answers to tags that a person typed: the whole text, since it was asked for. */
export class TypedView implements View {
  /** The run block that runs. */
  private code: WatchedCode | undefined;
  private readonly calls = new FoldedLines((line) => this.out.write(`${line}\n`));

  /** @param form of what a run block came to: a panel with its code, or lines, for whoever has just typed the code */
  constructor(
    private readonly out: Output,
    private readonly form: 'panel' | 'lines' = 'panel',
  ) {}

  handle(event: AgentEvent): void {
    const paint = painterFor(this.out);
    if (endsFold(event)) this.calls.end(paint);
    const shown = this.render(event, paint);
    if (shown !== undefined) this.out.write(`${shown}\n`);
  }

  private render(event: AgentEvent, paint: Painter): string | undefined {
    switch (event.type) {
      case 'run-start':
        this.code = new WatchedCode(event.code);
        return undefined;
      case 'call-end':
        this.code?.called(event.tag, event.ok);
        // Of other code the panel shows what its calls were for.
        if (this.code?.isOnlyCalls !== false) return resultText(event, paint);
        this.calls.add(summaryLine(event, paint), paint);
        return undefined;
      case 'run-end':
        return this.panel(event, paint);
      case 'notice':
        return paint('hint', visibleLine(event.text));
      default:
        return undefined;
    }
  }

  private panel(event: Extract<AgentEvent, { type: 'run-end' }>, paint: Painter): string | undefined {
    const isTold = this.code?.isToldByCalls(event.ok) === true;
    this.code = undefined;
    if (isTold) return undefined;
    if (this.form === 'lines') return this.lines(event, paint);
    return runPanel({ ...event, title: 'exec', columns: this.out.columns() }, paint);
  }

  private lines({ ok, output }: Extract<AgentEvent, { type: 'run-end' }>, paint: Painter): string | undefined {
    if (output === '') return undefined;
    const visible = makeVisible(output).replace(/\n$/, '');
    const shown = ok ? visible : paint('error', visible);
    return this.out.isTerminal ? prefixed(shown, { channel: 'code' }, paint) : shown;
  }
}

function resultText({ text, ok }: Extract<AgentEvent, { type: 'call-end' }>, paint: Painter): string {
  const shown = makeVisible(text).replace(/\n$/, '');
  if (shown === '') return paint('quiet', '(no output)');
  return ok ? shown : paint('error', shown);
}
