import type { ParseProblem } from '../../protocol/tool-call.ts';
import { countLineBreaks, findLineEnd, matchAt, skipBlanks, skipSpace } from '../characters.ts';
import type { TagNames } from '../names.ts';
import { createProblem } from '../problems.ts';
import { findJsonEnd, mayBeginJsonCalls, parseJsonObject, readJsonBlock, readJsonCalls } from './json-calls.ts';
import { beginsWithMark, readMarkedCalls } from './token-calls.ts';
import { readPythonCalls } from './python-calls.ts';
import {
  isCallable,
  isEntryName,
  translateCall,
  type BlockStart,
  type NamedCall,
  type Translation,
} from './translate-call.ts';
import { beginsWithWrapper, readWrappedCalls } from './wrapped-calls.ts';
import {
  beginsWithElement,
  readElementWithAttributes,
  readElementWithChildren,
  readFunctionElement,
  readInvoke,
  readKeysAndValues,
  splitCall,
  type ReadCall,
} from './xml-calls.ts';

interface ForeignBlock<T> {
  readonly items: T;
  /** Offset after the block; undefined if nothing closes it, so that the rest of the text may belong to it. */
  readonly end: number | undefined;
  /** Text that is put before a tail that, alone on its line, would be more than prose. Default: `…`. */
  readonly closing?: string;
}

interface PlacedProblem {
  readonly at: number;
  readonly describe: (line: number) => ParseProblem;
}

/** Contents of a block, in the order of the text; or the end of its text if it is prose after all. */
type RawBlock = ForeignBlock<readonly (NamedCall | PlacedProblem)[]> | { readonly proseEnd: number };

/** Call syntax of other tools. To support another one, add it to `FOREIGN_SYNTAXES`. */
export interface ForeignSyntax {
  /** True if a block holds invented results of calls. */
  readonly isFabricated?: true;
  /** True if it is XML, which inside another element is not a call. */
  readonly isMarkup?: true;
  /** Returns true if a line, without surrounding blanks, begins a block. */
  isStart(line: string, names: TagNames): boolean;
  read(block: BlockStart): RawBlock;
}

const TOOL_FENCE = /^(`{3,}|~{3,})\s*(?:tool_code|tool_calls?|tool_use)\s*$/;
/** `Action: read`, followed by its input, or `Action: read[src/a.ts]`; the keys may be emphasized. */
const REACT_ACTION = /^(?:\*\*)?(?:Action|Tool)(?::\*\*|\*\*:|:)\s*`?([\w.-]+)`?\s*(?:\[(.*)\]|(\(.*\)))?$/;
const JSON_INPUT = /^\s*\**(?:Action Input|Arguments|Args|Input|Parameters)\**:\**\s*\{/;
const REACT_INPUT = /[ \t]*(?:\*\*)?(?:Action Input|Arguments|Args|Input|Parameters)(?::\*\*|\*\*:|:)[ \t]*/y;
/** `[read(path="a.ts")]`: names are required, so that a list in code is no call. */
const LISTED_CALLS = /^\[\s*([A-Za-z_][\w.]*)\(\s*[A-Za-z_]\w*\s*=.*\)\s*\]$/;
const INVOKES = /<((?:[\w-]+:|[|｜]{1,2}DSML[|｜]{1,2})?)(function_calls>|(?<=DSML[|｜]+)tool_calls>)?/y;
const INVOKE_START = /^<(?:(?:[\w-]+:)?function_calls>|(?:[\w-]+:)?invoke\s+name\s*=|[|｜]{1,2}DSML[|｜])/;
const NAME_BEFORE_JSON = /([\w.-]+)\s*(?:\[ARGS\])?\s*(?=\{)/y;
const TOKEN = /^(?:\[TOOL_CALLS\]|<\|(?:tool_calls?|python_tag)\|>)/;
const TOKEN_END = /[ \t]*(?:<\|\/tool_calls?\|>|<\|eom_id\|>|<\/s>)/y;

/** JSON of several lines. */
export const JSON_OF_LINES: ForeignSyntax = { isStart: mayBeginJsonCalls, read: readJsonOfLines };

const FOREIGN_SYNTAXES: readonly ForeignSyntax[] = [
  { isStart: (line) => line.startsWith('<tool_call>'), read: readToolCalls },
  { isMarkup: true, isStart: beginsWithWrapper, read: readWrapped },
  { isStart: (line) => INVOKE_START.test(line), read: readInvokes },
  { isStart: (line) => line.startsWith('<function='), read: readFunctions },
  { isStart: (line) => TOKEN.test(line), read: readTokenCalls },
  JSON_OF_LINES,
  { isStart: beginsWithMark, read: readMarked },
  { isStart: (line, names) => isCallable(LISTED_CALLS.exec(line)?.[1] ?? '', names), read: readListed },
  { isStart: (line) => TOOL_FENCE.test(line), read: readToolFence },
  { isStart: (line, names) => isCallable(REACT_ACTION.exec(line)?.[1] ?? '', names), read: readAction },
  fabricatedElement('tool_response'),
  fabricatedElement('tool_use'),
  {
    isFabricated: true,
    isStart: (line) => /^(?:Observation:|✿RESULT✿|<(?:[\w-]+:)?function_results>)/.test(line),
    read: readResults,
  },
  { isMarkup: true, isStart: beginsWithElement, read: readElements },
];

/** Names of the elements whose closing tags are removed from the prose if nothing opens them. */
export const FOREIGN_ELEMENTS: readonly string[] = [
  'tool_call',
  'tool_response',
  'tool_use',
  'function_calls',
  'invoke',
];

/** Finds the syntax of the block that begins with a line without surrounding blanks. */
export function findForeignSyntax(line: string, names: TagNames): ForeignSyntax | undefined {
  return FOREIGN_SYNTAXES.find((syntax) => syntax.isStart(line, names));
}

/** Returns true if a line that begins with a letter or a bracket may begin a block. */
export function mayBeginForeignBlock(line: string): boolean {
  return /^(?:\*\*)?(?:Action|Observation|Tool)[:*]/.test(line) || line.startsWith('functools[');
}

/** Reads a block and translates its calls; `proseEnd` is the end of a block that is not a call after all. */
export function readForeignBlock(
  syntax: ForeignSyntax,
  block: BlockStart,
): ForeignBlock<Translation> | { readonly proseEnd: number } {
  const raw = syntax.read(block);
  if ('proseEnd' in raw) return raw;
  const { text, names } = block;
  let { start: at, line } = block;
  const items = raw.items.flatMap((item) => {
    line += countLineBreaks(text.slice(at, item.at));
    at = item.at;
    if ('describe' in item) return item.describe(line);
    const unknown = () => {
      const near = names.findNearMiss(item.name);
      const meant = near === undefined ? undefined : { name: names.qualify(near), args: item.args };
      return createProblem('unknown-tool-call', line, item.name, meant);
    };
    const { source = text.slice(item.end === undefined ? block.start : item.at, item.end ?? raw.end) } = item;
    return addSource(translateCall(item, names, line), source) ?? unknown();
  });
  return { ...raw, items };
}

function addSource(items: Translation | undefined, source: string): Translation | undefined {
  return items?.map((item) => ('verb' in item ? { ...item, source } : item));
}

/** Reads a line that is one JSON object or array; returns undefined if it is not a call of a known tool. */
export function readJsonLine(json: string, line: number, names: TagNames): Translation | undefined {
  const calls = readJsonCalls(json, 0)?.map((call) => addSource(translateCall(call, names, line), call.source ?? json));
  return calls?.every((one) => one !== undefined) ? calls.flat() : undefined;
}

/** Reads `<tool_call>…</tool_call>` and all further ones that follow with only blanks in between. */
function readToolCalls({ text, start }: BlockStart): RawBlock {
  const [open, closing] = ['<tool_call>', '</tool_call>'];
  const items: (NamedCall | PlacedProblem)[] = [];
  let end = start;
  for (let at = start; text.startsWith(open, at); at = skipBlanks(text, end)) {
    const contentStart = at + open.length;
    const element = readCallElement(text, skipSpace(text, contentStart), closing);
    const close = element?.end ?? findJsonClose(text, contentStart, closing);
    if (close === -1) {
      items.push({ at, describe: (line) => createProblem('unclosed-tool-call', line) });
      return { items, end: undefined, closing };
    }
    const calls = element ? [{ ...element, at }] : readJsonCalls(text.slice(contentStart, close), at);
    if (!calls) items.push({ at, describe: (line) => createProblem('bad-tool-call', line) });
    for (const call of calls ?? []) items.push(call);
    end = close + closing.length;
  }
  return { items, end, closing };
}

/** Reads a call written as elements between `<tool_call>` and its closing tag; `end` is the start of that tag. */
function readCallElement(text: string, at: number, closing: string): ReadCall | undefined {
  const pairs = readKeysAndValues(text, at, closing);
  if (pairs) return { ...pairs, end: pairs.end - closing.length };
  const element = readFunctionElement(text, at) ?? readInvoke(text, at);
  const end = element && skipSpace(text, element.end);
  return element && text.startsWith(closing, end) ? { ...element, end: end! } : undefined;
}

/** Returns the index of a closing tag after JSON, ignoring any inside a string; -1 if there is none. */
function findJsonClose(text: string, from: number, closing: string): number {
  const jsonEnd = findJsonEnd(text, skipSpace(text, from));
  const close = jsonEnd === -1 ? -1 : skipSpace(text, jsonEnd);
  return close !== -1 && text.startsWith(closing, close) ? close : text.indexOf(closing, from);
}

/** Reads `<function_calls>` with its `<invoke>` elements, or one or more `<invoke>` elements without it. */
function readInvokes(block: BlockStart): RawBlock {
  const { text, start } = block;
  const [opening, prefix = '', wrapper] = matchAt(INVOKES, text, start)!;
  const closing = `</${prefix}${wrapper ?? 'invoke>'}`;
  const first = wrapper ? start + opening.length : start;
  const { items, end } = readSeries(first, (at) => readInvoke(text, skipSpace(text, at)));
  if (items.length === 0) return breakThrough(block, closing);
  if (!wrapper) return { items, end, closing: '</invoke>' };
  const close = skipSpace(text, end);
  if (!text.startsWith(closing, close)) return breakThrough(block, closing);
  return { items, end: close + closing.length, closing };
}

/** Reads `<tool name="read">…</tool>`, `<function_call>{…}</function_call>` and further ones that follow. */
function readWrapped(block: BlockStart): RawBlock {
  const { text, start } = block;
  const items: ReadCall[] = [];
  let end = start;
  for (let at = start; ; at = skipSpace(text, end)) {
    const calls = readWrappedCalls(text, at, block);
    if (!calls) break;
    items.push(...calls);
    end = calls[0]!.end;
  }
  if (items.length > 0) return { items, end, closing: '…' };
  const fabricated = FOREIGN_SYNTAXES.find((one) => one.isFabricated && one.isStart(readFirstLine(block), block.names));
  return fabricated?.read(block) ?? { proseEnd: findLineEnd(text, start) };
}

function readFirstLine({ text, start }: BlockStart): string {
  return text.slice(start, findLineEnd(text, start)).trimEnd();
}

/** Reads JSON of several lines, if all its calls are known. */
function readJsonOfLines({ text, start, names }: BlockStart): RawBlock {
  const { calls, end } = readJsonBlock(text, start);
  const areKnown = calls?.every(({ name }) => isCallable(name, names)) === true;
  return areKnown ? { items: calls, end } : { proseEnd: end };
}

function readMarked(block: BlockStart): RawBlock {
  return readMarkedCalls(block) ?? { proseEnd: findLineEnd(block.text, block.start) };
}

function readListed({ text, start }: BlockStart): RawBlock {
  const end = findLineEnd(text, start);
  const calls = readPythonCalls(text.slice(start, end));
  return calls ? { items: calls.map((call) => ({ ...call, at: start, end })), end } : { proseEnd: end };
}

/** Reads `<function=read>…</function>` and all further ones that follow. */
function readFunctions(block: BlockStart): RawBlock {
  const { text, start } = block;
  const closing = '</function>';
  const { items, end } = readSeries(start, (at) => readFunctionElement(text, skipSpace(text, at)));
  return items.length > 0 ? { items, end, closing } : breakThrough(block, closing);
}

/** Reads calls after `[TOOL_CALLS]` or `<|tool_call|>`: JSON, or names followed by JSON. */
function readTokenCalls({ text, start }: BlockStart): RawBlock {
  const token = TOKEN.exec(text.slice(start, start + 32))![0];
  const items: NamedCall[] = [];
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
    const named = name && args && { name: name[1]!, args, at: start, source: json };
    const found = name ? named && [named] : readJsonCalls(json, start);
    if (!found) break;
    for (const call of found) items.push(call);
    end = jsonEnd;
    const next = skipSpace(text, jsonEnd + (text.charAt(jsonEnd) === ';' ? 1 : 0));
    at = text.startsWith(token, next) ? skipSpace(text, next + token.length) : next;
    if (!/[\w{[]/.test(text.charAt(at))) break;
    if (next > jsonEnd && at === next && text.charAt(next) !== '{') break;
  }
  if (items.length === 0) return breakBlock(start, isUnended ? undefined : findLineEnd(text, start));
  return { items, end: end + (matchAt(TOKEN_END, text, end)?.[0].length ?? 0) };
}

/** Reads a fence whose info string marks its content as calls, in Python syntax or as JSON. */
function readToolFence({ text, start }: BlockStart): RawBlock {
  const codeStart = findLineEnd(text, start) + 1;
  const marks = TOOL_FENCE.exec(text.slice(start, codeStart).trimEnd())![1]!;
  const fence = new RegExp(`^[ \\t]*${marks.charAt(0)}{${marks.length},}[ \\t\\r]*$`, 'm');
  const rest = text.slice(codeStart);
  const close = fence.exec(rest);
  if (!close) return breakBlock(start, undefined);
  const code = rest.slice(0, close.index);
  const end = codeStart + close.index + close[0].length;
  const items =
    readJsonCalls(code, codeStart) ??
    readJsonLines(code, codeStart) ??
    readPythonCalls(code)?.map((call) => ({ ...call, at: codeStart + call.at, end: codeStart + call.end }));
  return items ? { items, end } : breakBlock(start, end);
}

function readJsonLines(code: string, start: number): readonly NamedCall[] | undefined {
  const calls = Array.from(code.matchAll(/\S[^\n]*/g), ({ 0: json, index }) => readJsonCalls(json, start + index));
  return calls.length > 0 && calls.every((one) => one !== undefined) ? calls.flat() : undefined;
}

/** Reads `Action: read` and, on the next line, `Action Input: {"path":"a.ts"}`. */
function readAction({ text, start }: BlockStart): RawBlock {
  const lineEnd = findLineEnd(text, start);
  const line = text.slice(start, lineEnd).trimEnd();
  const [, name = '', inBrackets, inParentheses] = REACT_ACTION.exec(line)!;
  // A list of tools has such lines, too; only with arguments in JSON below it is one a call.
  if (/^\W*Tool/.test(line) && !JSON_INPUT.test(text.slice(lineEnd, lineEnd + 200))) return { proseEnd: lineEnd };
  if (inBrackets !== undefined) return { items: [{ name, args: {}, values: [inBrackets], at: start }], end: lineEnd };
  if (inParentheses !== undefined) {
    const calls = readPythonCalls(name + inParentheses);
    return calls
      ? { items: calls.map((call) => ({ ...call, at: start, end: lineEnd })), end: lineEnd }
      : breakBlock(start, lineEnd);
  }
  const input = matchAt(REACT_INPUT, text, skipSpace(text, lineEnd));
  if (!input)
    return isEntryName(name) ? { items: [{ name, args: {}, at: start }], end: lineEnd } : breakBlock(start, lineEnd);
  const inputStart = input.index + input[0].length;
  const valueStart = skipSpace(text, inputStart);
  const jsonEnd = text.charAt(valueStart) === '{' ? findJsonEnd(text, valueStart) : -1;
  const args = jsonEnd === -1 ? undefined : parseJsonObject(text.slice(valueStart, jsonEnd));
  if (args) return { items: [{ name, args, at: start }], end: jsonEnd };
  const end = findLineEnd(text, inputStart);
  const value = text
    .slice(inputStart, end)
    .trim()
    .replace(/^(["'`])(.*)\1$/, '$2');
  if (value.startsWith('{')) return breakBlock(start, jsonEnd === -1 ? undefined : end);
  return { items: [{ name, args: {}, values: value === '' ? [] : [value], at: start }], end };
}

/** Reads `<read path="a.ts"/>` and all further ones on its line, or `<read><path>a.ts</path></read>`. */
function readElements(block: BlockStart): RawBlock {
  const { text, start, findClosing } = block;
  const [, name = '', mark] = /^<([\w.-]+)(.)/.exec(text.slice(start, findLineEnd(text, start)))!;
  const hasAttributes = mark !== '>';
  const read = hasAttributes ? readElementWithAttributes : readElementWithChildren;
  const { items, end } = readSeries(start, (at) => read(text, skipBlanks(text, at), block));
  const endsLine = skipBlanks(text, end) === findLineEnd(text, end);
  if (items.length > 0 && endsLine) return { items: items.flatMap(splitCall), end };
  if (hasAttributes) return { proseEnd: findLineEnd(text, end) };
  const closing = `</${name}>`;
  const close = findClosing(closing, start);
  if (close !== -1) return { proseEnd: findLineEnd(text, close + closing.length) };
  return block.hasArgumentBehind(start) ? breakBlock(start, undefined) : { proseEnd: findLineEnd(text, start) };
}

/** Reads results that the model invented after its own call, and everything after them. */
function readResults({ text, start: at, isAfterCall }: BlockStart): RawBlock {
  if (!isAfterCall) return { proseEnd: findLineEnd(text, at) };
  const name = ['Observation:', '✿RESULT✿'].find((one) => text.startsWith(one, at)) ?? '<function_results>';
  const describe = (line: number) => createProblem('fabricated-output', line, name, 'rest');
  return { items: [{ at, describe }], end: undefined };
}

/**
 * Creates the syntax of results that the model invented: `<tool_response …>…</tool_response>`, or `<tool_use … />` on
 * one line.
 */
function fabricatedElement(element: string): ForeignSyntax {
  const open = `<${element}`;
  const closing = `</${element}>`;
  const describe = (line: number) => createProblem('fabricated-output', line, `<${element}>`, 'tag');
  return {
    isFabricated: true,
    isStart: (line) => line.startsWith(open) && /[\s/>]/.test(line.charAt(open.length)),
    read({ text, start: at }) {
      const line = text.slice(at, findLineEnd(text, at)).trimEnd();
      const isEmpty = line.endsWith('/>') && line.indexOf('>') === line.length - 1;
      const end = isEmpty ? at + line.length : findEnd(text, at, closing);
      return { items: [{ at, describe }], end, closing };
    },
  };
}

/** Reads one call after another; `read` skips anything that may stand between two calls. */
function readSeries(start: number, read: (at: number) => ReadCall | undefined) {
  const items: ReadCall[] = [];
  let end = start;
  for (let call = read(end); call; call = read(end)) {
    items.push(call);
    ({ end } = call);
  }
  return { items, end };
}

function breakBlock(at: number, end: number | undefined): RawBlock {
  const reach = end === undefined ? 'rest' : 'tag';
  return { items: [{ at, describe: (line) => createProblem('broken-block', line, reach) }], end };
}

function breakThrough({ text, start }: BlockStart, closing: string): RawBlock {
  return breakBlock(start, findEnd(text, start, closing));
}

function findEnd(text: string, from: number, closing: string): number | undefined {
  const close = text.indexOf(closing, from);
  return close === -1 ? undefined : close + closing.length;
}
