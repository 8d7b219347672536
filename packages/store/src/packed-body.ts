/** The two columns of a body: text, or compressed bytes if they are much shorter; then the text is empty. */
export interface PackedBody {
  readonly body: string;
  readonly packed: Uint8Array | null;
}

/**
 * SQL expression for the body of an event or record as text. Entries are never packed, because searches read all of
 * them.
 */
export const BODY = 'coalesce(unpack(packed), body)';

/** Minimum length of a compressed text, in UTF-16 code units; shorter ones would not shrink much. */
const SHORTEST = 100;
const WORTHWHILE = 0.9;
/** Length from which text is compressed in a fifth of the time, to about the same size: nothing else runs meanwhile. */
const LONG = 65_536;
/** Length up to which a text and the dictionary fit into a small window, which is faster to set up than the usual one. */
const SMALL = 3000;
const SMALL_WINDOW = { windowBits: 12, memLevel: 5, chunkSize: 1024 };
/**
 * Text that bodies have in common, with the most common parts at the end. Never change it: bodies that were packed with
 * it could no longer be read.
 */
const DICTIONARY = Buffer.from(
  String.raw`return new Error(undefined string number boolean Promise<void> readonly import { type } from './.ts';\n export function const await async => { if (throw this. \"the and that with for is not of a in to \n  \n    \n/** */"arguments":{"target":"","body":"","text":"}[end ]\n#1 ok [home] <R:<E:<W:<Grep:</E></W>src/packages/docs/.md.json","id":"","tag":"","verb":"read","space":"home","executable":false,"usage":{"inputTokens":,"outputTokens":,"cachedTokens":},"context":0.{"label":"1","turn":1,"type":"response-delta","type":"call-start","type":"response-end","text":"{"kind":"message","message":{"role":"assistant","text":"{"kind":"message","message":{"role":"user","text":"[Location: home]\n[Tool output `,
);

/** Loads the module on first use: that takes longer than to open a database. */
function loadZlib() {
  return process.getBuiltinModule('node:zlib');
}

/** Compresses a body if that makes it much shorter. */
export function packBody(body: string): PackedBody {
  if (body.length < SHORTEST) return { body, packed: null };
  const options = body.length >= LONG ? { level: 1 } : body.length < SMALL ? SMALL_WINDOW : {};
  const packed = loadZlib().deflateSync(body, { dictionary: DICTIONARY, ...options });
  return packed.length < body.length * WORTHWHILE ? { body: '', packed } : { body, packed: null };
}

/** Reads the value of a column `packed`; null if it is empty. @throws Error if the bytes are damaged */
export function unpackBody(packed: unknown): string | null {
  return packed instanceof Uint8Array ? loadZlib().inflateSync(packed, { dictionary: DICTIONARY }).toString() : null;
}
