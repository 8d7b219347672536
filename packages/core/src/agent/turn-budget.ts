import { counted } from '../feedback/tool-summary.ts';
import type { ParsedText } from '../protocol/tool-call.ts';

/** What is to be done about a response. */
export type NextStep = 'execute' | 'answer' | 'limit';

/**
 * Decides whether a response is the last one, and counts the batches of a turn.
 *
 * A batch that only moved is free, so that finding one's way does not use up the turn; such batches
 * have a limit of their own, as high as that of the others.
 */
export class TurnBudget {
  private batches = 0;
  private moves = 0;
  private nearMissReported = false;

  /** @param max batches of calls; 0 for no limit */
  constructor(private readonly max: number) {}

  next(parsed: ParsedText): NextStep {
    const { calls, runs, problems } = parsed;
    if (calls.length === 0 && runs.length === 0) {
      if (problems.every(({ code }) => code === 'unknown-tool') && (problems.length === 0 || this.nearMissReported))
        return 'answer';
      this.nearMissReported = true;
    }
    return this.isUsedUp() ? 'limit' : 'execute';
  }

  /** Counts a batch that was executed. */
  spent(onlyMoved: boolean): void {
    if (onlyMoved) this.moves++;
    else this.batches++;
  }

  /** One line for people: what stopped, and what was left undone. */
  limitText({ calls, runs }: ParsedText): string {
    const rounds = Math.max(this.batches, this.moves);
    const left =
      calls.length > 0
        ? counted(calls.length, 'call')
        : runs.length > 0
          ? counted(runs.length, 'run block')
          : 'nothing';
    return `stopped after ${counted(rounds, 'tool round')}; ${left} not run`;
  }

  private isUsedUp(): boolean {
    return this.max > 0 && (this.batches >= this.max || this.moves >= this.max);
  }
}
