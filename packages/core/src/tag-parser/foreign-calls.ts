import type { ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import { SHORT_TAGS } from '../protocol/verbs.ts';
import { findLineEnd, skipBlanks } from './characters.ts';
import type { TagName, TagNames } from './names.ts';
import { parseProblems } from './problems.ts';
import { lacksArgument } from './tag.ts';

/** What a piece of text in another call syntax stands for. */
export interface ForeignCalls {
  readonly calls: readonly ToolCall[];
  readonly problems: readonly ParseProblem[];
}

/** A block of text in another call syntax. */
export interface ForeignBlock extends ForeignCalls {
  /** Offset behind the block; undefined when nothing closes it, so that the rest of the text may belong to it. */
  readonly end: number | undefined;
}

/** The place in a text where a block begins. */
export interface BlockStart {
  readonly text: string;
  /** Offset of the first line of the block. */
  readonly start: number;
  /** Number of that line, from 1. */
  readonly line: number;
}

/**
 * A call syntax that models know from other tools, in blocks that begin a line.
 *
 * To support another one, add it to `FOREIGN_SYNTAXES`.
 */
export interface ForeignSyntax {
  /** Name of the element that holds the block. */
  readonly element: string;
  /** True when a block holds calls, false when it holds what the model took for their results. */
  readonly isCall: boolean;
  /** True when a line, without the blanks around it, begins a block. */
  begins(line: string): boolean;
  read(block: BlockStart, names: TagNames): ForeignBlock;
}

const OPEN_CALL = '<tool_call>';
const CLOSE_CALL = '</tool_call>';

const FOREIGN_SYNTAXES: readonly ForeignSyntax[] = [
  { element: 'tool_call', isCall: true, begins: (line) => line.startsWith(OPEN_CALL), read: readToolCalls },
  fabricatedElement('tool_response'),
  fabricatedElement('tool_use'),
];

/** Names of all elements of foreign syntaxes. */
export const FOREIGN_ELEMENTS: readonly string[] = FOREIGN_SYNTAXES.map(({ element }) => element);

/** Finds the syntax of the block that begins with a line, which is without the blanks around it. */
export function findForeignSyntax(line: string): ForeignSyntax | undefined {
  return line.startsWith('<tool_') ? FOREIGN_SYNTAXES.find((syntax) => syntax.begins(line)) : undefined;
}

/** Reads a line that is one JSON object; undefined when it is no call of a known tool. */
export function readJsonLine(json: string, line: number, names: TagNames): ForeignCalls | undefined {
  const result = readJsonCall(json, line, names);
  return result.kind === 'call' ? checkArgument(result.call) : undefined;
}

function checkArgument(call: ToolCall): ForeignCalls {
  if (call.kwargs || !lacksArgument(call)) return { calls: [call], problems: [] };
  const { verb, line, tag: text } = call;
  return { calls: [], problems: [parseProblems.emptyArg(line, { verb, text }, 'tag')] };
}

/** Reads `<tool_call>…</tool_call>`, and all that follow it with nothing but blanks between them. */
function readToolCalls({ text, start, line: first }: BlockStart, names: TagNames): ForeignBlock {
  const calls: ToolCall[] = [];
  const problems: ParseProblem[] = [];
  let line = first;
  // Terminal codes may hide the tag from this search.
  let at = Math.max(text.indexOf(OPEN_CALL, start), start);
  for (;;) {
    const contentStart = at + OPEN_CALL.length;
    const close = findCallEnd(text, contentStart);
    if (close === -1) {
      problems.push(parseProblems.unclosedToolCall(line));
      return { calls, problems, end: undefined };
    }
    const content = text.slice(contentStart, close);
    const result = readToolCall(content, line, names);
    calls.push(...result.calls);
    problems.push(...result.problems);
    line += countLineBreaks(content);
    const end = close + CLOSE_CALL.length;
    at = skipBlanks(text, end);
    if (!text.startsWith(OPEN_CALL, at)) return { calls, problems, end };
  }
}

/** Index of the closing tag, except one inside a string of the JSON; -1 when there is none. */
function findCallEnd(text: string, from: number): number {
  const jsonEnd = findJsonEnd(text, skipSpace(text, from));
  const close = jsonEnd === -1 ? -1 : skipSpace(text, jsonEnd);
  return close !== -1 && text.startsWith(CLOSE_CALL, close) ? close : text.indexOf(CLOSE_CALL, from);
}

function readToolCall(json: string, line: number, names: TagNames): ForeignCalls {
  const result = readJsonCall(json, line, names);
  if (result.kind === 'call') return checkArgument(result.call);
  const problem =
    result.kind === 'unknown-tool'
      ? parseProblems.unknownToolCall(line, result.name, names.findNearMiss(result.name))
      : parseProblems.badToolCall(line);
  return { calls: [], problems: [problem] };
}

/** Results that the model made up: `<tool_response …>…</tool_response>`, or `<tool_use … />` on one line. */
function fabricatedElement(element: string): ForeignSyntax {
  return {
    element,
    isCall: false,
    begins: (line) => line.startsWith(element, 1) && /[\s/>]/.test(line.charAt(element.length + 1)),
    read({ text, start, line }) {
      return {
        calls: [],
        problems: [parseProblems.fabricatedOutput(line, element)],
        end: findElementEnd(text, start, element),
      };
    },
  };
}

function findElementEnd(text: string, start: number, element: string): number | undefined {
  const line = text.slice(start, findLineEnd(text, start)).trimEnd();
  if (line.endsWith('/>') && line.indexOf('>') === line.length - 1) return start + line.length;
  const close = text.indexOf(`</${element}>`, start);
  return close === -1 ? undefined : close + element.length + 3;
}

/**
 * Index behind the JSON object or array that begins at an index; -1 when it does not end.
 *
 * Only balances brackets and strings. Stops at a `<` outside a string, which JSON does not allow, so that
 * the next tag ends the search.
 */
function findJsonEnd(text: string, from: number): number {
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    switch (text.charAt(index)) {
      case '"':
        index = findStringEnd(text, index + 1);
        if (index === -1) return -1;
        break;
      case '{':
      case '[':
        depth++;
        break;
      case '}':
      case ']':
        if (--depth === 0) return index + 1;
        break;
      case '<':
        return -1;
      default:
        if (depth === 0) return -1;
    }
  }
  return -1;
}

/** Index of the quote that ends a string. */
function findStringEnd(text: string, from: number): number {
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') return index;
    if (character === '\\') index++;
  }
  return -1;
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && ' \t\r\n'.includes(text.charAt(index))) index++;
  return index;
}

function countLineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** A call that was written as JSON, or why it is none. */
type JsonCall =
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'not-a-call' }
  | { readonly kind: 'unknown-tool'; readonly name: string };

const TARGETS = ['target', 'file_path', 'path'];

/** Translates `{"name":"Read","arguments":{"file_path":"a.py"}}` into a call of the tag protocol. */
function readJsonCall(json: string, line: number, names: TagNames): JsonCall {
  const value = parseObject(json);
  const given = asObject(value?.['arguments']);
  const name = value?.['name'];
  if (typeof name !== 'string' || !given) return { kind: 'not-a-call' };
  const known = names.resolve(name);
  if (!known) return { kind: 'unknown-tool', name };
  return { kind: 'call', call: translateCall(known, new Map(Object.entries(given)), line) };
}

/** Makes a call of named arguments: those that have a place in a tag go there, the others stay keywords. */
function translateCall({ verb, space }: TagName, args: Map<string, unknown>, line: number): ToolCall {
  const { arg, body } = takeTagParts(verb, args);
  const prefix = space === undefined ? '' : `${space}.`;
  const short = Object.hasOwn(SHORT_TAGS, verb) ? SHORT_TAGS[verb as keyof typeof SHORT_TAGS] : verb;
  return {
    verb,
    arg,
    ...(body !== undefined && { body, block: false }),
    ...(args.size > 0 && { kwargs: Object.fromEntries(args) }),
    ...(space !== undefined && { space }),
    line,
    tag: `<${prefix}${short}:${arg}>`,
  };
}

/** Takes the argument and the body of a tag out of named arguments. */
function takeTagParts(verb: string, args: Map<string, unknown>): { readonly arg: string; readonly body?: string } {
  switch (verb) {
    case 'read':
      return { arg: takeRange(takeText(args, TARGETS), args) };
    case 'write':
      return { arg: takeText(args, TARGETS), ...takeBody(args) };
    case 'edit':
      renameKey(args, 'old_string', 'old');
      renameKey(args, 'new_string', 'new');
      return { arg: takeText(args, TARGETS) };
    case 'glob':
      return { arg: joinGlob(takeText(args, ['pattern']), takeText(args, TARGETS)) };
    case 'grep':
      // The path of a search stays a keyword: the pattern is the argument.
      return { arg: takeText(args, ['target', 'pattern']) };
    default:
      // Keywords of a custom tool bind by name, whatever their order.
      return { arg: takeText(args, ['target']) };
  }
}

function takeText(args: Map<string, unknown>, keys: readonly string[]): string {
  for (const key of keys) {
    const value = args.get(key);
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    args.delete(key);
    return String(value);
  }
  return '';
}

function takeBody(args: Map<string, unknown>): { readonly body?: string } {
  const body = args.get('content');
  if (typeof body !== 'string') return {};
  args.delete('content');
  return { body };
}

function takeRange(target: string, args: Map<string, unknown>): string {
  const offset = args.get('offset') ?? undefined;
  const limit = args.get('limit') ?? undefined;
  const isRange = [offset, limit].every((value) => value === undefined || Number.isSafeInteger(value));
  if (target === '' || !isRange) return target;
  args.delete('offset');
  args.delete('limit');
  if (offset === undefined && limit === undefined) return target;
  const first = (offset ?? 1) as number;
  return `${target}:${first}-${limit === undefined ? '' : first + (limit as number) - 1}`;
}

function joinGlob(pattern: string, path: string): string {
  if (pattern === '' || path === '') return pattern + path;
  return path.endsWith('/') ? path + pattern : `${path}/${pattern}`;
}

function renameKey(args: Map<string, unknown>, from: string, to: string): void {
  if (!args.has(from) || args.has(to)) return;
  args.set(to, args.get(from));
  args.delete(from);
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(json));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}
