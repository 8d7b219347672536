import type { AgentEvent } from '@bae/core';
import type { Output } from '../terminal/terminal.ts';
import { createPainter, makeVisible, makeLineVisible } from '../terminal/terminal-text.ts';
import { addSpeaker, endsFold, FoldedLines, renderSummary } from './call-lines.ts';
import { renderRunPanel, WatchedCode } from './run-block.ts';
import type { View } from './view.ts';

type Event<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

export interface UserViewOptions {
  /** Gets the lines about calls and code. */
  readonly progress: Output;
  /** Gets the answers; on a terminal with their speaker. */
  readonly answers: Output;
  /** True when there is nobody to ask: then a line explains how a refused call could be allowed. */
  readonly unattended?: boolean;
  /** Extracts the prose of a response: without its calls, bodies and run blocks. */
  prose(text: string): string;
}

/** Shows a line per call, a panel per run block, and the answer. */
export class UserView implements View {
  readonly #options: UserViewOptions;
  readonly #calls = new FoldedLines((line) => this.#report(line));
  /** The current run block. */
  #code: WatchedCode | undefined;

  constructor(options: UserViewOptions) {
    this.#options = options;
  }

  handle(event: AgentEvent): void {
    if (endsFold(event)) this.#calls.end(createPainter(this.#options.progress));
    switch (event.type) {
      case 'run-start':
        this.#code = new WatchedCode(event.code);
        return undefined;
      case 'call-end':
        return this.#showCall(event);
      case 'run-end':
        return this.#showRun(event);
      case 'notice':
        return this.#showNotice(event);
      case 'answer':
        return this.#showAnswer(event);
      default:
        return undefined;
    }
  }

  #report(line: string): void {
    this.#options.progress.write(`${line}\n`);
  }

  #showCall(event: Event<'call-end'>): void {
    this.#code?.addCall(event.tag, event.ok);
    const paint = createPainter(this.#options.progress);
    const line = renderSummary(event, paint);
    if (this.#code === undefined) this.#report(line);
    else this.#calls.add(line, paint);
    const isExplained = this.#options.unattended === true && event.errorType === 'ApprovalError';
    if (!isExplained) return;
    this.#calls.end(paint);
    this.#report(paint('hint', makeLineVisible(event.text.replace(/^ApprovalError: /, ''))));
  }

  #showRun(event: Event<'run-end'>): void {
    const isShown = this.#code?.wasOnlyCalls(event.ok) === true;
    this.#code = undefined;
    if (isShown) return;
    const { progress } = this.#options;
    const panel = { ...event, title: `ai:${event.label}`, columns: progress.columns() };
    this.#report(renderRunPanel(panel, createPainter(progress)));
  }

  /** Leaves out problems that the model will fix, and errors that the caller reports. */
  #showNotice({ code, text }: Event<'notice'>): void {
    if (code === 'near-miss' || code === 'parse-problem' || code === 'error') return;
    this.#report(createPainter(this.#options.progress)('hint', makeLineVisible(text)));
  }

  #showAnswer({ text, label }: Event<'answer'>): void {
    const { answers } = this.#options;
    const prose = makeVisible(this.#options.prose(text));
    if (prose === '') return;
    const answer = answers.isTerminal ? addSpeaker(prose, { channel: 'ai', label }, createPainter(answers)) : prose;
    answers.write(`${answer}\n`);
  }
}
