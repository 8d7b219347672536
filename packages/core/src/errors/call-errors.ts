import { BaeError } from './bae-error.ts';

/** A resource, space or tool that does not exist, or does not support the operation. */
export class ResourceError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_RESOURCE', hints, cause });
  }
}

/** Arguments that do not match a tool's parameters; the tool has not run. */
export class ParameterError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_PARAMETER', hints, cause });
  }
}

/** A line range that is invalid or lies outside its resource; shown as `RangeError`. */
export class LineRangeError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_LINE_RANGE', hints, cause });
    this.name = 'RangeError';
  }
}

/** A change that was refused because its target is not what the caller last saw. */
export class ConflictError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_CONFLICT', hints, cause });
  }
}

/** True for a ConflictError of any loaded copy of this package. */
export function isConflict(error: unknown): boolean {
  return BaeError.is(error) && error.name === 'ConflictError';
}

/** A call that needs somebody's consent and did not get it; nothing was changed or shown. */
export class ApprovalError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_APPROVAL', hints, cause });
  }
}

/** A tool call that took longer than its time limit and was stopped. */
export class TimeoutError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_TIMEOUT', hints, cause });
  }
}

/** A run block that could not be executed. */
export class RunError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_RUN', hints, cause });
  }
}
