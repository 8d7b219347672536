import { renderFeedback } from '../feedback/render-feedback.ts';
import type { RunReport, TurnTotals } from '../protocol/agent-event.ts';
import { formatSpacePath } from '../protocol/space-path.ts';
import type { ParsedText, ParseProblem } from '../protocol/tool-call.ts';
import type { Media } from '../protocol/model.ts';
import type { FeedbackItem } from '../protocol/tool-result.ts';
import { throwIfAborted } from '../tool-router/abort.ts';
import { formatCount } from '../text-size/text-size.ts';
import type { BatchReport, CallReport } from './agent.ts';
import { CallExecutor } from './call-executor.ts';
import type { RepeatGuard } from './call-guards.ts';
import { RunExecutor } from './run-executor.ts';
import type { Session } from './session.ts';
import { keepUnsentText } from '../results/kept-results.ts';

/** Executes what one response contains, and renders the message with the results. */
export class Batch {
  readonly #parsed: ParsedText;
  readonly #session: Session;
  readonly #signal: AbortSignal;
  readonly #callExecutor: CallExecutor;
  readonly #runExecutor: RunExecutor;
  readonly #calls: CallReport[] = [];
  readonly #runs: RunReport[] = [];
  readonly #notes: string[] = [];
  readonly #problems: readonly ParseProblem[];

  constructor(
    parsed: ParsedText,
    session: Session,
    scope: { readonly signal: AbortSignal; readonly guard: RepeatGuard },
  ) {
    const { signal, guard } = scope;
    this.#parsed = parsed;
    this.#session = session;
    this.#signal = signal;
    this.#problems = parsed.problems.map((problem) => keepUnsentText(problem, session));
    guard.startBatch();
    this.#callExecutor = new CallExecutor(session, { signal, guard, batch: parsed.calls });
    this.#runExecutor = new RunExecutor(session, this.#callExecutor, signal);
  }

  /** How many calls, those of run blocks included, and how many run blocks were executed. */
  get executed(): Pick<TurnTotals, 'calls' | 'runs'> {
    return { calls: this.#callExecutor.executed, runs: this.#runExecutor.executed };
  }

  /** True when nothing but moves was executed. */
  get hasOnlyMoved(): boolean {
    const { problems } = this.#parsed;
    return problems.length === 0 && this.#calls.length > 0 && this.#calls.every(({ call }) => call.verb === 'go');
  }

  /** True when there is nothing that the model would have to read. */
  get isSilent(): boolean {
    const { calls, problems } = this.#parsed;
    return calls.length === 0 && problems.length === 0 && this.#runs.every(({ output }) => output === '');
  }

  /** Executes the calls in order; run blocks only when there are no calls. Rejects with an AbortError when cancelled. */
  async execute(): Promise<void> {
    const { calls, runs } = this.#parsed;
    await this.#settleLocation();
    for (const call of calls) {
      this.#calls.push(await this.#callExecutor.execute(call, this.#calls.length + 1));
      throwIfAborted(this.#signal);
    }
    if (calls.length > 0) await this.#noteSkippedRuns();
    else {
      for (const code of runs) {
        this.#runs.push(await this.#runExecutor.execute(code));
        throwIfAborted(this.#signal);
      }
    }
    await this.#reportProblems();
  }

  /** What the results have besides their texts, for models that can take it in. */
  get media(): readonly Media[] {
    return this.#calls.flatMap(({ result }) => result.media ?? []);
  }

  report(): BatchReport {
    const { prose } = this.#parsed;
    return {
      feedback: this.#renderFeedback(this.#notes),
      calls: this.#calls,
      runs: this.#runs,
      problems: this.#problems,
      prose,
      location: formatSpacePath(this.#session.navigation.location),
    };
  }

  /** What the next prompt begins with when the batch was cancelled: what ran, and how much did not. */
  interruptedFeedback(): string {
    const { calls, runs } = this.#parsed;
    const [all, done, noun] = calls.length > 0 ? [calls, this.#calls, 'call'] : [runs, this.#runs, 'run block'];
    const left = all.length - done.length;
    const note = `${left} of ${formatCount(all.length, noun)} did not run.`;
    return this.#renderFeedback(left > 0 ? [...this.#notes, note] : this.#notes);
  }

  #renderFeedback(notes: readonly string[]): string {
    return renderFeedback({
      nonce: this.#session.nonce,
      items: this.#calls.map(toFeedbackItem),
      outputs: this.#runs.map(({ output }) => output),
      problems: this.#problems,
      notes,
    });
  }

  async #settleLocation(): Promise<void> {
    const notice = this.#session.navigation.settle();
    if (notice !== undefined) await this.#addNote('space-gone', notice);
  }

  async #addNote(code: 'space-gone' | 'run-skipped', text: string): Promise<void> {
    this.#notes.push(text);
    await this.#session.hub.emit({ type: 'notice', code, text });
  }

  async #noteSkippedRuns(): Promise<void> {
    const { length } = this.#parsed.runs;
    if (length === 0) return;
    const [were, them] = length === 1 ? ['was', 'it'] : ['were', 'them'];
    const text = `${formatCount(length, '<run> block')} ${were} not executed because tool calls ran first; send ${them} again if still needed.`;
    await this.#addNote('run-skipped', text);
  }

  async #reportProblems(): Promise<void> {
    for (const problem of this.#problems) {
      const code = problem.code === 'unknown-tool' ? 'near-miss' : 'parse-problem';
      const text = `line ${problem.line}: ${problem.message}`;
      await this.#session.hub.emit({ type: 'notice', code, text });
    }
  }
}

function toFeedbackItem({ call, result }: CallReport): FeedbackItem {
  const { space, ok, errorType = 'Error', text } = result;
  return { tag: call.tag, space, status: ok ? 'ok' : errorType, text };
}
