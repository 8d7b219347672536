import { BaeError } from '../errors/bae-error.ts';
import { renderError } from '../feedback/render-error.ts';
import { moveSummary, toolSummary } from '../feedback/tool-summary.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { dotted } from '../protocol/space-path.ts';
import type { CallReport } from './batch-report.ts';
import { asAbortError } from './interruption.ts';
import type { RepeatGuard } from './repeat-guard.ts';
import type { Session } from './session.ts';

/** For which batch calls are executed, and until when. */
export interface CallOptions {
  readonly signal: AbortSignal;
  readonly guard: RepeatGuard;
  /** The calls of the response. */
  readonly batch: readonly ToolCall[];
}

/** Executes single calls for a session: moves and tools, each between its two events. */
export class CallExecutor {
  /** Calls that were really run, repeats left out. */
  executed = 0;

  constructor(
    private readonly session: Session,
    private readonly options: CallOptions,
  ) {}

  /**
   * Executes one call and tells every listener.
   *
   * @param number the call's place in its batch, from 1; 0 for a call made by a run block
   * @throws AbortError when the signal aborts
   */
  async execute(call: ToolCall, number: number): Promise<CallReport> {
    const { hub, host, navigation } = this.session;
    const id = this.session.nextId();
    const space = call.space ?? dotted(navigation.location);
    const { tag, verb } = call;
    await hub.emit({ type: 'call-start', id, tag, verb, space, arguments: sentArguments(call) });
    const began = host.clock.now();
    const result = await this.resultOf(call, number).catch((error: unknown) => {
      if (BaeError.is(error) && this.options.signal.aborted)
        return asAborted(this.options.signal, space, host.clock.now() - began);
      throw error;
    });
    const summary = this.summary(call, result);
    await hub.emit({ type: 'call-end', id, tag, verb, summary, ...endOf(result) });
    if (this.options.signal.aborted && result.errorType === 'AbortError') throw asAbortError(this.options.signal);
    return { id, call, result, summary };
  }

  private async resultOf(call: ToolCall, number: number): Promise<ToolResult> {
    const { guard, signal, batch } = this.options;
    const { navigation, router, state } = this.session;
    const location = dotted(navigation.location);
    const repeat = guard.before(call, location);
    if (repeat !== undefined) return { ...repeat.result, text: repeat.text, ms: 0 };
    this.executed++;
    const result = await router.dispatch(call, navigation.location, { signal, session: state, batch });
    await this.tellMove(location);
    await this.session.recorder.flush();
    if (number > 0) guard.after(call, location, { number, result });
    return result;
  }

  private async tellMove(from: string): Promise<void> {
    const to = dotted(this.session.navigation.location);
    const { hub, navigation, recorder } = this.session;
    if (from !== to) await hub.emit({ type: 'space-enter', from, to });
    await recorder.recordLocation(navigation.location, navigation.history);
  }

  private summary(call: ToolCall, result: ToolResult): string {
    if (call.verb === 'go' && result.ok) return moveSummary(this.session.navigation.location);
    return toolSummary(call, result);
  }
}

function sentArguments(call: ToolCall): Readonly<Record<string, unknown>> {
  return { arg: call.arg, ...call.kwargs, ...(call.body !== undefined && { body: call.body }) };
}

function endOf(result: ToolResult) {
  const { space, ok, errorType, rows, pruned, ref, ms, text } = result;
  return {
    space,
    ok,
    ...(errorType !== undefined && { errorType }),
    ...(rows !== undefined && { rows }),
    ...(pruned !== undefined && { pruned: true }),
    ...(ref !== undefined && { ref }),
    ms,
    text,
  };
}

function asAborted(signal: AbortSignal, space: string, ms: number): ToolResult {
  const { text, errorType } = renderError(asAbortError(signal));
  return { ok: false, text, errorType, space, ran: true, lines: 1, ms };
}
