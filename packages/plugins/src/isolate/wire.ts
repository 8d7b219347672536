import { BaeError } from '@bae/core';
import type { SpaceManifest } from '../manifest/plugin-manifest.ts';
import type { KnownLoads } from '../trust/trust-store.ts';

/** First message to the process of a package. */
export interface OpenMessage {
  readonly type: 'open';
  readonly id: number;
  readonly name: string;
  readonly entry: string;
  readonly options: unknown;
  readonly dataFolder: string | undefined;
  /** What its imports may load; absent if they may load everything. */
  readonly trusted?: SentTrust;
}

/** What a person decided about the code of a package. */
export interface SentTrust {
  readonly path: string;
  /** SHA-256 of each file by absolute path. */
  readonly files: ReadonlyMap<string, string>;
  readonly loads?: KnownLoads | undefined;
}

/** Properties of a call that JSON can hold. */
export interface CallFacts {
  readonly space: string;
  readonly answerLimit: number;
  /** Prefix of the name in tags of the place: `tickets.`; empty if they do not need one. */
  readonly prefix: string;
  readonly range?: readonly [number, number | null];
  readonly argument?: string;
  readonly block: boolean;
  readonly fromCode: boolean;
  readonly session: string;
}

export type ToolFunctionName = 'invoke' | 'plan' | 'target' | 'preview' | 'apply';

/** Requests to the process of a package; each is answered once. */
export type Request = OpenMessage | SpaceRequest;

/** Requests to an opened space. */
export type SpaceRequest = {
  readonly id: number;
  /** The number that the process gave these spaces when they were opened. */
  readonly opening: number;
  readonly path: readonly string[];
} & (
  | { readonly type: 'enter' | 'status' | 'isIdle' }
  | { readonly type: 'contentOf'; readonly target: string }
  | { readonly type: 'complete'; readonly typed: string; readonly limit: number }
  | { readonly type: 'locate'; readonly name: string; readonly near: boolean }
  | { readonly type: 'search'; readonly query: string; readonly limit: number }
  | {
      readonly type: 'parse';
      readonly tool: string;
      /** Name of one parameter. Default: all arguments. */
      readonly field?: string;
      readonly value: unknown;
    }
  | {
      readonly type: ToolFunctionName;
      readonly tool: string;
      readonly args: unknown;
      /** Number of a planned change. */
      readonly change?: number;
      readonly facts: CallFacts;
    }
);

/** Messages to the process. */
export type ToProcess =
  | Request
  | { readonly type: 'abort'; readonly id: number }
  | ({ readonly type: 'reply'; readonly id: number; readonly ask: number } & Outcome)
  /** Disposes of the spaces of one opening; without it, of everything, and then ends. */
  | { readonly type: 'close'; readonly opening?: number };

export type Outcome = { readonly value: unknown } | { readonly error: WireError };

/** Questions of a tool while it runs. */
export type Asked = 'ask' | 'requestApproval' | 'model';

/** What the process reports about the imports of its package. */
export type LoadReport =
  | { readonly type: 'loads'; readonly loads: KnownLoads }
  | { readonly type: 'wanted'; readonly wanted: string };

/** Messages from the process about one request. */
export type FromProcess =
  | ({
      readonly type: 'result';
      readonly id: number;
      /** The spaces, if others exist now than when they were last sent. */
      readonly now?: CurrentSpaces;
    } & Outcome)
  | {
      readonly type: 'asked';
      readonly id: number;
      readonly ask: number;
      readonly name: Asked;
      readonly args: readonly unknown[];
    }
  | { readonly type: 'output'; readonly id: number; readonly text: string }
  | {
      readonly type: 'progress';
      readonly id: number;
      readonly args: readonly unknown[];
    };

/** Spaces of a package that exist at the moment. */
export interface CurrentSpaces {
  readonly spaces: readonly SpaceManifest[];
  /** Dotted paths of the spaces that have counts. */
  readonly withStatus: readonly string[];
}

/** Content of an opened package, and its number for requests. */
export interface OpenedCode extends CurrentSpaces {
  readonly opening: number;
}

/** Error as JSON. */
export interface WireError {
  readonly name: string;
  readonly message: string;
  /** Code of an error that is meant for the model. */
  readonly code?: string;
  readonly hints?: readonly string[];
}

const MARK = '$bae';

/** Encodes a message, marking values that JSON does not support. An object inside itself becomes `(circular)`. */
export function encodeMessage(value: unknown): string {
  /** The objects around a value: as they are, and as they are encoded. */
  const around: { readonly original: unknown; readonly encoded: unknown }[] = [];
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, inner: unknown) {
    while (around.length > 0 && around.at(-1)!.encoded !== this) around.pop();
    const original = this[key];
    if (around.some((one) => one.original === original)) return '(circular)';
    const encoded = markValue(original, inner);
    if (typeof encoded === 'object' && encoded !== null) around.push({ original, encoded });
    return encoded;
  });
}

/** @param json the value as its `toJSON` returned it */
function markValue(value: unknown, json: unknown): unknown {
  if (typeof value === 'bigint') return { [MARK]: 'bigint', of: String(value) };
  if (typeof value === 'function' || typeof value === 'symbol') return { [MARK]: 'function' };
  if (typeof value === 'number' && !Number.isFinite(value)) return { [MARK]: 'number', of: String(value) };
  if (value instanceof Date) return { [MARK]: 'date', of: value.getTime() };
  if (value instanceof Map) return { [MARK]: 'map', of: [...value] };
  if (value instanceof Set) return { [MARK]: 'set', of: [...value] };
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { [MARK]: 'bytes', of: bytes.toString('base64') };
  }
  return json;
}

/** @throws SyntaxError for invalid JSON */
export function decodeMessage(line: string): unknown {
  return JSON.parse(line, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, MARK)) return inner;
    const { [MARK]: kind, of } = inner as { readonly [MARK]: unknown; readonly of?: unknown };
    if (kind === 'bigint' && typeof of === 'string' && /^-?\d+$/.test(of)) return BigInt(of);
    if (kind === 'number') return Number(of);
    if (kind === 'date') return new Date(typeof of === 'number' ? of : NaN);
    if (kind === 'map' && Array.isArray(of))
      return new Map(of.filter((entry) => Array.isArray(entry)) as [unknown, unknown][]);
    if (kind === 'set' && Array.isArray(of)) return new Set(of as readonly unknown[]);
    if (kind === 'bytes' && typeof of === 'string') return new Uint8Array(Buffer.from(of, 'base64'));
    return kind === 'function' ? () => undefined : inner;
  });
}

/** Maximum length of one message, in bytes. */
const LONGEST_MESSAGE = 64 * 1024 * 1024;

/** Divides bytes into lines. @returns a function that takes bytes, and throws when a line is too long */
export function divideLines(onLine: (line: string) => void): (bytes: Buffer) => void {
  let waiting: Buffer[] = [];
  let length = 0;
  return (bytes) => {
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      const line = Buffer.concat([...waiting, bytes.subarray(from, end)]);
      waiting = [];
      length = 0;
      from = end + 1;
      onLine(line.toString('utf8'));
    }
    if (from === bytes.length) return;
    waiting.push(bytes.subarray(from));
    length += bytes.length - from;
    if (length > LONGEST_MESSAGE) throw new RangeError('a message is too long');
  };
}

/** Converts a sent error. Every field that people read becomes a string, whatever its type. */
export function toError(sent: WireError): Error {
  const { name, message, code, hints } = Object(sent) as Partial<Record<keyof WireError, unknown>>;
  const text = readSentText(message);
  const list = Array.isArray(hints) ? hints.map(readSentText) : [];
  const error = typeof code === 'string' ? new BaeError(text, { code, hints: list }) : new Error(text);
  error.name = typeof name === 'string' && name !== '' ? name : 'Error';
  return error;
}

/** Converts any sent value to a string. */
export function readSentText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}
