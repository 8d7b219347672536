import { findLineEnd, findQuote, matchAt, skipBlanks } from '../characters.ts';
import type { NamedCall } from './translate-call.ts';

/** Names that other frameworks use for the arguments of a call. */
const ARGUMENT_KEYS = ['arguments', 'parameters', 'input', 'args', 'action_input', 'tool_input'];

/**
 * First lines of a JSON text of several lines that may hold calls: brackets, then a key with its value on the same
 * line. The brackets are few and matched once, so that a text of brackets is read in linear time.
 */
const BLOCK_START =
  /[[{](?=([\s[{]{0,60}))\1"(?:name|tool|tool_name|tool_calls|tool_call_id|action|function|type|id|index|thought|arguments|parameters|input|args)"[ \t]*:[ \t]*\S/y;

/** Key before the name of a call: the same call has several notations. */
const NAME_KEY = /^\{"(?:name|tool|tool_name)":/;

/** A string of JSON, which has no line break. */
const STRING = /"(?:[^"\\\n]|\\[^\n])*"/y;

/**
 * Reads the calls in a JSON text: `{"name":"Read","arguments":{"file_path":"a.py"}}`, with the arguments as an object
 * or as JSON text, `{"type":"function","function":{…}}`, `{"tool":"read","parameters":{…}}`, or an array of these.
 *
 * @param at the offset to set in the calls
 * @returns undefined for any other text
 */
export function readJsonCalls(json: string, at: number): readonly NamedCall[] | undefined {
  const value = parseJson(json);
  const calls = (Array.isArray(value) ? value : [value]).map((one) => toNamedCalls(one, at));
  return calls.length > 0 && calls.every((one) => one !== undefined) ? calls.flat() : undefined;
}

/** Returns true if a line, without surrounding blanks, may be JSON that holds calls. */
export function mayHoldJsonCalls(line: string): boolean {
  const isClosed = line.startsWith('{') ? line.endsWith('}') : line.endsWith(']');
  return (
    isClosed &&
    /"(?:name|tool|tool_name|action|function)"\s*:/.test(line) &&
    ARGUMENT_KEYS.some((key) => line.includes(`"${key}"`))
  );
}

/** Returns true if a line, without surrounding blanks, may begin JSON of several lines that holds calls. */
export function mayBeginJsonCalls(line: string): boolean {
  return /^[[{][\s[{]*$/.test(line) || matchAt(BLOCK_START, line, 0) !== null;
}

/**
 * Reads JSON of several lines that holds calls.
 *
 * @returns the offset after the JSON, or the one up to which the text cannot be JSON
 */
export function readJsonBlock(
  text: string,
  at: number,
): { readonly calls: readonly NamedCall[] | undefined; readonly end: number } {
  if (!matchAt(BLOCK_START, text, at)) return { calls: undefined, end: findLineEnd(text, at) };
  const { end, isWhole } = scanJson(text, at);
  const isAlone = isWhole && skipBlanks(text, end) === findLineEnd(text, end);
  return { calls: isAlone ? readJsonCalls(text.slice(at, end), at) : undefined, end };
}

/** Finds the end of JSON, of whose texts none has a line break, or the place at which it breaks. */
function scanJson(text: string, from: number): { readonly end: number; readonly isWhole: boolean } {
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') {
      STRING.lastIndex = index;
      if (!STRING.test(text)) return { end: findLineEnd(text, index), isWhole: false };
      index = STRING.lastIndex - 1;
    } else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return { end: index + 1, isWhole: true };
    else if (character === '<') return { end: index, isWhole: false };
  }
  return { end: text.length, isWhole: false };
}

/** Parses JSON that must be an object; returns undefined for any other text. */
export function parseJsonObject(json: string): Record<string, unknown> | undefined {
  return asObject(parseJson(json));
}

function toNamedCalls(value: unknown, at: number): readonly NamedCall[] | undefined {
  const object = asObject(value);
  if (!object) return undefined;
  const { tool_calls: list } = object;
  if (Array.isArray(list)) return list.flatMap((one) => toNamedCalls(one, at) ?? []);
  const call = asObject(object['function']) ?? object;
  const name = call['name'] ?? call['tool'] ?? call['tool_name'] ?? call['function'] ?? call['action'];
  const given = ARGUMENT_KEYS.map((key) => call[key]).find((one) => one !== undefined);
  const args = typeof given === 'string' ? parseJsonObject(given) : asObject(given);
  if (typeof name !== 'string' || isParameterSchema(args ?? {})) return undefined;
  const source = JSON.stringify(value).replace(NAME_KEY, '');
  if (args) return [{ name, args, form: 'json', at, source }];
  const isInput = typeof given === 'string' && (given === call['action_input'] || given === call['tool_input']);
  return isInput ? [{ name, args: {}, values: [given], form: 'json', at, source }] : undefined;
}

/** Returns true for a schema of a tool's parameters, as in a quoted definition of the tool. */
function isParameterSchema({ type, properties }: Readonly<Record<string, unknown>>): boolean {
  return type === 'object' && asObject(properties) !== undefined;
}

/** Parses a JSON text; returns undefined for any other text. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

/**
 * Returns the index after the JSON object or array that begins at an index; -1 if it does not end. Only balances
 * brackets and strings; a `<` outside a string, which JSON does not allow, ends the search.
 */
export function findJsonEnd(text: string, from: number): number {
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') {
      index = findQuote(text, index + 1, '"');
      if (index === -1) return -1;
    } else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return index + 1;
    else if (character === '<' || depth === 0) return -1;
  }
  return -1;
}
