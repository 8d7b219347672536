import type { LineKind } from './line-kind.ts';

/** A line, or a run of blank lines, that is more than prose; offsets are those of the whole text. */
export interface Mark {
  /** 1-based. */
  readonly line: number;
  readonly start: number;
  /** Offset of the line break that ends it. */
  readonly end: number;
  /** `blank`: at least two blank lines; `shown`: prose that is shown other than it is written. */
  readonly what: LineKind | { readonly kind: 'blank' } | { readonly kind: 'shown' };
  /** The line as a terminal shows it, when it held terminal codes. */
  readonly visible?: string;
}
