import { pieces, type WireFormat } from '../wire/wire-format.ts';
import { chunked } from './http-bytes.ts';
import { THREE_TAGS } from './model-fault.ts';
import type { Delivery } from './raw-model-server.ts';

/** A stream whose pieces of text are all there, and not as they were sent. */
export interface GarbledStream {
  /** What the service does: `says a piece twice`. */
  readonly name: string;
  readonly places: (format: WireFormat) => number;
  /** The stream at a place, and the text that arrives. */
  readonly at: (format: WireFormat, place: number) => { readonly delivery: Delivery; readonly text: string };
}

const PIECE = 12;
const SAID = pieces(THREE_TAGS, PIECE);

/** Puts the events of a good reply together anew: what begins it, these pieces, what ends it. */
function garbled(format: WireFormat, order: readonly number[]): ReturnType<GarbledStream['at']> {
  const all = format.events({ text: THREE_TAGS, chunk: PIECE });
  const first = all.findIndex((event) => event.includes(JSON.stringify(SAID[0])));
  const spoken = order.map((index) => all[first + index]!);
  const list = [...all.slice(0, first), ...spoken, ...all.slice(first + SAID.length)];
  return { delivery: { bytes: chunked(list), ending: 'close' }, text: order.map((index) => SAID[index]!).join('') };
}

/** Faults that nobody who reads the stream can see. */
export const GARBLED_STREAMS: readonly GarbledStream[] = [
  {
    name: 'says a piece twice',
    places: () => SAID.length,
    at: (format, place) => garbled(format, [...SAID.keys()].toSpliced(place, 0, place)),
  },
  {
    name: 'says two pieces in the wrong order',
    places: () => SAID.length - 1,
    at: (format, place) => garbled(format, [...SAID.keys()].with(place, place + 1).with(place + 1, place)),
  },
];
