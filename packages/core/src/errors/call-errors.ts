import { BaeError } from './bae-error.ts';

/** A resource, space or tool that does not exist, or does not support the operation. */
export class ResourceError extends BaeError.withCode({ code: 'BAE_RESOURCE' }) {}

/** Arguments that do not match a tool's parameters; the tool has not run. */
export class ParameterError extends BaeError.withCode({ code: 'BAE_PARAMETER' }) {}

/** A line range that is invalid or lies outside its resource; shown as `RangeError`. */
export class LineRangeError extends BaeError.withCode({ code: 'BAE_LINE_RANGE' }) {
  override name = 'RangeError';
}

/** A change that was refused because its target is not what the caller last saw. */
export class ConflictError extends BaeError.withCode({ code: 'BAE_CONFLICT' }) {}

/** Returns true for a ConflictError of any loaded copy of this package. */
export function isConflict(error: unknown): boolean {
  return BaeError.is(error) && error.name === 'ConflictError';
}

/** A call that needs consent and did not get it; nothing was changed or shown. */
export class ApprovalError extends BaeError.withCode({ code: 'BAE_APPROVAL' }) {
  /** True when nobody was available to decide. */
  isUnanswered = false;
}

/** A tool call that exceeded its time limit and was stopped. */
export class TimeoutError extends BaeError.withCode({ code: 'BAE_TIMEOUT' }) {}

/** A tool that ran and returned a value that can be shown neither as text nor as data. */
export class ResultError extends BaeError.withCode({ code: 'BAE_RESULT' }) {}

/** A run block that could not be executed. */
export class RunError extends BaeError.withCode({ code: 'BAE_RUN' }) {}
