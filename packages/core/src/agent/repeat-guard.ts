import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';

/** Failures of one call after which it is not run again in the same turn. */
const FAILURES = 2;

/** What a call is answered with instead of being run. */
export interface Repeat {
  /** The earlier result that stands for this one. */
  readonly result: ToolResult;
  readonly text: string;
}

interface Failure {
  readonly text: string;
  readonly count: number;
  readonly result: ToolResult;
}

/**
 * Keeps a model from running in circles: an identical read runs once a batch, and a call that failed
 * twice in the same way is not tried a third time in the turn. Any change starts both counts afresh.
 */
export class RepeatGuard {
  private readonly answered = new Map<string, { readonly number: number; readonly result: ToolResult }>();
  private readonly failed = new Map<string, Failure>();

  /** Forgets what the last batch answered; failures are remembered for the turn. */
  startBatch(): void {
    this.answered.clear();
  }

  /** What to answer instead of running a call; undefined when it is to run. */
  before(call: ToolCall, location: string): Repeat | undefined {
    const key = keyOf(call, location);
    const same = this.answered.get(key);
    if (same !== undefined) return { result: same.result, text: `(same as #${same.number})` };
    const failure = this.failed.get(key);
    if (failure === undefined || failure.count < FAILURES) return undefined;
    const firstLine = failure.text.split('\n', 1)[0] ?? '';
    return { result: failure.result, text: `Skipped: this call already failed twice with: ${firstLine}` };
  }

  /**
   * Remembers an answer.
   *
   * @param number the call's place in its batch, from 1
   */
  after(call: ToolCall, location: string, { number, result }: { number: number; result: ToolResult }): void {
    const key = keyOf(call, location);
    const before = this.failed.get(key);
    if (changes(result)) this.forget();
    // A move answers the same twice and still has to be made.
    else if (call.verb !== 'go' && (result.effect === 'read' || !result.ran)) {
      this.answered.set(key, { number, result });
    }
    if (result.ok) return;
    const count = before?.text === result.text ? before.count + 1 : 1;
    this.failed.set(key, { text: result.text, count, result });
  }

  /** Starts afresh: something may have changed. */
  forget(): void {
    this.answered.clear();
    this.failed.clear();
  }
}

/** True when something may be other than before. */
export function changes({ ok, partial, effect = 'read' }: ToolResult): boolean {
  return (ok || partial === true) && effect !== 'read';
}

function keyOf(call: ToolCall, location: string): string {
  return JSON.stringify([call.space ?? location, call.verb, call.arg, call.body, call.kwargs]);
}
