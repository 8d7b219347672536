import type { WireFormat } from '../wire/wire-format.ts';
import type { Delivery } from './raw-model-server.ts';

/** Three calls in one response, with characters of more than one byte. */
export const THREE_TAGS = 'I look first 😀.\n<R:a.ts>\n<W:b.ts>\ngröße = 1\n</W>\n<E:c.ts>\nneu\n</E>\n';
/** What they dispatch, each once. */
export const THREE_CALLS: readonly string[] = ['read a.ts', 'write b.ts größe = 1', 'edit c.ts neu'];

/** A way in which a service misbehaves while it answers with three calls. */
export interface ModelFault {
  /** What it does: `closes before any answer`. */
  readonly name: string;
  /** At how many places of a response it can happen. Default: 1. */
  readonly places?: (format: WireFormat) => number;
  /** Every so many places are tried. Default: 1. */
  readonly step?: number;
  /** What the service does for a request. */
  readonly deliver: (format: WireFormat, place: number) => Delivery;
  /**
   * What has to come of it: nothing is dispatched, or everything once. Where it depends on the place,
   * either of the two, and nothing in between.
   */
  readonly outcome: 'refused' | 'whole' | 'either';
  /** How many requests are answered like this. Default: 1. */
  readonly times?: number;
  /** False when asking again would not help. Default: true. */
  readonly passes?: boolean;
}
