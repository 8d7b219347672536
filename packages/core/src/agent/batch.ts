import { renderFeedback, type FeedbackItem } from '../feedback/render-feedback.ts';
import { formatCount } from '../feedback/summarize-call.ts';
import type { ParsedText } from '../protocol/tool-call.ts';
import { dotted } from '../protocol/space-path.ts';
import type { BatchReport, CallReport, RunReport } from './batch-report.ts';
import { CallExecutor } from './call-executor.ts';
import { throwIfAborted } from './interruption.ts';
import type { RepeatGuard } from './repeat-guard.ts';
import { RunExecutor } from './run-executor.ts';
import type { Session } from './session.ts';

/** Everything executed from one response, and the message that answers it. */
export class Batch {
  private readonly calls: CallReport[] = [];
  private readonly runs: RunReport[] = [];
  private readonly notes: string[] = [];
  private readonly executor: CallExecutor;
  private readonly runExecutor: RunExecutor;

  constructor(
    private readonly parsed: ParsedText,
    private readonly session: Session,
    options: { readonly signal: AbortSignal; readonly guard: RepeatGuard },
  ) {
    this.signal = options.signal;
    options.guard.startBatch();
    this.executor = new CallExecutor(session, { ...options, batch: parsed.calls });
    this.runExecutor = new RunExecutor(session, this.executor, options.signal);
  }

  private readonly signal: AbortSignal;

  /** Calls executed so far, those of run blocks included. */
  get executedCalls(): number {
    return this.executor.executed;
  }

  get executedRuns(): number {
    return this.runExecutor.executed;
  }

  /** True when nothing but moves was executed. */
  get onlyMoved(): boolean {
    return (
      this.parsed.problems.length === 0 && this.calls.length > 0 && this.calls.every(({ call }) => call.verb === 'go')
    );
  }

  /** True when there is nothing that the model would have to read. */
  get silent(): boolean {
    return (
      this.parsed.calls.length === 0 &&
      this.parsed.problems.length === 0 &&
      this.runs.every(({ output }) => output === '')
    );
  }

  /**
   * Executes the calls in order; run blocks only when there are no calls.
   *
   * @throws AbortError when the signal aborts; what ran until then is in the report
   */
  async execute(): Promise<void> {
    await this.settle();
    for (const call of this.parsed.calls) {
      this.calls.push(await this.executor.execute(call, this.calls.length + 1));
      throwIfAborted(this.signal);
    }
    if (this.parsed.calls.length === 0) await this.executeRuns();
    else this.noteSkippedRuns();
    await this.reportProblems();
  }

  report(): BatchReport {
    return {
      feedback: this.feedback(),
      calls: this.calls,
      runs: this.runs,
      problems: this.parsed.problems,
      prose: this.parsed.prose,
      location: dotted(this.session.navigation.location),
    };
  }

  /** What a cancelled batch leaves for the next prompt: what ran, and how much did not. */
  interruptedFeedback(): string {
    const { calls, runs } = this.parsed;
    const left = calls.length > 0 ? calls.length - this.calls.length : runs.length - this.runs.length;
    const all = calls.length > 0 ? formatCount(calls.length, 'call') : formatCount(runs.length, 'run block');
    return this.feedback(left > 0 ? [`${left} of ${all} did not run.`] : []);
  }

  private feedback(more: readonly string[] = []): string {
    const { nonce } = this.session;
    const notes = [...this.notes, ...more];
    return renderFeedback({
      nonce,
      items: this.calls.map(feedbackItem),
      outputs: this.runs.map(({ output }) => output),
      problems: this.parsed.problems,
      notes,
    });
  }

  private async settle(): Promise<void> {
    const notice = this.session.navigation.settle();
    if (notice === undefined) return;
    this.notes.push(notice);
    await this.session.hub.emit({ type: 'notice', code: 'space-gone', text: notice });
  }

  private async executeRuns(): Promise<void> {
    for (const code of this.parsed.runs) {
      this.runs.push(await this.runExecutor.execute(code));
      throwIfAborted(this.signal);
    }
  }

  private noteSkippedRuns(): void {
    const { length } = this.parsed.runs;
    if (length === 0) return;
    const [blocks, were, them] = length === 1 ? ['block', 'was', 'it'] : ['blocks', 'were', 'them'];
    this.notes.push(
      `${length} <run> ${blocks} ${were} not executed because tool calls ran first; send ${them} again if still needed.`,
    );
  }

  private async reportProblems(): Promise<void> {
    const { hub } = this.session;
    for (const note of this.notes)
      if (note.includes('<run>')) await hub.emit({ type: 'notice', code: 'run-skipped', text: note });
    for (const problem of this.parsed.problems) {
      const code = problem.code === 'unknown-tool' ? 'near-miss' : 'parse-problem';
      await hub.emit({ type: 'notice', code, text: `line ${problem.line}: ${problem.message}` });
    }
  }
}

function feedbackItem({ call, result }: CallReport): FeedbackItem {
  return {
    tag: call.tag,
    space: result.space,
    status: result.ok ? 'ok' : (result.errorType ?? 'Error'),
    text: result.text,
  };
}
