import { AbortError } from '../errors/session-errors.ts';
import { RunError } from '../errors/call-errors.ts';
import { renderError } from '../feedback/render-error.ts';
import { joined } from '../feedback/render-within.ts';
import type { CodeCall, RunningBlock, RunOutcome } from '../protocol/code-runner.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { dotted } from '../protocol/space-path.ts';
import { boundAnswer, boundWhole, type AnswerLimits } from '../tool-router/bound-answer.ts';
import { untilAborted } from '../tool-router/abort.ts';
import type { RunReport } from './batch-report.ts';
import type { CallExecutor, CallScope } from './call-executor.ts';
import { throwIfAborted } from './interruption.ts';
import { runScope } from './run-scope.ts';
import { changes } from './repeat-guard.ts';
import type { Session } from './session.ts';

/** How long a cancelled block may take to say what it has printed, in milliseconds. */
const LAST_WORDS_MS = 150;
/** Changes that a cancelled block is said to have made. */
const MOST_CHANGES = 10;

/** Executes single run blocks for a session, each between its two events. */
export class RunExecutor {
  /** Run blocks that were begun. */
  executed = 0;
  /** Settles after the last call that code has made. */
  private lastCall: Promise<unknown> = Promise.resolve();
  /** Calls of the block that runs which have changed something. */
  private changed: string[] = [];
  /** Milliseconds of that block in which somebody was asked. */
  private waited = 0;

  /** @param calls executes the calls that code makes */
  constructor(
    private readonly session: Session,
    private readonly calls: CallExecutor,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Executes one block and tells every listener. One that is cancelled while it runs is answered with an AbortError.
   *
   * @throws AbortError when the signal had aborted before it ran
   */
  async execute(code: string): Promise<RunReport> {
    throwIfAborted(this.signal);
    const { hub, host, copies, fitting } = this.session;
    const id = this.session.nextId();
    const began = host.clock.now();
    const { executed } = this;
    await hub.emit({ type: 'run-start', id, code });
    const outcome = await this.outcomeOf(code);
    const { ok } = outcome;
    const output = fitted(outcome, fitting);
    copies.learn(output);
    const report = { id, code, ok, output, ms: host.clock.now() - began - this.waited };
    await hub.emit({ type: 'run-end', ...report });
    if (this.executed === executed) throwIfAborted(this.signal);
    return report;
  }

  private async outcomeOf(code: string): Promise<RunOutcome> {
    if (this.signal.aborted) return failed(new AbortError());
    this.executed++;
    this.changed = [];
    this.waited = 0;
    const outcome = this.run(code);
    try {
      return await untilAborted(outcome, this.signal);
    } catch (error) {
      if (!this.signal.aborted) return failed(error);
      const told = (await this.lastWords(outcome)) ?? failed(new AbortError('interrupted, outcome unknown.'));
      return withChanges(told, this.changed);
    } finally {
      // What the code has called ends before it does, also when nobody waited for the answer.
      await this.lastCall;
    }
  }

  /** What a block that was cancelled had printed, if its runner tells that soon. */
  private async lastWords(outcome: Promise<RunOutcome>): Promise<RunOutcome | undefined> {
    const { timers } = this.session.host;
    const { promise: over, resolve } = Promise.withResolvers<undefined>();
    const timer = timers.setTimeout(() => resolve(undefined), LAST_WORDS_MS);
    const told = await Promise.race([outcome.catch(() => undefined), over]);
    timers.clearTimeout(timer);
    return told;
  }

  private async run(code: string): Promise<RunOutcome> {
    const { codeRunner, registry, navigation, state } = this.session;
    if (codeRunner === undefined) throw noRunner();
    let scope: CallScope | undefined;
    return codeRunner.run(code, {
      signal: this.signal,
      session: state.id,
      scope: () => runScope(registry, navigation.location),
      // Made once for all calls of the block: there may be thousands.
      dispatch: (call, block) => this.inOrder(call, (scope ??= this.scopeOf(block))),
    });
  }

  /** One call after the other, as if each were a tag: what one changes, the next one sees. */
  private inOrder(call: CodeCall, scope: CallScope): Promise<ToolResult> {
    const result = this.lastCall.then(() => this.dispatch(call, scope));
    this.lastCall = result.catch(() => undefined);
    return result;
  }

  /** A call is cancelled when its block is stopped, or its turn. */
  private scopeOf(block: RunningBlock | undefined): CallScope {
    if (block === undefined) return { signal: this.signal, fromCode: true };
    const signal = AbortSignal.any([this.signal, block.signal]);
    return { signal, fromCode: true, pauseDuring: (work) => this.untimed(() => block.without(work)) };
  }

  private async untimed<T>(work: () => Promise<T>): Promise<T> {
    const { clock } = this.session.host;
    const began = clock.now();
    try {
      return await work();
    } finally {
      this.waited += clock.now() - began;
    }
  }

  private async dispatch({ from, ...call }: CodeCall, scope: CallScope): Promise<ToolResult> {
    const { result } = await this.calls.execute(this.meant(call, from), 0, scope);
    if (changes(result)) this.changed.push(call.tag);
    throwIfAborted(this.signal);
    return result;
  }

  /** A function of a place calls that place's tool, also when the code has moved since it took the function. */
  private meant(call: ToolCall, from: string | undefined): ToolCall {
    const isElsewhere = from !== undefined && from !== dotted(this.session.navigation.location);
    return isElsewhere && call.space === undefined ? { ...call, space: from } : call;
  }
}

/** What was printed within the bound of an answer, and what went wrong as a whole. */
function fitted({ ok, output, error = ok ? '' : output }: RunOutcome, fitting: AnswerLimits): string {
  const printed = output.slice(0, output.length - error.length).replace(/\n$/, '');
  const shown = error === '' ? output : printed;
  return joined(
    shown === '' ? '' : boundAnswer({ text: shown }, fitting).text,
    boundWhole(error, fitting.results).text,
  );
}

/** What a block that was cancelled has done: nobody else will say so. */
function withChanges({ output, error, ...outcome }: RunOutcome, tags: readonly string[]): RunOutcome {
  const lines = tags.slice(0, MOST_CHANGES).map((tag) => `Done before that: ${tag}`);
  if (tags.length > MOST_CHANGES) lines.push(`and ${tags.length - MOST_CHANGES} more changes`);
  return {
    ...outcome,
    output: joined(output, ...lines),
    ...(error !== undefined && { error: joined(error, ...lines) }),
  };
}

function failed(error: unknown): RunOutcome {
  return { ok: false, output: renderError(error).text };
}

function noRunner(): RunError {
  return new RunError('this agent does not execute run blocks.', [
    'use a tag instead, for example <R:README.md>',
    '<help:>',
  ]);
}
