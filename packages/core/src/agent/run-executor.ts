import { PRINTED_SHARE } from '../protocol/limits.ts';
import { AbortError, RunError } from '../errors/bae-error.ts';
import { renderError } from '../feedback/render-feedback.ts';
import { joinParts, truncateUnits } from '../text-size/text-size.ts';
import type { CodeCall, RunningBlock, RunOutcome, RunScope } from '../protocol/code-runner.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { formatSpacePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import type { ToolSpec } from '../protocol/tool-definition.ts';
import { walkSpaces } from '../registry/navigation.ts';
import { maskKeys } from '../results/mask-keys.ts';
import { limitResult, limitWhole, type ResultLimits } from '../tool-router/render-result.ts';
import { abortWith, throwIfAborted, toAbortError, untilAborted } from '../tool-router/abort.ts';
import { splitParameters } from '../tool-spec/declaration.ts';
import type { RunReport } from '../protocol/agent-event.ts';
import type { ApprovalRequest } from '../protocol/approver.ts';
import { ECHOED, type CallExecutor, type CallScope } from './call-executor.ts';
import { hasChangedSomething } from './guards/call-guards.ts';
import { formatCallStart } from './guards/echoed-calls.ts';
import { BlockDraft } from './block-draft.ts';
import type { Session } from './session.ts';

/** Time that a cancelled block has to return its output, in milliseconds. */
const GRACE_MS = 150;
interface RunOptions {
  readonly signal: AbortSignal;
  readonly isTyped?: boolean;
  /** Maximum length of a result, in units. Default: that of the session. */
  readonly cap?: number;
}

/** Executes single run blocks for a session, each between its start and end events. */
export class RunExecutor {
  /** Number of run blocks that were started. */
  executed = 0;
  readonly #session: Session;
  readonly #calls: CallExecutor;
  /** Signal of the turn. */
  readonly #turn: AbortSignal;
  /** Aborts when the current block or the whole turn is cancelled. */
  #signal: AbortSignal;
  /** Settles when the last call made by code has ended. */
  #lastCall: Promise<unknown> = Promise.resolve();
  /** Changes of the current block for which nobody has been asked for consent yet. */
  #draft: BlockDraft | undefined;
  /** Calls of the current block that succeeded. */
  #called: DoneCall[] = [];
  /** Beginnings of the calls of the current block, which its output may name. */
  #sent = new Set<string>();
  /** Time that the current block has waited for consent, in milliseconds. */
  #waitedMs = 0;
  /** True if a person typed the text. */
  readonly #isTyped: boolean;
  readonly #cap: number;
  /** True if the current block was copied from something that was read. */
  #isCopied = false;

  constructor(
    session: Session,
    calls: CallExecutor,
    { signal, isTyped = false, cap = session.resultLimits.cap }: RunOptions,
  ) {
    this.#session = session;
    this.#calls = calls;
    this.#turn = signal;
    this.#signal = signal;
    this.#isTyped = isTyped;
    this.#cap = cap;
  }

  /**
   * Executes one block. If it is cancelled while it runs, its report contains an AbortError; if before that, this
   * rejects.
   */
  async execute(code: string): Promise<RunReport> {
    throwIfAborted(this.#turn);
    const { hub, host, echoes, resultLimits, cancels } = this.#session;
    const id = hub.nextId();
    const own = new AbortController();
    const unlink = abortWith(own, this.#turn);
    this.#signal = own.signal;
    cancels.set(id, own);
    const began = host.clock.now();
    const { executed } = this;
    await hub.emit({ type: 'run-start', id, code });
    this.#draft = this.#createDraft();
    const ended = await this.#runUntilAborted(code);
    const outcome = await this.#settleDraft(ended).finally(() => {
      cancels.delete(id);
      unlink();
    });
    const done = this.#called.filter(({ request }) => request === undefined || this.#draft?.lost.has(request) !== true);
    const bounded = boundOutput(maskOutput(addCalls(outcome, done)), { ...resultLimits, cap: this.#cap });
    const changes = outcome.ok && !this.#isTyped ? maskKeys(describeChanges(outcome.output, done)) : '';
    // Added after cutting: with these lines the output would no longer be recognised as JSON or a table.
    const output = changes === '' ? bounded : joinParts(bounded.trimEnd(), changes);
    echoes.learn(output, { sent: this.#sent });
    const report = { id, code, ok: outcome.ok, output, ms: host.clock.now() - began - this.#waitedMs };
    await hub.emit({ type: 'run-end', ...report });
    if (this.executed === executed) throwIfAborted(this.#turn);
    return report;
  }

  async #runUntilAborted(code: string): Promise<RunOutcome> {
    this.#called = [];
    if (this.#signal.aborted) return toFailure(toAbortError(this.#signal));
    this.executed++;
    this.#sent = new Set();
    this.#waitedMs = 0;
    this.#isCopied = !this.#isTyped && this.#session.echoes.isCopied(code);
    const outcome = this.#run(code);
    try {
      return await untilAborted(outcome, this.#signal);
    } catch (error) {
      if (!this.#signal.aborted) return toFailure(error);
      return await this.#waitForOutput(outcome);
    } finally {
      // Calls made by the code end before it does, even if their results are not awaited.
      await this.#lastCall;
    }
  }

  /** Returns the output of a cancelled block, if its runner returns in time. */
  async #waitForOutput(outcome: Promise<RunOutcome>): Promise<RunOutcome> {
    const { timers } = this.#session.host;
    const { aborted: isTurnOver } = this.#turn;
    const unknown = toFailure(
      isTurnOver ? new AbortError('interrupted, outcome unknown.') : toAbortError(this.#signal),
    );
    const { promise: late, resolve } = Promise.withResolvers<RunOutcome>();
    const timer = timers.setTimeout(() => resolve(unknown), GRACE_MS);
    const partial = await Promise.race([outcome.catch(() => unknown), late]);
    timers.clearTimeout(timer);
    return partial;
  }

  #createDraft(): BlockDraft | undefined {
    const { approver, createDraft, confine, state, navigation } = this.#session;
    // An approver without `decide` cannot say in advance which changes it would ask about, so it is asked about each
    // one.
    if (createDraft === undefined || approver.decide === undefined) return undefined;
    const getSpace = () => formatSpacePath(navigation.location);
    return new BlockDraft({ approver, createDraft, confine, session: state, signal: this.#signal, getSpace });
  }

  /** Asks for consent to the changes of a block. If the block failed or was cancelled, nothing is written. */
  async #settleDraft(outcome: RunOutcome): Promise<RunOutcome> {
    const { output, error = output } = outcome;
    if (!outcome.ok || this.#signal.aborted) {
      const paths = (await this.#draft?.discard()) ?? [];
      if (paths.length === 0) return outcome;
      const line = `Not written, because the block did not end well: ${nameFiles(paths)}. Fix the code and send all of it again.`;
      return { ...outcome, output: joinParts(output, line), error: joinParts(outcome.ok ? '' : error, line) };
    }
    try {
      await this.#draft?.settle((work) => this.#measureWait(work));
      return outcome;
    } catch (failure) {
      const { text, errorType } = renderError(failure);
      // What was printed may say that something was written.
      const printed = output === '' ? '' : `(printed before its changes were decided on)\n${output}`;
      return { ok: false, output: joinParts(printed, text), error: text, errorType };
    }
  }

  async #run(code: string): Promise<RunOutcome> {
    const { codeRunner, registry, navigation, state } = this.#session;
    if (codeRunner === undefined) {
      const hints = ['use a tag instead, for example <R:README.md>', '<help:>'];
      throw new RunError('this agent does not execute run blocks.', hints);
    }
    let scope: CallScope | undefined;
    return codeRunner.run(code, {
      signal: this.#signal,
      session: state.id,
      scope: () => buildRunScope(registry, navigation.location),
      // Created once for all calls of the block: there may be thousands.
      dispatch: (call, block) => this.#enqueue(call, (scope ??= this.#makeScope(block))),
    });
  }

  /** Runs calls one after another, as if each were a tag: each call sees the changes of those before it. */
  #enqueue(call: CodeCall, scope: CallScope): Promise<ToolResult> {
    const result = this.#lastCall.then(() => this.#dispatch(call, scope));
    this.#lastCall = result.catch(() => undefined);
    return result;
  }

  /** A call is cancelled when its block or its turn is stopped. */
  #makeScope(block: RunningBlock | undefined): CallScope {
    const reason = this.#isCopied ? { reason: ECHOED } : {};
    const draft = this.#draft;
    const cap = this.#cap;
    if (block === undefined) return { signal: this.#signal, fromCode: true, draft, cap, ...reason };
    const signal = AbortSignal.any([this.#signal, block.signal]);
    return {
      signal,
      fromCode: true,
      draft,
      cap,
      ...reason,
      pauseDuring: (work) => this.#measureWait(() => block.pauseDuring(work)),
    };
  }

  async #measureWait<T>(work: () => Promise<T>): Promise<T> {
    const { clock } = this.#session.host;
    const began = clock.now();
    try {
      return await work();
    } finally {
      this.#waitedMs += clock.now() - began;
    }
  }

  async #dispatch({ from, ...call }: CodeCall, scope: CallScope): Promise<ToolResult> {
    // A function taken from a place calls that place's tool, even if the code has moved since.
    const isElsewhere = from !== undefined && from !== formatSpacePath(this.#session.navigation.location);
    const qualified = isElsewhere && call.space === undefined ? { ...call, space: from } : call;
    const before = this.#draft?.last;
    this.#sent.add(formatCallStart(call));
    const { result } = await this.#calls.execute(qualified, 0, scope);
    const last = this.#draft?.last;
    if (result.ok)
      this.#called.push({
        call,
        isChange: hasChangedSomething(result),
        summary: summarizeChange(call, result),
        request: last === before ? undefined : last,
      });
    throwIfAborted(this.#signal);
    return result;
  }
}

/** Builds the scope of code at a location: the tools of that place, and every place with its tools. */
export function buildRunScope(tree: SpaceTree, at: SpacePath): RunScope {
  const here = tree.at(at);
  const places = [{ path: [], space: tree.home }, ...walkSpaces(tree)];
  const spaces = places.map(({ path, space }) => ({ name: formatSpacePath(path), tools: listCallableSpecs(space) }));
  return { place: formatSpacePath(at), tools: here === undefined ? [] : listCallableSpecs(here), spaces };
}

/** Lists the tools of a space, with parameters in the order in which code passes them. */
function listCallableSpecs({ tools }: SpaceDefinition): readonly ToolSpec[] {
  return Object.values(tools).map(({ spec }) => {
    const { byPosition, byName } = splitParameters(spec.params);
    return { ...spec, params: [...byPosition, ...byName] };
  });
}

/** Returns an outcome with anything that looks like a key removed from its texts. */
function maskOutput(outcome: RunOutcome): RunOutcome {
  const { output, error } = outcome;
  return { ...outcome, output: maskKeys(output), ...(error !== undefined && { error: maskKeys(error) }) };
}

/** Returns the output, shortened to its limit, and the error in full. */
function boundOutput({ ok, output, error = ok ? '' : output }: RunOutcome, limits: ResultLimits): string {
  const printed = error === '' ? output : output.slice(0, output.length - error.length).replace(/\n$/, '');
  const printedLimits = { ...limits, cap: limits.cap * PRINTED_SHARE };
  return joinParts(
    printed && limitResult({ text: printed, format: 'printed' }, printedLimits).text,
    limitWhole(error, limits.results).text,
  );
}

function toFailure(error: unknown): RunOutcome {
  return { ok: false, output: renderError(error).text };
}

/** Call made by code that succeeded. */
interface DoneCall {
  readonly call: CodeCall;
  readonly isChange: boolean;
  /** One line about what the call changed in places that bae manages; undefined if it changed nothing there. */
  readonly summary: string | undefined;
  /** Change made by the call, if it is part of the block's draft. */
  readonly request: ApprovalRequest | undefined;
}

/** Maximum number of listed changes, or files. */
const MOST_CHANGES = 10;
/** Maximum length of the argument of a listed call, and of a line about a change, in units. */
const LONGEST_ARGUMENT = 40;
const LONGEST_SUMMARY = 120;

/** Lists files, at most the first ten. */
function nameFiles(paths: readonly string[]): string {
  const more = paths.length - MOST_CHANGES;
  return more > 0 ? `${paths.slice(0, MOST_CHANGES).join(', ')} and ${more} more` : paths.join(', ');
}

/**
 * Adds a list of calls to the outcome of a block that printed nothing, so that its end is not mistaken for the end of
 * the turn, and the earlier calls to the outcome of a block that failed or was cancelled.
 */
function addCalls(outcome: RunOutcome, calls: readonly DoneCall[]): RunOutcome {
  const { ok, output, error = output } = outcome;
  if (calls.length === 0 || (ok && output !== '')) return outcome;
  if (ok) return { ...outcome, output: `(no output; called ${listCalls(calls)})` };
  const line = `Done before that: ${listCalls(calls)}`;
  return { ...outcome, output: joinParts(output, line), error: joinParts(error, line) };
}

/** Lists calls: `write(a.txt), write(b.txt), read ×3` names every change and counts the other calls. */
function listCalls(calls: readonly DoneCall[]): string {
  const changes = calls.filter(({ isChange }) => isChange);
  const names = changes.slice(0, MOST_CHANGES).map(({ call }) => nameCall(call));
  if (changes.length > MOST_CHANGES) names.push(`${changes.length - MOST_CHANGES} more changes`);
  const others = calls.filter(({ isChange }) => !isChange);
  for (const [name, list] of Map.groupBy(others, ({ call }) => getName(call)))
    names.push(list.length === 1 ? nameCall(list[0]!.call) : `${name} ×${list.length}`);
  return names.join(', ');
}

/**
 * Lists what a block has changed, a line each, so that it need not be read again; empty if its output says all of it.
 *
 * @param output what the block printed
 */
function describeChanges(output: string, calls: readonly DoneCall[]): string {
  const summaries = calls.flatMap(({ call, summary }) => {
    // A block without output names its calls already.
    const isKnown = summary === undefined || output.includes(summary) || (output === '' && summary === nameCall(call));
    return isKnown ? [] : [summary];
  });
  if (summaries.length === 0) return '';
  const more = summaries.length - MOST_CHANGES;
  const lines = [...summaries.slice(0, MOST_CHANGES), ...(more > 0 ? [`${more} more changes`] : [])];
  return ['Changed:', ...lines.map((line) => `- ${line}`)].join('\n');
}

/**
 * Returns one line about what a call changed: the first line of its result if that names what the call was about, as in
 * `Replaced line 3 in a.ts`, otherwise the call.
 */
function summarizeChange(call: CodeCall, { effect, text, files = [] }: ToolResult): string | undefined {
  if (effect !== 'write') return undefined;
  const [first = ''] = text.split('\n', 1);
  const subjects = [call.arg.trim(), ...files].filter((subject) => subject !== '');
  return subjects.some((subject) => first.includes(subject)) ? truncateUnits(first, LONGEST_SUMMARY) : nameCall(call);
}

function nameCall(call: CodeCall): string {
  return `${getName(call)}(${truncateUnits(call.arg, LONGEST_ARGUMENT)})`;
}

function getName({ verb, space }: CodeCall): string {
  return space === undefined ? verb : `${space}.${verb}`;
}
