import { BaeError } from './bae-error.ts';

/** A range of lines that does not make sense, or lies outside its resource; shown as `RangeError`. */
export class LineRangeError extends BaeError {
  constructor(message: string, hints: readonly string[] = [], cause?: unknown) {
    super(message, { code: 'BAE_LINE_RANGE', hints, cause });
    this.name = 'RangeError';
  }
}
