import type { ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import { findLineEnd, skipBlanks } from './characters.ts';
import type { TagNames } from './names.ts';
import { parseProblems } from './problems.ts';
import { translateCall, type ForeignCalls, type NamedCall } from './translate-call.ts';

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
 * A call syntax that models know from other tools, in blocks that begin with `<` at the start of a line.
 *
 * To support another one, add it to `FOREIGN_SYNTAXES`.
 */
export interface ForeignSyntax {
  /** Name of the element that holds the block. */
  readonly element: string;
  /** True when a block holds calls, false when it holds what the model took for their results. */
  readonly isCall: boolean;
  /** True when a line, without the blanks around it, begins a block. */
  isStart(line: string): boolean;
  read(block: BlockStart, names: TagNames): ForeignBlock;
}

const OPEN_CALL = '<tool_call>';
const CLOSE_CALL = '</tool_call>';

const FOREIGN_SYNTAXES: readonly ForeignSyntax[] = [
  { element: 'tool_call', isCall: true, isStart: (line) => line.startsWith(OPEN_CALL), read: readToolCalls },
  fabricatedElement('tool_response'),
  fabricatedElement('tool_use'),
];

/** Names of all elements of foreign syntaxes. */
export const FOREIGN_ELEMENTS: readonly string[] = FOREIGN_SYNTAXES.map(({ element }) => element);

/** Finds the syntax of the block that begins with a line, which is without the blanks around it. */
export function findForeignSyntax(line: string): ForeignSyntax | undefined {
  return FOREIGN_SYNTAXES.find((syntax) => syntax.isStart(line));
}

/** Reads a line that is one JSON object; undefined when it is no call of a known tool. */
export function readJsonLine(json: string, line: number, names: TagNames): ForeignCalls | undefined {
  const call = parseCall(json, line);
  return call && translateCall(call, names);
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
  const call = parseCall(json, line);
  const translated = call && translateCall(call, names);
  if (translated) return translated;
  const problem = call
    ? parseProblems.unknownToolCall(line, call.name, names.findNearMiss(call.name))
    : parseProblems.badToolCall(line);
  return { calls: [], problems: [problem] };
}

/** Parses `{"name":"Read","arguments":{"file_path":"a.py"}}`; undefined for all other text. */
function parseCall(json: string, line: number): NamedCall | undefined {
  const value = parseObject(json);
  const args = asObject(value?.['arguments']);
  const name = value?.['name'];
  return typeof name === 'string' && args ? { name, args, line } : undefined;
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

/** Results that the model made up: `<tool_response …>…</tool_response>`, or `<tool_use … />` on one line. */
function fabricatedElement(element: string): ForeignSyntax {
  const open = `<${element}`;
  return {
    element,
    isCall: false,
    isStart: (line) => line.startsWith(open) && /[\s/>]/.test(line.charAt(open.length)),
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
