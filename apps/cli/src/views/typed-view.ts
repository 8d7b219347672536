import type { AgentEvent } from '@bae/core';
import type { Output } from '../terminal/terminal.ts';
import { createPainter, makeVisible, makeLineVisible, type Painter } from '../terminal/terminal-text.ts';
import { addSpeaker, endsFold, FoldedLines, renderSummary } from './call-lines.ts';
import { renderRunPanel, WatchedCode } from './run-block.ts';
import type { View } from './view.ts';

type RunEnd = Extract<AgentEvent, { type: 'run-end' }>;

/** Shows the whole results of tags that a person typed. */
export class TypedView implements View {
  readonly #out: Output;
  readonly #form: 'panel' | 'lines';
  readonly #calls = new FoldedLines((line) => this.#out.write(`${line}\n`));
  /** The current run block. */
  #code: WatchedCode | undefined;

  /** @param form of a run block: a panel with its code, or lines without it, for a person who has just typed it */
  constructor(out: Output, form: 'panel' | 'lines' = 'panel') {
    this.#out = out;
    this.#form = form;
  }

  handle(event: AgentEvent): void {
    const paint = createPainter(this.#out);
    if (endsFold(event)) this.#calls.end(paint);
    const text = this.#render(event, paint);
    if (text !== undefined) this.#out.write(`${text}\n`);
  }

  #render(event: AgentEvent, paint: Painter): string | undefined {
    switch (event.type) {
      case 'run-start':
        this.#code = new WatchedCode(event.code);
        return undefined;
      case 'call-end':
        this.#code?.addCall(event.tag, event.ok);
        // The panel shows the result of other code.
        if (this.#code?.isOnlyCalls !== false) return renderResult(event, paint);
        this.#calls.add(renderSummary(event, paint), paint);
        return undefined;
      case 'run-end':
        return this.#renderRun(event, paint);
      case 'notice':
        return paint('hint', makeLineVisible(event.text));
      default:
        return undefined;
    }
  }

  #renderRun(event: RunEnd, paint: Painter): string | undefined {
    const isShown = this.#code?.wasOnlyCalls(event.ok) === true;
    this.#code = undefined;
    if (isShown) return undefined;
    if (this.#form === 'panel') return renderRunPanel({ ...event, title: 'exec', columns: this.#out.columns() }, paint);
    if (event.output === '') return undefined;
    const visible = makeVisible(event.output).replace(/\n$/, '');
    const text = event.ok ? visible : paint('error', visible);
    return this.#out.isTerminal ? addSpeaker(text, { channel: 'code' }, paint) : text;
  }
}

function renderResult({ text, ok }: Extract<AgentEvent, { type: 'call-end' }>, paint: Painter): string {
  const visible = makeVisible(text).replace(/\n$/, '');
  if (visible === '') return paint('quiet', '(no output)');
  return ok ? visible : paint('error', visible);
}
