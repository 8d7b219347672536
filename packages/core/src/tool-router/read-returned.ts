import { ResultError } from '../errors/call-errors.ts';
import { attachBytes } from '../results/kept-media.ts';
import { throwIfAborted } from './abort.ts';
import { isToolOutput } from './render-result.ts';

/** Most characters, or items, that a generator may yield. */
const MOST_YIELDED = 10_000_000;

/** What a value is read for. */
interface ReadOptions {
  /** `tickets.read`, for errors. */
  readonly tool: string;
  readonly signal: AbortSignal;
  /** Gets the texts of a generator as they come. */
  readonly output: (text: string) => void;
}

/**
 * What a tool returned, as text, output or plain data: bytes become an attachment, the pieces of a generator one text or
 * list, a Map an object, a Set a list. All else comes back as it is.
 *
 * @throws ResultError for what is none of these, such as a function, or an object of a class that has no fields
 */
export async function readReturned(value: unknown, options: ReadOptions): Promise<unknown> {
  if (typeof value === 'string' || typeof value !== 'object' || value === null) return toPlain(value, options.tool);
  if (value instanceof Blob) {
    const bytes = new Uint8Array(await value.arrayBuffer());
    return { text: '', attachments: [attachBytes(bytes, value.type === '' ? undefined : value.type)] };
  }
  const bytes = toBytes(value);
  if (bytes !== undefined) return { text: '', attachments: [attachBytes(bytes)] };
  if (Symbol.asyncIterator in value) return collectPieces(value as AsyncIterable<unknown>, options);
  if (Symbol.iterator in value && 'next' in value) return collectPieces(value as Iterable<unknown>, options);
  return toPlain(value, options.tool);
}

function toBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (!ArrayBuffer.isView(value)) return undefined;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/** The pieces of a generator; what it returns at its end counts instead, where it returns something. */
async function collectPieces(
  pieces: AsyncIterable<unknown> | Iterable<unknown>,
  options: ReadOptions,
): Promise<unknown> {
  const { tool, signal, output } = options;
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  const found: unknown[] = [];
  let size = 0;
  try {
    for (;;) {
      throwIfAborted(signal);
      const { value, done } = await iterator.next();
      if (done === true && value !== undefined) return await readReturned(value, options);
      if (done === true) break;
      found.push(toPlain(value, tool));
      size += typeof value === 'string' ? value.length : 1;
      if (size > MOST_YIELDED) throw new ResultError(`${tool} yields more than ${MOST_YIELDED / 1_000_000} MB.`);
      if (typeof value === 'string') output(value);
    }
  } catch (error) {
    // Not awaited: a generator that waits for something would hold up the call.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
    throw error;
  }
  return found.every((piece) => typeof piece === 'string') ? found.join('') : found;
}

/** Where a value is, in data. */
interface Inside {
  /** Dotted; empty for the data itself. */
  readonly path: string;
  /** The objects that it is in. */
  readonly above: readonly unknown[];
}

const TOP: Inside = { path: '', above: [] };

/** Data in which nothing is but what JSON has; the value itself where that is so already. */
function toPlain(value: unknown, tool: string, { path, above }: Inside = TOP): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw fail(tool, path, `a ${typeof value}`);
  // What contains itself is marked where it becomes text.
  if (typeof value !== 'object' || value === null || above.includes(value)) return value;
  const convert = (inner: unknown, key: string) =>
    toPlain(inner, tool, { path: path === '' ? key : `${path}.${key}`, above: [...above, value] });
  if (Array.isArray(value)) {
    const items = value.map((item, index) => convert(item, String(index)));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (value instanceof Map) {
    const entries = Array.from(value, ([key, inner]) => [convert(key, 'key'), convert(inner, String(key))] as const);
    const isRecord = entries.every(([key]) => typeof key === 'string' || typeof key === 'number');
    return isRecord ? Object.fromEntries(entries as [string, unknown][]) : entries;
  }
  if (value instanceof Set) return Array.from(value, (item, index) => convert(item, String(index)));
  if (value instanceof Error) return { name: value.name, message: value.message };
  if ('toJSON' in value) return value;
  const bytes = toBytes(value);
  if (bytes !== undefined) throw fail(tool, path, `${bytes.length} bytes in the middle of data`);
  const prototype = Object.getPrototypeOf(value) as object | null;
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  const fields = Object.entries(value).filter(([, inner]) => isPlain || typeof inner !== 'function');
  if (!isPlain && fields.length === 0) {
    throw fail(tool, path, `an object of the class ${value.constructor.name || '(anonymous)'} without fields`);
  }
  // The functions of an output belong to it.
  if (path === '' && isToolOutput(value)) return value;
  const plain = fields.map(([key, inner]) => [key, convert(inner, key)] as const);
  const isSame = isPlain && plain.every(([key, inner]) => (value as Record<string, unknown>)[key] === inner);
  return isSame ? value : Object.fromEntries(plain);
}

function fail(tool: string, path: string, what: string): ResultError {
  const where = path === '' ? '' : ` in ${path}`;
  return new ResultError(
    `${tool} ran, and returned ${what}${where}, which cannot be shown. Its author returns text, plain objects and lists, or attachments.`,
  );
}
