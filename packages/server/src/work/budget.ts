import type { AgentOptions } from '@bae/core';
import type { Budget, Spending } from '@bae/client';

export interface ReachedLimit {
  readonly of: 'session' | 'token';
  readonly limit: keyof Budget;
  readonly most: number;
  readonly spent: number;
}

/** The budget and the spending of a session and its token. */
export interface Account {
  readonly budget: Readonly<Record<'session' | 'token', Budget>>;
  readonly spent: Readonly<Record<'session' | 'token', Spending>>;
}

const LIMITS = ['tokens', 'dollars', 'minutes', 'calls'] as const;
const OWNERS = ['session', 'token'] as const;

/** Finds the first limit of an account that was reached; undefined if there is none. */
export function findReachedLimit({ budget, spent }: Account): ReachedLimit | undefined {
  for (const of of OWNERS)
    for (const limit of LIMITS) {
      const most = budget[of][limit];
      if (most !== undefined && spent[of][limit] >= most) return { of, limit, most, spent: spent[of][limit] };
    }
  return undefined;
}

/** Computes the limits of one turn: the amounts that are left of the budgets of session and token. */
export function computeTurnLimits(account: Account): Pick<AgentOptions, 'maxTokens' | 'maxCost' | 'maxCalls'> {
  const left = (limit: keyof Budget): number => Math.min(...OWNERS.map((of) => computeRest(account, of, limit)));
  const [tokens, dollars, calls] = (['tokens', 'dollars', 'calls'] as const).map(left) as [number, number, number];
  return {
    ...(tokens < Infinity && { maxTokens: Math.max(1, Math.ceil(tokens)) }),
    ...(dollars < Infinity && { maxCost: Math.max(Number.EPSILON, dollars) }),
    ...(calls < Infinity && { maxCalls: Math.max(1, Math.ceil(calls)) }),
  };
}

/** Computes the minutes that are left for a turn, and describes the limit that is reached when they have passed. */
export function computeTimeLimit(account: Account): { readonly minutes: number; readonly reached: ReachedLimit } {
  const [minutes, of] = OWNERS.map((one) => [computeRest(account, one, 'minutes'), one] as const).reduce(
    (least, next) => (next[0] < least[0] ? next : least),
  );
  const most = account.budget[of].minutes ?? Infinity;
  return { minutes, reached: { of, limit: 'minutes', most, spent: most } };
}

function computeRest({ budget, spent }: Account, of: 'session' | 'token', limit: keyof Budget): number {
  return (budget[of][limit] ?? Infinity) - spent[of][limit];
}

/** Tests whether the inner budget stays within the outer one. */
export function isWithinBudget(outer: Budget, inner: Budget): boolean {
  return LIMITS.every((limit) => (inner[limit] ?? 0) <= (outer[limit] ?? Infinity));
}

export const NOTHING_SPENT: Spending = { tokens: 0, dollars: 0, minutes: 0, calls: 0 };

/** Longest delay of a timer, in milliseconds. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Measures the time that work takes, without the time that it waits for a person, and tells when it is used up. */
export class WorkingTime {
  readonly #onLimit: () => void;
  #limitMs = Infinity;
  #passed = 0;
  /** Time since which it runs, in milliseconds; undefined while it waits. */
  #since: number | undefined = performance.now();
  #waits = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onLimit: () => void) {
    this.#onLimit = onLimit;
  }

  get ms(): number {
    return this.#passed + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  /** Sets the time after which `onLimit` is called, in milliseconds. */
  limit(ms: number): void {
    this.#limitMs = ms;
    this.#startTimer();
  }

  /** Does not count the time until a promise is settled; several may be pending at once. */
  async exclude<T>(waiting: Promise<T>): Promise<T> {
    if (this.#waits++ === 0) this.#pause();
    try {
      return await waiting;
    } finally {
      if (--this.#waits === 0) this.#resume();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#limitMs = Infinity;
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#passed = this.ms;
    this.#since = undefined;
  }

  #resume(): void {
    this.#since = performance.now();
    this.#startTimer();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    const left = this.#limitMs - this.ms;
    if (left === Infinity || this.#since === undefined) return;
    const next = (): void => (left > LONGEST_TIMER_MS ? this.#startTimer() : this.#onLimit());
    this.#timer = setTimeout(next, Math.min(left, LONGEST_TIMER_MS));
  }
}
