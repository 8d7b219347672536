import { AbortError } from '../errors/abort-error.ts';
import { RunError } from '../errors/run-error.ts';
import { renderError } from '../feedback/render-error.ts';
import type { RunOptions, RunOutcome } from '../protocol/code-runner.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { untilAborted } from '../tool-router/until-aborted.ts';
import type { CallExecutor } from './call-executor.ts';
import { throwIfAborted } from './interruption.ts';
import type { Session } from './session.ts';

/** Executes single run blocks for a session, each between its two events. */
export class RunExecutor {
  /** Run blocks that were begun. */
  executed = 0;

  /** @param calls executes the calls that code makes */
  constructor(
    private readonly session: Session,
    private readonly calls: CallExecutor,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Executes one block and tells every listener. One that is cancelled while it runs is answered with an AbortError.
   *
   * @returns its output, or what went wrong
   * @throws AbortError when the signal had aborted before it ran
   */
  async execute(code: string): Promise<string> {
    throwIfAborted(this.signal);
    const { hub, host } = this.session;
    const id = this.session.nextId();
    const began = host.clock.now();
    const { executed } = this;
    await hub.emit({ type: 'run-start', id, code });
    const { ok, output } = await this.outcomeOf(code);
    await hub.emit({ type: 'run-end', id, code, ok, output, ms: host.clock.now() - began });
    if (this.executed === executed) throwIfAborted(this.signal);
    return output;
  }

  private async outcomeOf(code: string): Promise<RunOutcome> {
    if (this.signal.aborted) return failed(new AbortError());
    this.executed++;
    const calls = new Set<Promise<unknown>>();
    const dispatch: RunOptions['dispatch'] = (call) => {
      const result = this.dispatch(call);
      calls.add(result.catch(() => undefined));
      return result;
    };
    try {
      return await untilAborted(this.run(code, dispatch), this.signal);
    } catch (error) {
      return failed(this.signal.aborted ? new AbortError('interrupted, outcome unknown.') : error);
    } finally {
      // What the code has called ends before it does, also when nobody waited for the answer.
      await Promise.all(calls);
    }
  }

  private async run(code: string, dispatch: RunOptions['dispatch']): Promise<RunOutcome> {
    const { codeRunner } = this.session;
    if (codeRunner === undefined) throw noRunner();
    return codeRunner.run(code, { signal: this.signal, dispatch });
  }

  private async dispatch(call: Parameters<RunOptions['dispatch']>[0]): Promise<ToolResult> {
    const { result } = await this.calls.execute(call, 0);
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
