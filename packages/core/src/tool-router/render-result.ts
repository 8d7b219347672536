import { renderError } from '../feedback/render-error.ts';
import type { ToolContext, ToolOutput } from '../protocol/tool-definition.ts';
import {
  formatCount,
  isWithinTokens,
  takeFirstUnits,
  takeLastUnits,
  countCodePoints,
  isWithinUnits,
} from '../text-size/text-size.ts';
import { CAP_TOLERANCE, ERROR_VALVE, INDICATOR_RESERVE, UNITS_PER_TOKEN } from '../protocol/limits.ts';
import type { Pruner, ResultStore } from '../protocol/pruner.ts';
import type { PruneReport } from '../protocol/tool-result.ts';

const FIELDS = [
  'text',
  'format',
  'paged',
  'whole',
  'rows',
  'hint',
  'attachments',
  'errors',
] satisfies readonly (keyof ToolOutput)[];

/**
 * Makes text of any value that a tool returned: nothing reads `(no output)`, data becomes JSON, and errors of single
 * items are listed below the text.
 *
 * @param tag qualifies the tags that these errors offer. Default: none are qualified
 */
export function normaliseOutput(value: unknown, tag?: ToolContext['tag']): ToolOutput {
  if (typeof value === 'string') return { text: value };
  if (value === undefined || value === null) return { text: '(no output)' };
  if (typeof value === 'number' || typeof value === 'bigint') return { text: String(value) };
  if (!isToolOutput(value)) return { text: prettyJson(value) };
  const { errors = [] } = value;
  return errors.length === 0 ? value : { ...value, text: appendErrors(value.text, errors, tag) };
}

/** True for what a tool returned as data: code gets it as it is, a model reads it as JSON. */
export function isToolData(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  return typeof value === 'object' && value !== null && !isToolOutput(value);
}

/** The whole of a result that is only a part; undefined for any other. */
export async function getWhole(value: unknown): Promise<string | object | undefined> {
  return isToolOutput(value) ? value.whole?.() : undefined;
}

/** An object with other fields is data that happens to have a text. */
export function isToolOutput(value: unknown): value is ToolOutput {
  if (typeof value !== 'object' || value === null || !('text' in value)) return false;
  const { text, whole } = value as Partial<Record<keyof ToolOutput, unknown>>;
  const isForm = typeof text === 'string' && (whole === undefined || typeof whole === 'function');
  return isForm && Object.keys(value).every((key) => (FIELDS as readonly string[]).includes(key));
}

function appendErrors(text: string, errors: readonly unknown[], tag?: ToolContext['tag']): string {
  const lines = errors.map((error) => `- ${renderError(error, tag).text.replaceAll('\n', '\n  ')}`);
  return [...(text === '' ? [] : [text]), `${formatCount(errors.length, 'error')}:`, ...lines].join('\n');
}

function prettyJson(value: unknown): string {
  try {
    return JSON.stringify(value, makeReplacer(), 2) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** A replacer for values that JSON cannot hold: big integers and cycles. */
function makeReplacer(): (this: unknown, key: string, value: unknown) => unknown {
  const ancestors: unknown[] = [];
  return function replace(_key, value) {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
    if (ancestors.includes(value)) return '(circular)';
    ancestors.push(value);
    return value;
  };
}

/** How results are cut, and to which size. */
export interface ResultLimits {
  readonly pruner: Pruner;
  /** Default: nothing is kept, for results that the caller gets whole anyway. */
  readonly results?: ResultStore | undefined;
  /** Most units of a result. */
  readonly cap: number;
}

interface LimitedText {
  readonly text: string;
  readonly pruned?: PruneReport;
  readonly ref?: string;
}

/** Prunes a result that is over the cap; the whole text is kept first, so that nothing is lost. */
export function limitResult({ text, format, paged }: ToolOutput, { pruner, results, cap }: ResultLimits): LimitedText {
  if (isWithinTokens(text, (cap / UNITS_PER_TOKEN) * CAP_TOLERANCE)) return { text };
  // A page limits itself; this is for a tool that only claims to.
  if (paged === true) return limitWhole(text, results);
  const ref = results?.keep(text);
  const handle = ref === undefined ? {} : { ref };
  const { text: short, report } = pruner.prune(text, { cap, ...handle, ...(format !== undefined && { format }) });
  return report === undefined ? { text: short } : { text: short, pruned: report, ...handle };
}

/** Keeps a text whole up to a high limit, beyond it only its two ends. */
export function limitWhole(text: string, results: ResultLimits['results']): LimitedText {
  if (isWithinUnits(text, ERROR_VALVE)) return { text };
  const room = ERROR_VALVE - INDICATOR_RESERVE;
  const head = takeFirstUnits(text, room * 0.6);
  const tail = takeLastUnits(text, room * 0.4);
  const removed = countCodePoints(text) - countCodePoints(head) - countCodePoints(tail);
  const ref = keepIfPossible(text, results);
  const full = ref === undefined ? '' : `; full: <R:${ref}>`;
  return { text: `${head}\n… [+${removed} chars${full}] …\n${tail}`, ...(ref !== undefined && { ref }) };
}

/** An error must reach its reader even when the store fails. */
function keepIfPossible(text: string, results: ResultLimits['results']): string | undefined {
  try {
    return results?.keep(text);
  } catch {
    return undefined;
  }
}
