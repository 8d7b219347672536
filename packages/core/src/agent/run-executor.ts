import { PRINTED_SHARE } from '../protocol/limits.ts';
import { AbortError } from '../errors/session-errors.ts';
import { RunError } from '../errors/call-errors.ts';
import { renderError } from '../feedback/render-error.ts';
import { joinParts, truncateUnits } from '../text-size/text-size.ts';
import type { ApprovalRequest } from '../protocol/approver.ts';
import type { CodeCall, RunningBlock, RunOutcome, RunScope } from '../protocol/code-runner.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { formatSpacePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import type { ToolSpec } from '../protocol/tool-definition.ts';
import { walkSpaces } from '../registry/find-spaces.ts';
import { detectFormat } from '../pruner/detect-format.ts';
import { maskKeys } from '../results/mask-keys.ts';
import { limitResult, limitWhole, type ResultLimits } from '../tool-router/render-result.ts';
import { throwIfAborted, untilAborted } from '../tool-router/abort.ts';
import { splitParameters } from '../tool-spec/declaration.ts';
import type { RunReport } from '../protocol/agent-event.ts';
import { ECHOED, type CallExecutor, type CallScope } from './call-executor.ts';
import { hasChangedSomething } from './call-guards.ts';
import { BlockDraft } from './block-draft.ts';
import type { Session } from './session.ts';

/** How long a cancelled block may take to return what it has printed, in milliseconds. */
const GRACE_MS = 150;
/** Calls of a block that are listed, and units of the argument of each. */
const MOST_CHANGES = 10;
const LONGEST_ARGUMENT = 40;

/** Executes single run blocks for a session, each between its two events. */
export class RunExecutor {
  /** Run blocks that were started. */
  executed = 0;
  readonly #session: Session;
  readonly #calls: CallExecutor;
  readonly #signal: AbortSignal;
  /** Settles after the last call that code has made. */
  #lastCall: Promise<unknown> = Promise.resolve();
  /** What the current block has changed and nobody was asked about yet. */
  #draft: BlockDraft | undefined;
  /** Calls of the current block that worked. */
  #called: DoneCall[] = [];
  /** Milliseconds that the current block has waited for consent. */
  #waitedMs = 0;
  /** True for what a person typed. */
  readonly #isTyped: boolean;
  /** True when the current block was copied from something that was read. */
  #isCopied = false;

  constructor(
    session: Session,
    calls: CallExecutor,
    { signal, isTyped = false }: { readonly signal: AbortSignal; readonly isTyped?: boolean },
  ) {
    this.#session = session;
    this.#calls = calls;
    this.#signal = signal;
    this.#isTyped = isTyped;
  }

  /** Executes one block. If it is cancelled while it runs, its report has an AbortError; before that, this rejects. */
  async execute(code: string): Promise<RunReport> {
    throwIfAborted(this.#signal);
    const { hub, host, echoes, resultLimits } = this.#session;
    const id = this.#session.nextId();
    const began = host.clock.now();
    const { executed } = this;
    await hub.emit({ type: 'run-start', id, code });
    this.#draft = this.#createDraft();
    const ended = await this.#runUntilAborted(code);
    const outcome = await this.#settleDraft(ended);
    const done = this.#called.filter(({ request }) => request === undefined || this.#draft?.lost.has(request) !== true);
    const output = boundOutput(maskOutput(addCalls(outcome, done)), resultLimits);
    echoes.learn(output);
    const report = { id, code, ok: outcome.ok, output, ms: host.clock.now() - began - this.#waitedMs };
    await hub.emit({ type: 'run-end', ...report });
    if (this.executed === executed) throwIfAborted(this.#signal);
    return report;
  }

  async #runUntilAborted(code: string): Promise<RunOutcome> {
    if (this.#signal.aborted) return toFailure(new AbortError());
    this.executed++;
    this.#called = [];
    this.#waitedMs = 0;
    this.#isCopied = !this.#isTyped && this.#session.echoes.isCopied(code);
    const outcome = this.#run(code);
    try {
      return await untilAborted(outcome, this.#signal);
    } catch (error) {
      if (!this.#signal.aborted) return toFailure(error);
      return await this.#waitForOutput(outcome);
    } finally {
      // What the code has called ends before it does, also when its result is not awaited.
      await this.#lastCall;
    }
  }

  /** What a cancelled block had printed, if its runner returns that soon. */
  async #waitForOutput(outcome: Promise<RunOutcome>): Promise<RunOutcome> {
    const { timers } = this.#session.host;
    const unknown = toFailure(new AbortError('interrupted, outcome unknown.'));
    const { promise: late, resolve } = Promise.withResolvers<RunOutcome>();
    const timer = timers.setTimeout(() => resolve(unknown), GRACE_MS);
    const partial = await Promise.race([outcome.catch(() => unknown), late]);
    timers.clearTimeout(timer);
    return partial;
  }

  #createDraft(): BlockDraft | undefined {
    const { approver, createDraft, state, navigation } = this.#session;
    // An approver that cannot tell what it would ask about is asked about every change.
    if (createDraft === undefined || approver.decide === undefined) return undefined;
    const getSpace = () => formatSpacePath(navigation.location);
    return new BlockDraft({ approver, createDraft, session: state, signal: this.#signal, getSpace });
  }

  /** Asks about what a block has changed. Of one that failed or was cancelled, nothing is written. */
  async #settleDraft(outcome: RunOutcome): Promise<RunOutcome> {
    const { output, error = output } = outcome;
    if (!outcome.ok || this.#signal.aborted) {
      const paths = (await this.#draft?.discard()) ?? [];
      if (paths.length === 0) return outcome;
      const line = `Not written, because the block did not end well: ${nameFiles(paths)}. Mend the code and send all of it again.`;
      return { ...outcome, output: joinParts(output, line), error: joinParts(outcome.ok ? '' : error, line) };
    }
    try {
      await this.#draft?.settle((work) => this.#measureWait(work));
      return outcome;
    } catch (failure) {
      const { text, errorType } = renderError(failure);
      return { ok: false, output: joinParts(output, text), error: text, errorType };
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
      // Made once for all calls of the block: there may be thousands.
      dispatch: (call, block) => this.#enqueue(call, (scope ??= this.#makeScope(block))),
    });
  }

  /** One call after the other, as if each were a tag: what one changes, the next one sees. */
  #enqueue(call: CodeCall, scope: CallScope): Promise<ToolResult> {
    const result = this.#lastCall.then(() => this.#dispatch(call, scope));
    this.#lastCall = result.catch(() => undefined);
    return result;
  }

  /** A call is cancelled when its block is stopped, or its turn. */
  #makeScope(block: RunningBlock | undefined): CallScope {
    const reason = this.#isCopied ? { reason: ECHOED } : {};
    const draft = this.#draft;
    if (block === undefined) return { signal: this.#signal, fromCode: true, draft, ...reason };
    const signal = AbortSignal.any([this.#signal, block.signal]);
    return {
      signal,
      fromCode: true,
      draft,
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
    // A function of a place calls that place's tool, also when the code has moved since it took the function.
    const isElsewhere = from !== undefined && from !== formatSpacePath(this.#session.navigation.location);
    const qualified = isElsewhere && call.space === undefined ? { ...call, space: from } : call;
    const before = this.#draft?.last;
    const { result } = await this.#calls.execute(qualified, 0, scope);
    const last = this.#draft?.last;
    if (result.ok)
      this.#called.push({ call, isChange: hasChangedSomething(result), request: last === before ? undefined : last });
    throwIfAborted(this.#signal);
    return result;
  }
}

/** What code can call where a session is: the tools of that place, and every place with its tools. */
export function buildRunScope(tree: SpaceTree, at: SpacePath): RunScope {
  const here = tree.at(at);
  const places = [{ path: [], space: tree.home }, ...walkSpaces(tree)];
  const spaces = places.map(({ path, space }) => ({ name: formatSpacePath(path), tools: listCallableSpecs(space) }));
  return { place: formatSpacePath(at), tools: here === undefined ? [] : listCallableSpecs(here), spaces };
}

/** The tools of a space, with parameters in the order in which code passes them. */
function listCallableSpecs({ tools }: SpaceDefinition): readonly ToolSpec[] {
  return Object.values(tools).map(({ spec }) => {
    const { byPosition, byName } = splitParameters(spec.params);
    return { ...spec, params: [...byPosition, ...byName] };
  });
}

/** An outcome without what looks like a key in its texts. */
function maskOutput(outcome: RunOutcome): RunOutcome {
  const { output, error } = outcome;
  return { ...outcome, output: maskKeys(output), ...(error !== undefined && { error: maskKeys(error) }) };
}

/** What was printed within the bound of a result, and the error as a whole. */
function boundOutput({ ok, output, error = ok ? '' : output }: RunOutcome, limits: ResultLimits): string {
  const printed = error === '' ? output : output.slice(0, output.length - error.length).replace(/\n$/, '');
  const printedLimits = { ...limits, cap: limits.cap * PRINTED_SHARE };
  // Code among other printed lines is no file with an outline.
  const format = detectFormat(printed) === 'code' ? ({ format: 'plain' } as const) : {};
  return joinParts(
    printed && limitResult({ text: printed, ...format }, printedLimits).text,
    limitWhole(error, limits.results).text,
  );
}

/** A call of code that worked, and whether it changed something. */
interface DoneCall {
  readonly call: CodeCall;
  readonly isChange: boolean;
  /** Its change, if it was made in the draft of the block. */
  readonly request: ApprovalRequest | undefined;
}

function nameFiles(paths: readonly string[]): string {
  const more = paths.length - MOST_CHANGES;
  return more > 0 ? `${paths.slice(0, MOST_CHANGES).join(', ')} and ${more} more` : paths.join(', ');
}

/**
 * Lists what a block that printed nothing has called, so that its end is not taken for that of the turn, and what one
 * that failed or was cancelled had called before.
 */
function addCalls(outcome: RunOutcome, calls: readonly DoneCall[]): RunOutcome {
  const { ok, output, error = output } = outcome;
  if (calls.length === 0 || (ok && output !== '')) return outcome;
  if (ok) return { ...outcome, output: `(no output; called ${listCalls(calls)})` };
  const line = `Done before that: ${listCalls(calls)}`;
  return { ...outcome, output: joinParts(output, line), error: joinParts(error, line) };
}

/** `write(a.txt), write(b.txt), read ×3`: every change, and how often the others were called. */
function listCalls(calls: readonly DoneCall[]): string {
  const changes = calls.filter(({ isChange }) => isChange);
  const names = changes.slice(0, MOST_CHANGES).map(({ call }) => {
    return `${getName(call)}(${truncateUnits(call.arg, LONGEST_ARGUMENT)})`;
  });
  if (changes.length > MOST_CHANGES) names.push(`${changes.length - MOST_CHANGES} more changes`);
  const others = calls.filter(({ isChange }) => !isChange);
  for (const [name, list] of Map.groupBy(others, ({ call }) => getName(call))) {
    names.push(
      list.length === 1 ? `${name}(${truncateUnits(list[0]!.call.arg, LONGEST_ARGUMENT)})` : `${name} ×${list.length}`,
    );
  }
  return names.join(', ');
}

function getName({ verb, space }: CodeCall): string {
  return space === undefined ? verb : `${space}.${verb}`;
}

function toFailure(error: unknown): RunOutcome {
  return { ok: false, output: renderError(error).text };
}
