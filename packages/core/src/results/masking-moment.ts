import { CACHED_PRICE_RATIO, MASK_SHARES } from '../protocol/limits.ts';
import type { Prices, Usage } from '../protocol/model.ts';

/** State of a conversation before a request. */
export interface MaskingState {
  /** Size of the conversation, in tokens. */
  readonly tokens: number;
  /** Number of tokens before the first result that can be masked: they stay in the provider's cache. */
  readonly settled: number;
  /** What carrying the results that could be masked has cost since the last masking, in tokens at the input price. */
  readonly carried: number;
  readonly contextTokens: number;
  /** Price of a cached token as a share of the price of a new one; 1 without a cache. */
  readonly ratio: number;
}

/** What to do before a request. */
export interface MaskingChoice {
  /** Number of tokens to mask down to; undefined if the results are carried on. */
  readonly target: number | undefined;
  /** What has been spent on carrying results after this request; 0 when they are masked. */
  readonly carried: number;
}

/**
 * Chooses the moment of masking that costs least, without knowing how many requests will follow.
 *
 * Masking rewrites an early message, so that everything behind it is paid for once more as new:
 * `(target - settled) × (1 - ratio)`. Not masking carries the old results in every request:
 * `(tokens - target) × ratio`. Results are masked once they have cost as much as masking does; so no session costs more
 * than about twice what it would with knowledge of its length. A window that is nearly full leaves no choice.
 */
export function chooseMasking({ tokens, settled, carried, contextTokens, ratio }: MaskingState): MaskingChoice {
  const shares = ratio < 1 ? MASK_SHARES.cached : MASK_SHARES.uncached;
  const target = contextTokens * shares.target;
  if (tokens > contextTokens * shares.full) return { target, carried: 0 };
  if (tokens <= contextTokens * shares.from) return { target: undefined, carried };
  const spent = carried + (tokens - target) * ratio;
  const price = Math.max(0, target - settled) * (1 - ratio);
  return spent >= price ? { target, carried: 0 } : { target: undefined, carried: spent };
}

/**
 * Returns the price of a cached token as a share of the price of a new one: 1 if the provider did not use its cache for
 * most of the last request; by default a tenth.
 */
export function getCacheRatio({ inputTokens, cachedTokens }: Usage, prices: Prices | undefined): number {
  if (cachedTokens <= inputTokens / 2) return 1;
  if (prices === undefined || prices.input <= 0) return CACHED_PRICE_RATIO;
  return Math.min(1, (prices.cached ?? prices.input) / prices.input);
}
