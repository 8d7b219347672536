import { countLineBreaks } from '../tag-parser/characters.ts';
import { renderError } from '../feedback/render-feedback.ts';
import { OUTPUT_FIELDS, type ToolContext, type ToolOutput } from '../protocol/tool-definition.ts';
import {
  countCodePoints,
  formatCount,
  isWithinTokens,
  isWithinUnits,
  takeFirstUnits,
  takeLastUnits,
  truncateUnits,
} from '../text-size/text-size.ts';
import { stripControlCharacters } from '../tool-spec/plain-text.ts';
import { CAP_TOLERANCE, ERROR_VALVE, INDICATOR_RESERVE, UNITS_PER_TOKEN } from '../protocol/limits.ts';
import type { Pruner, ResultStore, PruneReport } from '../protocol/tool-result.ts';
import { ResultError } from '../errors/bae-error.ts';
import { attachBytes } from '../results/kept-media.ts';
import { throwIfAborted } from './abort.ts';

/**
 * Converts what `readReturned` made of a result to text: an empty value becomes `(no output)`, data becomes JSON, and
 * errors of single items are listed below the text.
 *
 * @param tag qualifies the tags that these errors suggest. Default: tags stay unqualified
 */
export function normaliseOutput(value: unknown, tag?: ToolContext['tag']): ToolOutput {
  if (typeof value === 'string') return { text: value };
  if (value === undefined || value === null) return { text: '(no output)' };
  if (typeof value === 'number') return { text: String(value) };
  if (!isToolOutput(value)) return { text: JSON.stringify(value, undefined, 2) };
  const { errors = [] } = value;
  return errors.length === 0 ? value : { ...value, text: appendErrors(value.text, errors, tag) };
}

/** Tests whether a tool returned data, which code gets unchanged and a model reads as JSON. */
export function isToolData(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return true;
  return typeof value === 'object' && !isToolOutput(value);
}

/**
 * Returns the complete value of a partial result, as plain data; undefined for any other result.
 *
 * @throws ResultError for unsupported values
 */
export async function getWhole(value: unknown, tool: string): Promise<string | object | undefined> {
  if (!isToolOutput(value)) return undefined;
  return toPlain(await value.whole?.(), tool) as string | object | undefined;
}

/** Tests for an output. An object with other fields is data that happens to have a `text`. */
export function isToolOutput(value: unknown): value is ToolOutput {
  if (typeof value !== 'object' || value === null || !('text' in value)) return false;
  const { text, whole } = value as Partial<Record<keyof ToolOutput, unknown>>;
  const isForm = typeof text === 'string' && (whole === undefined || typeof whole === 'function');
  return isForm && Object.keys(value).every((key) => Object.hasOwn(OUTPUT_FIELDS, key));
}

function appendErrors(text: string, errors: readonly unknown[], tag?: ToolContext['tag']): string {
  const lines = errors.map((error) => `- ${renderError(error, tag).text.replaceAll('\n', '\n  ')}`);
  return [...(text === '' ? [] : [text]), `${formatCount(errors.length, 'error')}:`, ...lines].join('\n');
}

/** Maximum length of the place of a result, in units. */
const LONGEST_PLACE = 200;

/** Returns the place of a result on one line. */
export function limitPlace(where: string): string {
  return truncateUnits(stripControlCharacters(where), LONGEST_PLACE);
}

/** Options for shortening results. */
export interface ResultLimits {
  readonly pruner: Pruner;
  /** Store for results. Default: results are not kept, because the caller gets them in full anyway. */
  readonly results?: ResultStore | undefined;
  /** Maximum length of a result, in units. */
  readonly cap: number;
  /** First argument of the call: of a search, what it looked for. */
  readonly sought?: unknown;
}

interface LimitedText {
  readonly text: string;
  readonly pruned?: PruneReport;
  readonly ref?: string;
}

/** Prunes a result that is over the cap; the whole text is kept first, so that nothing is lost. */
export function limitResult(
  { text, format, paged, failed }: ToolOutput,
  { pruner, results, cap, sought }: ResultLimits,
): LimitedText {
  // A page limits its own size; this check is for a tool that only claims to do so.
  if (paged === true) return limitWhole(text, results, Math.max(cap, ERROR_VALVE));
  if (isWithinTokens(text, (cap / UNITS_PER_TOKEN) * CAP_TOLERANCE)) return { text };
  const ref = results?.keep(text);
  const handle = ref === undefined ? {} : { ref };
  const { text: short, report } = pruner.prune(text, {
    cap,
    ...handle,
    ...(format !== undefined && { format }),
    ...(typeof sought === 'string' && { sought }),
    ...(failed === false && { succeeded: true }),
  });
  return report === undefined ? { text: short } : { text: short, pruned: report, ...handle };
}

/** Leaves text whole up to a high limit, and above it shows only its two ends. */
export function limitWhole(text: string, results: ResultLimits['results'], most: number = ERROR_VALVE): LimitedText {
  if (isWithinUnits(text, most)) return { text };
  const room = most - INDICATOR_RESERVE;
  const head = takeFirstUnits(text, room * 0.6);
  const tail = takeLastUnits(text, room * 0.4);
  const removed = countCodePoints(text) - countCodePoints(head) - countCodePoints(tail);
  const ref = keepIfPossible(text, results);
  const full = ref === undefined ? '' : `; full: <R:${ref}>`;
  return { text: `${head}\n… [+${removed} chars${full}] …\n${tail}`, ...(ref !== undefined && { ref }) };
}

/** Keeps text if the store works: an error must reach its reader even when the store fails. */
function keepIfPossible(text: string, results: ResultLimits['results']): string | undefined {
  try {
    return results?.keep(text);
  } catch {
    return undefined;
  }
}

/** Maximum number of characters, or items, that a generator may yield. */
const MOST_YIELDED = 10_000_000;

/** Context for reading a value. */
interface ReadOptions {
  /** Name of the tool for errors: `tickets.read`. */
  readonly tool: string;
  readonly signal: AbortSignal;
  /** Receives the strings of a generator as they arrive. */
  readonly output: (text: string) => void;
}

/**
 * Converts the return value of a tool to text, output or plain data that JSON supports: bytes become an attachment, the
 * pieces of a generator one string, list or attachment, a Map an object, a Set a list, a big integer its digits.
 *
 * @throws ResultError for unsupported values, such as a function, or an object of a class without fields
 */
export async function readReturned(value: unknown, options: ReadOptions): Promise<unknown> {
  if (typeof value === 'string' || typeof value !== 'object' || value === null) return toPlain(value, options.tool);
  if (value instanceof Blob) {
    const bytes = new Uint8Array(await value.arrayBuffer());
    const [mediaType = ''] = value.type.split(';');
    return { text: '', attachments: [attachBytes(bytes, mediaType === '' ? undefined : mediaType)] };
  }
  const bytes = toBytes(value);
  if (bytes !== undefined) return { text: '', attachments: [attachBytes(bytes)] };
  if (Symbol.asyncIterator in value) return collectPieces(value as AsyncIterable<unknown>, options);
  if (Symbol.iterator in value && 'next' in value) return collectPieces(value as Iterable<unknown>, options);
  return toPlain(value, options.tool);
}

function toBytes(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (!ArrayBuffer.isView(value)) return undefined;
  return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
}

/** Joins the pieces of a generator; if it returns a value at its end, that is the result instead. */
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
      const piece = toBytes(value) ?? toPlain(value, tool);
      found.push(piece);
      size += typeof piece === 'string' || piece instanceof Uint8Array ? piece.length : 1;
      if (size > MOST_YIELDED) throw new ResultError(`${tool} yields more than ${MOST_YIELDED / 1_000_000} MB.`);
      if (typeof value === 'string') output(value);
    }
  } catch (error) {
    // Not awaited: a generator that waits for something would delay the call.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
    throw error;
  }
  if (found.every((piece) => typeof piece === 'string')) return found.join('');
  if (!found.every((piece) => piece instanceof Uint8Array)) return toPlain(found, tool);
  return { text: '', attachments: [attachBytes(new Uint8Array(await new Blob(found).arrayBuffer()))] };
}

/** Position of a value in data. */
interface Inside {
  /** Dotted path; empty for the data itself. */
  readonly path: string;
  /** The objects that contain it. */
  readonly above: readonly unknown[];
}

const TOP: Inside = { path: '', above: [] };

/** Converts data to values that JSON supports; returns the value itself if no conversion is needed. */
function toPlain(value: unknown, tool: string, { path, above }: Inside = TOP): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw fail(tool, path, `a ${typeof value}`);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return '(circular)';
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
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return toPlain(value.toJSON(), tool, { path, above: [...above, value] });
  const bytes = toBytes(value);
  if (bytes !== undefined) throw fail(tool, path, `${bytes.length} bytes in the middle of data`);
  const prototype = Object.getPrototypeOf(value) as object | null;
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  const fields = Object.entries(value).filter(([, inner]) => isPlain || typeof inner !== 'function');
  if (!isPlain && fields.length === 0) {
    throw fail(tool, path, `an object of the class ${value.constructor.name || '(anonymous)'} without fields`);
  }
  // The functions of an output are part of it.
  if (path === '' && isToolOutput(value)) return readTables(value, tool);
  const plain = fields.map(([key, inner]) => [key, convert(inner, key)] as const);
  const isSame = isPlain && plain.every(([key, inner]) => (value as Record<string, unknown>)[key] === inner);
  return isSame ? value : Object.fromEntries(plain);
}

/** Converts the rows of the tables of an output; what is wrong with other attachments is found when they are kept. */
function readTables(output: ToolOutput, tool: string): ToolOutput {
  const { attachments } = output;
  if (!Array.isArray(attachments) || !attachments.some(isTableAttachment)) return output;
  const plain = attachments.map((one: unknown, index) => {
    if (!isTableAttachment(one)) return one;
    return { ...one, rows: toPlain(one.rows, tool, { path: `attachments.${index}.rows`, above: [] }) };
  });
  return { ...output, attachments: plain as NonNullable<ToolOutput['attachments']> };
}

function isTableAttachment(attachment: unknown): attachment is { readonly type: 'table'; readonly rows: unknown } {
  return typeof attachment === 'object' && attachment !== null && 'type' in attachment && attachment.type === 'table';
}

function fail(tool: string, path: string, what: string): ResultError {
  const where = path === '' ? '' : ` in ${path}`;
  return new ResultError(
    `${tool} ran, and returned ${what}${where}, which cannot be shown. A tool returns text, plain objects and lists, or attachments.`,
  );
}

/** Counts lines; a line break at the end does not begin another line. */
export function countTextLines(text: string): number {
  return countLineBreaks(text) + (text === '' || text.endsWith('\n') ? 0 : 1);
}
