import { matchAt, skipSpace } from '../characters.ts';
import type { TagNames } from '../names.ts';
import { parseJson, parseJsonObject, readJsonCalls } from './json-calls.ts';
import { readPythonCalls } from './python-calls.ts';
import { isCallable, type BlockStart, type NamedCall } from './translate-call.ts';
import { ATTRIBUTE, readChildElements, unescapeXml, type ReadCall } from './xml-calls.ts';

/** Elements that always hold a call. */
const CALLS = ['tool_call', 'tool_calls', 'function_call', 'functioncall', 'tool_use', 'tool_code', 'use_mcp_tool'];
/** Elements that hold one if they name a tool. */
const OTHERS = ['use_tool', 'tool', 'call', 'action', 'function'];

/** Names of the elements that hold calls written in another way. */
export const WRAPPERS: ReadonlySet<string> = new Set([...CALLS, ...OTHERS, 'function_calls', 'invoke']);

const OPENING = /<([a-z_]+)((?:\s+[\w-]+\s*=\s*(?:"[^"\n]*"|'[^'\n]*'))*)\s*(\/?)>/y;
const NAMES = ['name', 'tool_name', 'tool', 'function', 'function_name'];
const ARGUMENTS = ['arguments', 'parameters', 'input', 'args', 'params', 'tool_input', 'action_input'];

type Context = Pick<BlockStart, 'names' | 'findClosing'>;

function findToolName(element: string, attributes: Attributes): string | undefined {
  const name = attributes.find(([key]) => NAMES.includes(key));
  return (name ?? (element === 'action' ? attributes.find(([key]) => key === 'type') : undefined))?.[1];
}

/** Returns true if a line, without surrounding blanks, may begin an element that holds calls. */
export function beginsWithWrapper(line: string, names: TagNames): boolean {
  const [, element = '', attributes = ''] = matchAt(OPENING, line, 0) ?? [];
  if (CALLS.includes(element)) return element !== 'tool_call' || attributes !== '';
  if (!OTHERS.includes(element)) return false;
  const name = findToolName(element, readAttributes(attributes));
  return name === undefined ? attributes === '' : isCallable(name, names);
}

/**
 * Reads the calls of an element such as `<function_call>{"name":"read","arguments":{"path":"a.ts"}}</function_call>` or
 * `<tool name="read" path="a.ts"/>`; returns undefined if it holds anything else.
 */
export function readWrappedCalls(text: string, at: number, context: Context): readonly ReadCall[] | undefined {
  const opening = matchAt(OPENING, text, at);
  if (!opening) return undefined;
  const [whole, element = '', attributes = '', slash] = opening;
  const closing = `</${element}>`;
  const start = at + whole.length;
  const close = slash === '/' ? start : context.findClosing(closing, start);
  if (close === -1) return undefined;
  const end = slash === '/' ? start : close + closing.length;
  const calls = readWrappedContent(element, text.slice(start, close).trim(), readAttributes(attributes));
  const isKnown = CALLS.includes(element) || calls?.every(({ name }) => isCallable(name, context.names));
  return calls && isKnown ? calls.map((call) => ({ ...call, at, end })) : undefined;
}

type Content = Omit<NamedCall, 'at'>;
type Attributes = readonly (readonly [key: string, value: string])[];

function readWrappedContent(element: string, content: string, attributes: Attributes): readonly Content[] | undefined {
  const name = findToolName(element, attributes);
  if (name === undefined) {
    return readJsonCalls(content, 0) ?? readPythonCalls(content) ?? readNamedElements(content);
  }
  const rest = attributes.filter(([key]) => !NAMES.includes(key) && key !== 'id' && key !== 'type');
  const others = Object.fromEntries(rest);
  if (content === '') return rest.length > 0 ? [{ name, args: others }] : undefined;
  const args = parseJsonObject(content) ?? readFieldElements(content);
  if (args) return [{ name, args: { ...others, ...args } }];
  return /[<>{]/.test(content) ? undefined : [{ name, args: others, values: [content] }];
}

/** Reads `<name>read</name><arguments>{"path":"a.ts"}</arguments>`, with the arguments also as elements. */
function readNamedElements(content: string): readonly Content[] | undefined {
  const { server_name: server, ...elements } = readFieldElements(content) ?? {};
  const key = NAMES.find((one) => typeof elements[one] === 'string');
  if (key === undefined) return undefined;
  const { [key]: tool, ...rest } = elements;
  const name = server === undefined ? String(tool) : [server, tool].join('.');
  const wrapper = ARGUMENTS.find((one) => typeof rest[one] === 'string');
  if (wrapper === undefined) return [{ name: name.trim(), args: rest }];
  const given = String(rest[wrapper]).trim();
  const args = parseJsonObject(given) ?? readFieldElements(given);
  if (args) return [{ name: name.trim(), args }];
  return parseJson(given) === undefined && /^[{[<]/.test(given)
    ? undefined
    : [{ name: name.trim(), args: {}, values: given === '' ? [] : [given] }];
}

/** Reads a text that consists of elements without attributes. */
function readFieldElements(content: string): Record<string, unknown> | undefined {
  if (!content.startsWith('<')) return undefined;
  const wrapped = `<args>${content}</args>`;
  const call = readChildElements(wrapped);
  return call && skipSpace(wrapped, call.end) === wrapped.length ? { ...call.args } : undefined;
}

function readAttributes(attributes: string): Attributes {
  return Array.from(attributes.matchAll(ATTRIBUTE), ([, key = '', double, single]) => [
    key,
    unescapeXml(double ?? single ?? ''),
  ]);
}
