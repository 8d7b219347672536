import { AbortError } from '../errors/session-errors.ts';
import { BaeError } from '../errors/bae-error.ts';
import { renderError } from '../feedback/render-error.ts';
import { moveSummary, toolSummary } from '../feedback/tool-summary.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { dotted } from '../protocol/space-path.ts';
import type { CallReport } from './batch-report.ts';
import { throwIfAborted } from './interruption.ts';
import { changes, type RepeatGuard } from './repeat-guard.ts';
import type { Session } from './session.ts';

/** For which batch calls are executed, and until when. */
export interface CallOptions {
  readonly signal: AbortSignal;
  readonly guard: RepeatGuard;
  /** The calls of the response. */
  readonly batch: readonly ToolCall[];
}

/** What one call is made under. */
export interface CallScope {
  readonly signal: AbortSignal;
  /** True for what code calls. Default: false. */
  readonly fromCode?: boolean;
  /** Runs work with the time limit of the caller paused, such as asking for consent. */
  readonly pauseDuring?: <T>(work: () => Promise<T>) => Promise<T>;
}

interface WatchedScope extends CallScope {
  /** Hears when the tool is called. */
  readonly onRun: () => void;
}

const COPIED = 'it stands, letter for letter, in something that was read';
const REMEDY = 'Look at its effect before you repeat it.';

/** Executes single calls for a session: moves and tools, each between its two events. */
export class CallExecutor {
  /** Calls that were really run, repeats left out. */
  executed = 0;
  /** The last move of the batch, if it failed. */
  private failedMove: string | undefined;

  constructor(
    private readonly session: Session,
    private readonly options: CallOptions,
  ) {}

  /**
   * Executes one call and tells every listener. A call that is cancelled while it runs is answered with an AbortError.
   *
   * @param number the call's place in its batch, from 1; 0 for a call made by a run block
   * @param scope of the run block that makes it. Default: that of the batch
   * @throws AbortError when the signal had aborted before it ran
   */
  async execute(call: ToolCall, number: number, scope: CallScope = this.options): Promise<CallReport> {
    const { hub, host, navigation } = this.session;
    const { signal } = scope;
    throwIfAborted(signal);
    const id = this.session.nextId();
    const space = call.space ?? dotted(navigation.location);
    const { tag, verb } = call;
    await hub.emit({ type: 'call-start', id, tag, verb, space, arguments: sentArguments(call) });
    const began = host.clock.now();
    const { executed } = this;
    let ran = false;
    const onRun = () => {
      ran = true;
    };
    const result = await this.resultOf(call, number, { ...scope, onRun }).catch((error: unknown) => {
      if (!BaeError.is(error) || !signal.aborted) throw error;
      if (!ran) this.executed = executed;
      return asAborted({ space, ran, ms: host.clock.now() - began });
    });
    const summary = this.summary(call, result);
    await hub.emit({ type: 'call-end', id, tag, verb, summary, ...endOf(result) });
    if (!result.ran) throwIfAborted(signal);
    if (isMove(call) && number > 0) this.failedMove = result.ok ? undefined : call.tag;
    return { id, call, result, summary };
  }

  private async resultOf(call: ToolCall, number: number, scope: WatchedScope): Promise<ToolResult> {
    const { guard, batch } = this.options;
    const { navigation, router, state, copies } = this.session;
    const { signal, fromCode, pauseDuring, onRun } = scope;
    throwIfAborted(signal);
    const location = dotted(navigation.location);
    const repeat = guard.before(call, location);
    if (repeat !== undefined) return { ...repeat.result, text: repeat.text, ms: 0 };
    this.executed++;
    try {
      const reason = copies.isCopied(call) ? { reason: COPIED } : {};
      const refusedBecause = call.space === undefined ? this.refusedBecause(location) : undefined;
      const options = { signal, session: state, batch, fromCode, pauseDuring, onRun, refusedBecause, ...reason };
      const result = await router.dispatch(call, navigation.location, options);
      if (fromCode === true) copies.learnUnseen(typeof result.value === 'string' ? result.value : result.text);
      else copies.learn(result.text);
      if (number > 0) guard.after(call, location, { number, result });
      else if (changes(result)) guard.forget();
      return result;
    } finally {
      // A cancelled call may have moved and shown something, too.
      await this.tellMove(location);
      await this.session.recorder.flush();
    }
  }

  /** After a move that failed nobody knows whether a change is meant for where the session still stands. */
  private refusedBecause(location: string): string | undefined {
    if (this.failedMove === undefined) return undefined;
    return `the move ${this.failedMove} failed, so this is still ${location}. Send it again if it is meant for there`;
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

/** The map and the help are asked for like moves and go nowhere. */
function isMove({ verb, arg }: ToolCall): boolean {
  return verb === 'go' && arg !== 'nav' && arg !== 'help';
}

function sentArguments(call: ToolCall): Readonly<Record<string, unknown>> {
  return { ...call.kwargs, arg: call.arg, ...(call.body !== undefined && { body: call.body }) };
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

function asAborted(facts: Pick<ToolResult, 'space' | 'ran' | 'ms'>): ToolResult {
  const error = facts.ran ? new AbortError(`interrupted, outcome unknown. ${REMEDY}`) : new AbortError();
  return { ok: false, ...renderError(error), lines: 1, ...facts };
}
