import { renderError } from '../feedback/render-error.ts';
import type { ToolContext, ToolOutput } from '../protocol/tool-definition.ts';

const FIELDS: ReadonlySet<string> = new Set<keyof ToolOutput>([
  'text',
  'format',
  'paged',
  'whole',
  'rows',
  'hint',
  'errors',
]);

/**
 * Makes text of whatever a tool returned.
 *
 * Text stays as it is, nothing reads `(no output)`, other values become JSON. Errors of single items
 * are listed below the text.
 *
 * @param tag qualifies the tags that these errors offer. Default: none are qualified
 */
export function normaliseOutput(value: unknown, tag?: ToolContext['tag']): ToolOutput {
  if (typeof value === 'string') return { text: value };
  if (value === undefined || value === null) return { text: '(no output)' };
  if (typeof value === 'number' || typeof value === 'bigint') return { text: String(value) };
  if (!isToolOutput(value)) return { text: prettyJson(value) };
  const { errors = [] } = value;
  return errors.length === 0 ? value : { ...value, text: withErrors(value.text, errors, tag) };
}

/** True for what a tool returned as data: code gets it as it is, a model reads it as JSON. */
export function isToolData(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || (isObject(value) && !isToolOutput(value));
}

/** The whole of a result that is only a part; undefined for any other. */
export async function getWhole(value: unknown): Promise<string | undefined> {
  return isToolOutput(value) ? value.whole?.() : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** An object with other fields is data that happens to have a text. */
function isToolOutput(value: unknown): value is ToolOutput {
  if (!isObject(value) || !('text' in value)) return false;
  const { text, whole } = value as Readonly<Record<string, unknown>>;
  const isForm = typeof text === 'string' && (whole === undefined || typeof whole === 'function');
  return isForm && Object.keys(value).every((key) => FIELDS.has(key));
}

function withErrors(text: string, errors: readonly unknown[], tag?: ToolContext['tag']): string {
  const count = errors.length === 1 ? '1 error:' : `${errors.length} errors:`;
  const lines = errors.map((error) => `- ${renderError(error, tag).text.replaceAll('\n', '\n  ')}`);
  return [...(text === '' ? [] : [text]), count, ...lines].join('\n');
}

function prettyJson(value: unknown): string {
  try {
    return JSON.stringify(value, withoutSurprises(), 2) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** A replacer for values that JSON cannot hold: big integers and cycles. */
function withoutSurprises(): (this: unknown, key: string, value: unknown) => unknown {
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
