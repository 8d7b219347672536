import type { EndReason, ModelPart, Usage } from '@bae/core';
import { ModelError } from '@bae/core';

/** The last part of a stream as AI SDK models of any generation report it. */
export interface FinishReport {
  /** `stop`, or `{ unified: 'stop', raw: 'end_turn' }`. */
  readonly finishReason: string | { readonly unified: string; readonly raw: string | undefined };
  readonly usage: UsageReport;
}

/** Tokens, as plain numbers or broken down; anything may be missing. */
interface UsageReport {
  readonly inputTokens?: TokenCount;
  readonly outputTokens?: TokenCount;
  readonly cachedInputTokens?: number | undefined;
}

type TokenCount = number | undefined | { readonly total?: number | undefined; readonly cacheRead?: number | undefined };

/** Anthropic's word for a response that is to go on; the SDK takes it for a stop. */
const PAUSED = 'pause_turn';
const END_REASONS: ReadonlySet<string> = new Set<EndReason>(['stop', 'length', 'content-filter', 'error']);

/** What the end of a stream means: usage and an `end`, or an error when the stream only ran dry. */
export function finishParts(report: FinishReport, name: string): readonly ModelPart[] {
  const usage: ModelPart = { type: 'usage', usage: toUsage(report.usage) };
  if (ranDry(report.finishReason)) return [usage, { type: 'error', error: brokeOff(name) }];
  return [usage, { type: 'end', reason: endReason(report.finishReason) }];
}

function endReason(reason: FinishReport['finishReason']): EndReason {
  if (typeof reason !== 'string' && reason.raw === PAUSED) return 'other';
  const unified = typeof reason === 'string' ? reason : reason.unified;
  return END_REASONS.has(unified) ? (unified as EndReason) : 'other';
}

/** A stream that closed before the model said that it was done. */
export function brokeOff(name: string): ModelError {
  return new ModelError(`the response of ${name} broke off before its end; nothing of it was executed.`, {
    retryable: true,
  });
}

function ranDry(reason: FinishReport['finishReason']): boolean {
  if (typeof reason === 'string') return reason === 'interrupted';
  return reason.unified === 'interrupted' || (reason.unified === 'other' && reason.raw === undefined);
}

function toUsage(usage: UsageReport): Usage {
  const input = usage.inputTokens;
  return {
    inputTokens: total(input),
    outputTokens: total(usage.outputTokens),
    cachedTokens: (typeof input === 'object' ? input.cacheRead : usage.cachedInputTokens) ?? 0,
  };
}

function total(count: TokenCount): number {
  return (typeof count === 'object' ? count.total : count) ?? 0;
}
