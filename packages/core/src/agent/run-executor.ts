import { AbortError } from '../errors/abort-error.ts';
import { RunError } from '../errors/run-error.ts';
import { renderError } from '../feedback/render-error.ts';
import type { RunningBlock, RunOutcome } from '../protocol/code-runner.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { fitAnswer, fitWhole } from '../tool-router/fit-answer.ts';
import { untilAborted } from '../tool-router/until-aborted.ts';
import type { CallExecutor, CallScope } from './call-executor.ts';
import { throwIfAborted } from './interruption.ts';
import { runScope } from './run-scope.ts';
import type { Session } from './session.ts';

/** Executes single run blocks for a session, each between its two events. */
export class RunExecutor {
  /** Run blocks that were begun. */
  executed = 0;
  /** Settles after the last call that code has made. */
  private lastCall: Promise<unknown> = Promise.resolve();

  /** @param calls executes the calls that code makes */
  constructor(
    private readonly session: Session,
    private readonly calls: CallExecutor,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Executes one block and tells every listener. One that is cancelled while it runs is answered with an AbortError.
   *
   * @returns its output within the bound of an answer, or what went wrong
   * @throws AbortError when the signal had aborted before it ran
   */
  async execute(code: string): Promise<string> {
    throwIfAborted(this.signal);
    const { hub, host, copies, fitting } = this.session;
    const id = this.session.nextId();
    const began = host.clock.now();
    const { executed } = this;
    await hub.emit({ type: 'run-start', id, code });
    const { ok, output: whole } = await this.outcomeOf(code);
    const output = (ok ? fitAnswer({ text: whole }, fitting) : fitWhole(whole, fitting.results)).text;
    copies.learn(output);
    await hub.emit({ type: 'run-end', id, code, ok, output, ms: host.clock.now() - began });
    if (this.executed === executed) throwIfAborted(this.signal);
    return output;
  }

  private async outcomeOf(code: string): Promise<RunOutcome> {
    if (this.signal.aborted) return failed(new AbortError());
    this.executed++;
    try {
      return await untilAborted(this.run(code), this.signal);
    } catch (error) {
      return failed(this.signal.aborted ? new AbortError('interrupted, outcome unknown.') : error);
    } finally {
      // What the code has called ends before it does, also when nobody waited for the answer.
      await this.lastCall;
    }
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
      dispatch: (call, block) => this.inOrder(call, (scope ??= block && this.scopeOf(block))),
    });
  }

  /** One call after the other, as if each were a tag: what one changes, the next one sees. */
  private inOrder(call: ToolCall, scope: CallScope | undefined): Promise<ToolResult> {
    const result = this.lastCall.then(() => this.dispatch(call, scope));
    this.lastCall = result.catch(() => undefined);
    return result;
  }

  /** A call is cancelled when its block is stopped, or its turn. */
  private scopeOf(block: RunningBlock): CallScope {
    return { signal: AbortSignal.any([this.signal, block.signal]), waiting: (work) => block.without(work) };
  }

  private async dispatch(call: ToolCall, scope: CallScope | undefined): Promise<ToolResult> {
    const { result } = await this.calls.execute(call, 0, scope);
    throwIfAborted(this.signal);
    return result;
  }
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
