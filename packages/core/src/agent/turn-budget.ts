import { formatCount } from '../feedback/summarize-call.ts';
import { MAX_BATCHES } from '../protocol/limits.ts';
import type { ParsedText } from '../protocol/tool-call.ts';

/** Batches in a row that may do nothing but move. */
const MAX_MOVES = MAX_BATCHES;

/** What is to be done about a response. */
export type NextStep = 'execute' | 'answer' | 'limit';

/**
 * Decides whether a response is the last one, and counts the batches of a turn.
 *
 * A batch that only moved is free, so that finding one's way does not use up the turn; only a model
 * that does nothing but move is stopped.
 */
export class TurnBudget {
  private batches = 0;
  /** Batches in a row that only moved. */
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
    this.moves = onlyMoved ? this.moves + 1 : 0;
    if (!onlyMoved) this.batches++;
  }

  /** One line for people: what stopped, and what was left undone. */
  limitText({ calls, runs }: ParsedText): string {
    const rounds = this.batches + this.moves;
    const left =
      calls.length > 0
        ? formatCount(calls.length, 'call')
        : runs.length > 0
          ? formatCount(runs.length, 'run block')
          : 'nothing';
    return `stopped after ${formatCount(rounds, 'tool round')}; ${left} not run`;
  }

  private isUsedUp(): boolean {
    return this.max > 0 && (this.batches >= this.max || this.moves >= MAX_MOVES);
  }
}
