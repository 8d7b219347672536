import type { AgentEvent } from '@bae/core';
import { makeVisible, visibleLine } from '../terminal/make-visible.ts';
import { painterFor } from '../terminal/paint.ts';
import type { Output } from '../terminal/output.ts';
import { endsFold, FoldedLines } from './folded-lines.ts';
import { prefixed } from './prefixed.ts';
import { runPanel } from './run-panel.ts';
import { summaryLine } from './summary-line.ts';
import type { View } from './view.ts';
import { WatchedCode } from './watched-code.ts';

/** Where a user view writes, and how it gets the prose out of an answer. */
export interface UserViewOptions {
  /** Lines about what is going on. */
  readonly progress: Output;
  /** Answers: with their speaker on a terminal, as they are elsewhere. */
  readonly answers: Output;
  /** True where nobody can be asked for consent: then it is said how a refused call could be allowed. */
  readonly unattended?: boolean;
  /** A response without its calls, bodies and run blocks. */
  prose(text: string): string;
}

/** What people need to know: a line per call, a panel per run block, and the answer. */
export class UserView implements View {
  /** The run block that runs. */
  private code: WatchedCode | undefined;
  private readonly calls = new FoldedLines((line) => this.progress(line));

  constructor(private readonly options: UserViewOptions) {}

  handle(event: AgentEvent): void {
    if (endsFold(event)) this.calls.end(painterFor(this.options.progress));
    switch (event.type) {
      case 'run-start':
        this.code = new WatchedCode(event.code);
        return undefined;
      case 'call-end':
        return this.call(event);
      case 'run-end':
        return this.panel(event);
      case 'notice':
        return this.notice(event);
      case 'answer':
        return this.answer(event);
      default:
        return undefined;
    }
  }

  private call(event: Extract<AgentEvent, { type: 'call-end' }>): void {
    this.code?.called(event.tag, event.ok);
    const paint = painterFor(this.options.progress);
    const line = summaryLine(event, paint);
    if (this.code === undefined) this.progress(line);
    else this.calls.add(line, paint);
    const isExplained = this.options.unattended === true && event.errorType === 'ApprovalError';
    if (!isExplained) return;
    this.calls.end(paint);
    this.progress(paint('hint', visibleLine(event.text.replace(/^ApprovalError: /, ''))));
  }

  private progress(line: string): void {
    this.options.progress.write(`${line}\n`);
  }

  private panel(event: Extract<AgentEvent, { type: 'run-end' }>): void {
    const isTold = this.code?.isToldByCalls(event.ok) === true;
    this.code = undefined;
    if (isTold) return;
    const { progress } = this.options;
    const panel = { ...event, title: `ai:${event.label}`, columns: progress.columns() };
    this.progress(runPanel(panel, painterFor(progress)));
  }

  /** Problems the model will mend, and failures that the caller reports, are no news. */
  private notice({ code, text }: Extract<AgentEvent, { type: 'notice' }>): void {
    if (code === 'near-miss' || code === 'parse-problem' || code === 'error') return;
    this.progress(painterFor(this.options.progress)('hint', visibleLine(text)));
  }

  private answer({ text, label }: Extract<AgentEvent, { type: 'answer' }>): void {
    const { answers } = this.options;
    const prose = makeVisible(this.options.prose(text));
    if (prose === '') return;
    const shown = answers.isTerminal ? prefixed(prose, { channel: 'ai', label }, painterFor(answers)) : prose;
    answers.write(`${shown}\n`);
  }
}
