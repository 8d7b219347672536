import { deflateSync, inflateSync } from 'node:zlib';

/** A body as two columns: as text, or compressed where that is much shorter; the text is empty then. */
export interface PackedBody {
  readonly body: string;
  readonly packed: Uint8Array | null;
}

/** An expression of SQL: the body of an event or record as text. Entries are never packed: searches read them all. */
export const BODY = 'coalesce(unpack(packed), body)';

/** Shorter texts, in UTF-16 code units, do not get much shorter. */
const SHORTEST = 100;
const WORTHWHILE = 0.9;
/**
 * Text that bodies have in common, with what is most common at its end. It is never changed: what was packed with it
 * could not be read any more.
 */
const DICTIONARY = Buffer.from(
  String.raw`return new Error(undefined string number boolean Promise<void> readonly import { type } from './.ts';\n export function const await async => { if (throw this. \"the and that with for is not of a in to \n  \n    \n/** */"arguments":{"target":"","body":"","text":"}[end ]\n#1 ok [home] <R:<E:<W:<Grep:</E></W>src/packages/docs/.md.json","id":"","tag":"","verb":"read","space":"home","executable":false,"usage":{"inputTokens":,"outputTokens":,"cachedTokens":},"context":0.{"label":"1","turn":1,"type":"response-delta","type":"call-start","type":"response-end","text":"{"kind":"message","message":{"role":"assistant","text":"{"kind":"message","message":{"role":"user","text":"[Location: home]\n[Tool output `,
);

/** Compresses a body where that makes it much shorter. */
export function packBody(body: string): PackedBody {
  if (body.length < SHORTEST) return { body, packed: null };
  const packed = deflateSync(body, { dictionary: DICTIONARY });
  return packed.length < body.length * WORTHWHILE ? { body: '', packed } : { body, packed: null };
}

/** Reads the value of a column `packed`; null where there is none. @throws Error when the bytes are damaged */
export function unpackBody(packed: unknown): string | null {
  return packed instanceof Uint8Array ? inflateSync(packed, { dictionary: DICTIONARY }).toString() : null;
}
