import type { AgentOptions } from '@bae/core';
import type { Budget, Spending } from '@bae/client';

/** A limit that was reached. */
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
export function computeTurnLimits(
  account: Account,
): Pick<AgentOptions, 'maxTokens' | 'maxCost' | 'maxMinutes' | 'maxCalls'> {
  const left = (limit: keyof Budget): number =>
    Math.min(...OWNERS.map((of) => (account.budget[of][limit] ?? Infinity) - account.spent[of][limit]));
  const [tokens, dollars, minutes, calls] = LIMITS.map(left) as [number, number, number, number];
  return {
    ...(tokens < Infinity && { maxTokens: Math.max(1, Math.ceil(tokens)) }),
    ...(dollars < Infinity && { maxCost: Math.max(Number.EPSILON, dollars) }),
    ...(minutes < Infinity && { maxMinutes: Math.max(Number.EPSILON, minutes) }),
    ...(calls < Infinity && { maxCalls: Math.max(1, Math.ceil(calls)) }),
  };
}

/** Tests whether the inner budget stays within the outer one. */
export function isWithinBudget(outer: Budget, inner: Budget): boolean {
  return LIMITS.every((limit) => (inner[limit] ?? 0) <= (outer[limit] ?? Infinity));
}

export const NOTHING_SPENT: Spending = { tokens: 0, dollars: 0, minutes: 0, calls: 0 };
