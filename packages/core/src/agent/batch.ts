import { renderFeedback } from '../feedback/render-feedback.ts';
import type { RunReport, TurnTotals } from '../protocol/agent-event.ts';
import { formatSpacePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import { hasTool, walkSpaces } from '../registry/navigation.ts';
import type { Media, ModelText } from '../protocol/model.ts';
import type { ParsedText, ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import type { FeedbackItem } from '../protocol/tool-result.ts';
import { parse } from '../tag-parser/parse.ts';
import { throwIfAborted } from '../tool-router/abort.ts';
import { formatCount } from '../text-size/text-size.ts';
import type { BatchReport, CallReport } from './agent.ts';
import { CallExecutor } from './call-executor.ts';
import type { RepeatGuard } from './guards/call-guards.ts';
import { RunExecutor } from './run-executor.ts';
import { keepUnsentText, type Session } from './session.ts';

/** Parses a response, using the names of the places and tools that exist now. */
export function parseResponse(text: ModelText, { registry, navigation }: Session): ParsedText {
  const locate = (tool: string): string | undefined => locateTool(registry, navigation.location, tool);
  return parse(text, { ...registry.names(), misspeltSpaces: 'problem', locate });
}

/** Returns the dotted name of the space that has a tool; undefined if the place itself has it, or none does. */
function locateTool(tree: SpaceTree, at: SpacePath, tool: string): string | undefined {
  if (hasTool(tree, at, tool)) return undefined;
  const places = [[], ...Array.from(walkSpaces(tree), ({ path }) => path)];
  const owner = places.find((path) => hasTool(tree, path, tool));
  return owner && formatSpacePath(owner);
}

/** Executes the content of one response, and renders the message with the results. */
export class Batch {
  #parsed: ParsedText;
  readonly #text: ModelText;
  readonly #session: Session;
  readonly #signal: AbortSignal;
  readonly #callExecutor: CallExecutor;
  readonly #startRuns: () => RunExecutor;
  #runExecutor: RunExecutor | undefined;
  readonly #calls: CallReport[] = [];
  readonly #runs: RunReport[] = [];
  readonly #notes: string[] = [];
  #problems: readonly ParseProblem[];

  constructor(
    parsed: ParsedText,
    session: Session,
    scope: {
      readonly text: ModelText;
      readonly signal: AbortSignal;
      readonly guard: RepeatGuard;
      readonly isTyped?: boolean;
      /** Maximum length of a result, in units. Default: that of the session. */
      readonly cap?: number | undefined;
    },
  ) {
    const { text, signal, guard, isTyped = false, cap } = scope;
    this.#parsed = parsed;
    this.#text = text;
    this.#session = session;
    this.#signal = signal;
    this.#problems = parsed.problems.map((problem) => keepUnsentText(problem, session));
    guard.startBatch();
    const limit = cap === undefined ? {} : { cap };
    const getBatch = () => this.#parsed.calls;
    this.#callExecutor = new CallExecutor(session, { signal, guard, isTyped, getBatch, ...limit });
    this.#startRuns = () => new RunExecutor(session, this.#callExecutor, { signal, isTyped, ...limit });
  }

  /** Number of calls that were executed, including those of run blocks, and number of run blocks that were executed. */
  get executed(): Pick<TurnTotals, 'calls' | 'runs'> {
    return { calls: this.#callExecutor.executed, runs: this.#runExecutor?.executed ?? 0 };
  }

  /** True when nothing but moves was executed. */
  get hasOnlyMoved(): boolean {
    const { problems } = this.#parsed;
    return problems.length === 0 && this.#calls.length > 0 && this.#calls.every(({ call }) => call.verb === 'go');
  }

  /** True when there is nothing that the model has to read. */
  get isSilent(): boolean {
    const { calls, problems } = this.#parsed;
    return calls.length === 0 && problems.length === 0 && this.#runs.every(({ output }) => output === '');
  }

  /**
   * Executes the calls in order, and run blocks only if there are no calls. Rejects with an AbortError when cancelled.
   */
  async execute(): Promise<void> {
    const { calls, runs } = this.#parsed;
    await this.#settleLocation();
    // More calls are added when entering a place reveals more tools.
    for (let next = 0; next < this.#parsed.calls.length; next++) {
      const call = this.#parsed.calls[next]!;
      const report = await this.#callExecutor.execute(call, next + 1);
      this.#calls.push(report);
      throwIfAborted(this.#signal);
      if (call.verb === 'go' && report.result.ok) this.#readRest(call, next);
    }
    if (calls.length > 0) await this.#noteSkippedRuns();
    else {
      for (const code of runs) {
        this.#runExecutor ??= this.#startRuns();
        this.#runs.push(await this.#runExecutor.execute(code));
        throwIfAborted(this.#signal);
      }
    }
    await this.#reportProblems();
  }

  /** Media of the results, for models that accept more than text. */
  get media(): readonly Media[] {
    return this.#calls.flatMap(({ result }) => result.media ?? []);
  }

  /** Parses the rest of the text again after a move: a place may not know its tools before it is entered. */
  #readRest(move: ToolCall, place: number): void {
    const known = this.#parsed;
    const parsed = parseResponse(this.#text, this.#session);
    const at = parsed.calls.findIndex(({ line, tag }) => line === move.line && tag === move.tag);
    const isOld = ({ line }: ParseProblem): boolean => line <= move.line;
    const count = ({ calls, problems: found }: ParsedText): number =>
      calls.length + found.filter((problem) => !isOld(problem)).length;
    if (at < 0 || count(parsed) - at === count(known) - place) return;
    this.#parsed = { ...parsed, calls: [...known.calls.slice(0, place + 1), ...parsed.calls.slice(at + 1)] };
    const problems = parsed.problems.filter((problem) => !isOld(problem));
    this.#problems = [
      ...this.#problems.filter(isOld),
      ...problems.map((problem) => keepUnsentText(problem, this.#session)),
    ];
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

  /** Returns the beginning of the next prompt after the batch was cancelled: what ran, and how much did not. */
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
  const { space, ok, failed, errorType = 'Error', where, text } = result;
  const status = ok ? (failed === true ? 'failed' : 'ok') : errorType;
  return { tag: call.tag, space, status, ...(where !== undefined && { where }), text };
}
