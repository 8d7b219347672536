import { renderError } from '../feedback/render-error.ts';
import type { ToolContext, ToolOutput } from '../protocol/tool-definition.ts';
import { formatCount } from '../text-size/fit-text.ts';

const FIELDS = ['text', 'format', 'paged', 'whole', 'rows', 'hint', 'errors'] satisfies readonly (keyof ToolOutput)[];

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
function isToolOutput(value: unknown): value is ToolOutput {
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
