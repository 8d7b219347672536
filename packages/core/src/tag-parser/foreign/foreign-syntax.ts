import type { ParseProblem, ToolCall } from '../../protocol/tool-call.ts';
import { findLineEnd, matchAt, skipBlanks, skipSpace } from '../characters.ts';
import type { TagNames } from '../names.ts';
import { parseProblems } from '../problems.ts';
import { findJsonEnd, parseJsonObject, readJsonCalls } from './json-calls.ts';
import { readPythonCalls } from './python-calls.ts';
import { isForeignName, joinCalls, translateCall, type ForeignCalls, type NamedCall } from './translate-call.ts';
import {
  classifyElement,
  readElementWithAttributes,
  readElementWithChildren,
  readFunctionElement,
  readInvoke,
  readKeysAndValues,
  type FindClosing,
  type ReadCall,
  type TextPlace,
} from './xml-calls.ts';

/** A block of text in another call syntax. */
export interface ForeignBlock extends ForeignCalls {
  /** Offset behind the block; undefined when nothing closes it, so that the rest of the text may belong to it. */
  readonly end: number | undefined;
  /** Text before a tail that alone on its line would be more than prose. Default: `…`. */
  readonly closing?: string;
}

/** The place in a text where a block begins. */
export interface BlockStart {
  readonly text: string;
  /** Offset of the first character of the block that is not blank. */
  readonly start: number;
  /** Number of that line, from 1. */
  readonly line: number;
  /** True when the text has a call before the block. */
  readonly isAfterCall: boolean;
  readonly findClosing: FindClosing;
  /** True when an element that may be an argument follows an offset. */
  readonly hasArgumentBehind: (offset: number) => boolean;
}

/** A call syntax of other tools. To support another one, add it to `FOREIGN_SYNTAXES`. */
export interface ForeignSyntax {
  /** True when a block holds what the model took for results of calls. */
  readonly isFabricated?: true;
  /** True when a line, without the blanks around it, begins a block. */
  isStart(line: string, names: TagNames): boolean;
  /** Reads the block; `prose` with its end when it turns out to be no call. */
  read(block: BlockStart, names: TagNames): ForeignBlock | { readonly proseEnd: number };
}

const TOOL_FENCE = /^(`{3,}|~{3,})\s*(?:tool_code|tool_calls?|tool_use)\s*$/;
const REACT_ACTION = /^Action:\s*([\w.-]+)\s*$/;
const REACT_INPUT = /[ \t]*Action Input:[ \t]*/y;
const FUNCTION_CALLS = /<((?:[\w-]+:)?)function_calls>/y;
const NAME_BEFORE_JSON = /([\w.-]+)\s*(?:\[ARGS\])?\s*(?=\{)/y;
const TOKEN = /^(?:\[TOOL_CALLS\]|<\|(?:tool_calls?|python_tag)\|>)/;
const TOKEN_END = /[ \t]*(?:<\|\/tool_calls?\|>|<\|eom_id\|>|<\/s>)/y;

const FOREIGN_SYNTAXES: readonly ForeignSyntax[] = [
  { isStart: (line) => line.startsWith('<tool_call>'), read: readToolCalls },
  {
    isStart: (line) => /^<(?:[\w-]+:)?(?:function_calls>|invoke\s+name\s*=)/.test(line),
    read: readInvokes,
  },
  { isStart: (line) => line.startsWith('<function='), read: readFunctions },
  { isStart: (line) => TOKEN.test(line), read: readTokenCalls },
  { isStart: (line) => TOOL_FENCE.test(line), read: readToolFence },
  {
    isStart: (line, names) => isForeignName(REACT_ACTION.exec(line)?.[1] ?? '', names),
    read: readAction,
  },
  fabricatedElement('tool_response'),
  fabricatedElement('tool_use'),
  {
    isFabricated: true,
    isStart: (line) => /^(?:Observation:|<(?:[\w-]+:)?function_results>)/.test(line),
    read: readResults,
  },
  { isStart: (line, names) => classifyElement(line, names) !== undefined, read: readElements },
];

/** Names of the elements whose closing tags are left out of the prose when nothing opens them. */
export const FOREIGN_ELEMENTS: readonly string[] = [
  'tool_call',
  'tool_response',
  'tool_use',
  'function_calls',
  'invoke',
];

/** Finds the syntax of the block that begins with a line, which is without the blanks around it. */
export function findForeignSyntax(line: string, names: TagNames): ForeignSyntax | undefined {
  return FOREIGN_SYNTAXES.find((syntax) => syntax.isStart(line, names));
}

/** True when a line that begins with a letter or a bracket may begin a block. */
export function mayBeginForeignBlock(line: string): boolean {
  return line.startsWith('Action:') || line.startsWith('Observation:') || line.startsWith('[TOOL_CALLS]');
}

/** Reads a line that is one JSON object or array; undefined when it is no call of a known tool. */
export function readJsonLine(json: string, line: number, names: TagNames): ForeignCalls | undefined {
  const calls = readJsonCalls(json, line)?.map((call) => translateCall(call, names));
  return calls?.every((one) => one !== undefined) ? joinCalls(calls) : undefined;
}

/** Reads `<tool_call>…</tool_call>`, and all that follow it with nothing but blanks between them. */
function readToolCalls({ text, start, line: first }: BlockStart, names: TagNames): ForeignBlock {
  const [open, closing] = ['<tool_call>', '</tool_call>'];
  const results: ForeignCalls[] = [];
  let line = first;
  let end = start;
  // Terminal codes may hide the tag from this search.
  for (let at = Math.max(text.indexOf(open, start), start); text.startsWith(open, at) || results.length === 0;) {
    const contentStart = at + open.length;
    const element = readCallElement({ text, at: skipSpace(text, contentStart), line }, closing);
    const close = element?.end ?? findJsonClose(text, contentStart, closing);
    if (close === -1) {
      return { ...joinCalls([...results, fail(parseProblems.unclosedToolCall(line))]), end: undefined, closing };
    }
    const content = text.slice(contentStart, close);
    const calls = element ? [element.call] : readJsonCalls(content, line);
    results.push(calls ? translateAll(calls, names) : fail(parseProblems.badToolCall(line)));
    line += countLineBreaks(content);
    end = close + closing.length;
    at = skipBlanks(text, end);
    if (!text.startsWith(open, at)) break;
  }
  return { ...joinCalls(results), end, closing };
}

/** Reads a call in elements between `<tool_call>` and its closing tag; `end` is where that tag begins. */
function readCallElement(place: TextPlace, closing: string): ReadCall | undefined {
  const { text } = place;
  const pairs = readKeysAndValues(place, closing);
  if (pairs) return { call: pairs.call, end: pairs.end - closing.length };
  const element = readFunctionElement(place) ?? readInvoke(place);
  const end = element && skipSpace(text, element.end);
  return element && text.startsWith(closing, end) ? { call: element.call, end: end! } : undefined;
}

/** Index of a closing tag behind JSON, except one inside a string; -1 when there is none. */
function findJsonClose(text: string, from: number, closing: string): number {
  const jsonEnd = findJsonEnd(text, skipSpace(text, from));
  const close = jsonEnd === -1 ? -1 : skipSpace(text, jsonEnd);
  return close !== -1 && text.startsWith(closing, close) ? close : text.indexOf(closing, from);
}

/** Reads `<function_calls>` with its `<invoke>` elements, or one or more `<invoke>` elements without it. */
function readInvokes(block: BlockStart, names: TagNames): ForeignBlock {
  const { text, start, line } = block;
  const opening = matchAt(FUNCTION_CALLS, text, start);
  const closing = opening ? `</${opening[1]!}function_calls>` : '';
  const first = skipSpace(text, start + (opening?.[0].length ?? 0));
  const { calls, end } = readSeries(
    { text, at: first, line: line + countLineBreaks(text.slice(start, first)) },
    readInvoke,
  );
  const isEnded = opening ? text.startsWith(closing, skipSpace(text, end)) : calls.length > 0;
  if (isEnded && calls.length > 0) {
    const blockEnd = opening ? skipSpace(text, end) + closing.length : end;
    return { ...translateAll(calls, names), end: blockEnd, closing: closing || '</invoke>' };
  }
  const prefix = /^<([\w-]+:)?/.exec(text.slice(start, start + 64))?.[1] ?? '';
  return breakThrough(block, closing || `</${prefix}invoke>`);
}

/** Reads `<function=read>…</function>`, and all that follow it. */
function readFunctions(block: BlockStart, names: TagNames): ForeignBlock {
  const closing = '</function>';
  const { calls, end } = readSeries({ ...block, at: block.start }, readFunctionElement);
  return calls.length > 0 ? { ...translateAll(calls, names), end, closing } : breakThrough(block, closing);
}

/** Reads calls behind `[TOOL_CALLS]` or `<|tool_call|>`: JSON, or names with JSON behind them. */
function readTokenCalls({ text, start, line }: BlockStart, names: TagNames): ForeignBlock {
  const token = TOKEN.exec(text.slice(start, start + 32))![0];
  const calls: NamedCall[] = [];
  let at = skipSpace(text, start + token.length);
  let end = at;
  let isUnended = false;
  for (;;) {
    const name = matchAt(NAME_BEFORE_JSON, text, at);
    const jsonStart = at + (name?.[0].length ?? 0);
    const jsonEnd = findJsonEnd(text, jsonStart);
    isUnended = jsonEnd === -1 && /[{[]/.test(text.charAt(jsonStart));
    if (jsonEnd <= jsonStart) break;
    const json = text.slice(jsonStart, jsonEnd);
    const args = name ? parseJsonObject(json) : undefined;
    const found = name ? args && [{ name: name[1]!, args, line }] : readJsonCalls(json, line);
    if (!found) break;
    calls.push(...found);
    end = jsonEnd;
    const next = skipSpace(text, jsonEnd + (text.charAt(jsonEnd) === ';' ? 1 : 0));
    at = text.startsWith(token, next) ? skipSpace(text, next + token.length) : next;
    if (!/[\w{[]/.test(text.charAt(at))) break;
    if (next > jsonEnd && at === next && text.charAt(next) !== '{') break;
  }
  if (calls.length === 0) return breakBlock(line, isUnended ? undefined : findLineEnd(text, start));
  return { ...translateAll(calls, names), end: end + (matchAt(TOKEN_END, text, end)?.[0].length ?? 0) };
}

/** Reads a fence whose info string marks it as calls, in the syntax of Python or as JSON. */
function readToolFence({ text, start, line }: BlockStart, names: TagNames): ForeignBlock {
  const lineEnd = findLineEnd(text, start);
  const marks = TOOL_FENCE.exec(text.slice(start, lineEnd).trimEnd())![1]!;
  const fence = new RegExp(`^[ \\t]*${marks.charAt(0)}{${marks.length},}[ \\t\\r]*$`, 'm');
  const rest = text.slice(lineEnd + 1);
  const close = fence.exec(rest);
  if (!close) return breakBlock(line, undefined);
  const code = rest.slice(0, close.index);
  const end = lineEnd + 1 + close.index + close[0].length;
  const calls = readJsonCalls(code, line + 1) ?? readJsonLines(code, line + 1) ?? readPythonCalls(code, line + 1);
  return calls ? { ...translateAll(calls, names), end } : breakBlock(line, end);
}

function readJsonLines(code: string, first: number): readonly NamedCall[] | undefined {
  const lines = code.split('\n').map((json, index) => ({ json: json.trim(), line: first + index }));
  const calls = lines.filter(({ json }) => json !== '').map(({ json, line }) => readJsonCalls(json, line));
  return calls.length > 0 && calls.every((one) => one !== undefined) ? calls.flat() : undefined;
}

/** Reads `Action: read` and, on the next line, `Action Input: {"path":"a.ts"}`. */
function readAction({ text, start, line }: BlockStart, names: TagNames): ForeignBlock {
  const lineEnd = findLineEnd(text, start);
  const name = REACT_ACTION.exec(text.slice(start, lineEnd).trimEnd())![1]!;
  const input = matchAt(REACT_INPUT, text, skipSpace(text, lineEnd));
  if (!input) return breakBlock(line, lineEnd);
  const inputStart = input.index + input[0].length;
  const valueStart = skipSpace(text, inputStart);
  const jsonEnd = text.charAt(valueStart) === '{' ? findJsonEnd(text, valueStart) : -1;
  const json = jsonEnd === -1 ? undefined : parseJsonObject(text.slice(valueStart, jsonEnd));
  if (json) return { ...translateAll([{ name, args: json, line }], names), end: jsonEnd };
  const end = findLineEnd(text, inputStart);
  const value = text
    .slice(inputStart, end)
    .trim()
    .replace(/^(["'`])(.*)\1$/, '$2');
  if (value.startsWith('{')) return breakBlock(line, jsonEnd === -1 ? undefined : end);
  return { ...translateAll([{ name, args: {}, values: value === '' ? [] : [value], line }], names), end };
}

/** Reads `<read path="a.ts"/>` and all that follow it on its line, or `<read><path>a.ts</path></read>`. */
function readElements(
  { text, start, line, findClosing, hasArgumentBehind }: BlockStart,
  names: TagNames,
): ForeignBlock | { readonly proseEnd: number } {
  const lineEnd = findLineEnd(text, start);
  const hasAttributes = classifyElement(text.slice(start, lineEnd), names) === 'attributes';
  const { calls, end } = readSeries(
    { text, at: start, line },
    (place) =>
      hasAttributes ? readElementWithAttributes(place, names, findClosing) : readElementWithChildren(place, names),
    skipBlanks,
  );
  const isAlone = calls.length > 0 && skipBlanks(text, end) === findLineEnd(text, end);
  if (isAlone) return { ...translateAll(calls, names), end };
  if (hasAttributes) return { proseEnd: findLineEnd(text, end) };
  const name = /^<([\w.-]+)/.exec(text.slice(start, lineEnd))![1]!;
  const closing = `</${name}>`;
  const close = findClosing(closing, start);
  if (close !== -1) return { proseEnd: findLineEnd(text, close + closing.length) };
  return hasArgumentBehind(start) ? breakBlock(line, undefined) : { proseEnd: lineEnd };
}

/** Reads results that the model made up behind its own call, and everything after them. */
function readResults({ text, start, line, isAfterCall }: BlockStart): ForeignBlock | { readonly proseEnd: number } {
  if (!isAfterCall) return { proseEnd: findLineEnd(text, start) };
  const name = text.startsWith('Observation', start) ? 'Observation:' : '<function_results>';
  return { calls: [], problems: [parseProblems.fabricatedOutput(line, name, 'rest')], end: undefined };
}

/** Results that the model made up: `<tool_response …>…</tool_response>`, or `<tool_use … />` on one line. */
function fabricatedElement(element: string): ForeignSyntax {
  const open = `<${element}`;
  return {
    isFabricated: true,
    isStart: (line) => line.startsWith(open) && /[\s/>]/.test(line.charAt(open.length)),
    read({ text, start, line }) {
      const problems = [parseProblems.fabricatedOutput(line, `<${element}>`, 'tag')];
      return { calls: [], problems, end: findElementEnd(text, start, element), closing: `</${element}>` };
    },
  };
}

function findElementEnd(text: string, start: number, element: string): number | undefined {
  const line = text.slice(start, findLineEnd(text, start)).trimEnd();
  if (line.endsWith('/>') && line.indexOf('>') === line.length - 1) return start + line.length;
  const close = text.indexOf(`</${element}>`, start);
  return close === -1 ? undefined : close + element.length + 3;
}

/** Reads one call after another, with nothing but white space between them. */
function readSeries(
  { text, ...start }: TextPlace,
  read: (place: TextPlace) => ReadCall | undefined,
  skipBetween: (text: string, from: number) => number = skipSpace,
): { readonly calls: readonly NamedCall[]; readonly end: number } {
  const calls: NamedCall[] = [];
  let { at, line } = start;
  let end = at;
  for (let one = read({ text, at, line }); one; one = read({ text, at, line })) {
    calls.push(one.call);
    end = one.end;
    const next = skipBetween(text, end);
    line += countLineBreaks(text.slice(at, next));
    at = next;
  }
  return { calls, end };
}

function translateAll(calls: readonly NamedCall[], names: TagNames): ForeignCalls {
  return joinCalls(
    calls.map(
      (call) =>
        translateCall(call, names) ??
        fail(parseProblems.unknownToolCall(call.line, call.name, names.findNearMiss(call.name))),
    ),
  );
}

function fail(problem: ParseProblem): ForeignCalls {
  return { calls: [] as readonly ToolCall[], problems: [problem] };
}

/** A block that holds no call that can be read. */
function breakBlock(line: number, end: number | undefined): ForeignBlock {
  return { calls: [], problems: [parseProblems.brokenBlock(line, end === undefined ? 'rest' : 'tag')], end };
}

/** A block that holds no call that can be read, up to a closing tag. */
function breakThrough({ text, start, line }: BlockStart, closing: string): ForeignBlock {
  const close = text.indexOf(closing, start);
  return breakBlock(line, close === -1 ? undefined : close + closing.length);
}

function countLineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
