import { findLineEnd, matchAt, skipSpace } from '../characters.ts';
import { findJsonEnd, parseJsonObject, readJsonCalls } from './json-calls.ts';
import { readPythonCalls } from './python-calls.ts';
import type { BlockStart, NamedCall } from './translate-call.ts';

/** Pairs of marks around calls, as JSON or in Python: of LFM, Llama 4, Nemotron, and of Gemma in its own syntax. */
const ENCLOSURES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '<|tool_call_start|>': '<|tool_call_end|>',
    '<|python_start|>': '<|python_end|>',
    '<TOOLCALL>': '</TOOLCALL>',
    '<start_function_call>': '<end_function_call>',
    '<|tool_call>': '<tool_call|>',
  }),
);
const ENCLOSURE = /<(?:\|tool_call_start\|>|\|python_start\|>|TOOLCALL>|start_function_call>|\|tool_call>)/y;
/** Marks that chat formats of models put before calls, besides `[TOOL_CALLS]` and `<|tool_call|>`. */
const START =
  /^(?:functools(?=\[)|✿FUNCTION✿|<[|｜](?:tool[_▁]calls?[_▁][^|｜<>\n]{1,20}|action_start|START_ACTION)[|｜]>|<\|(?:start|channel)\|>[^\n]{0,60}\bto=)/;
/** What may stand before, between and behind the names and arguments of calls. */
const MARKS =
  /(?:<[|｜][^|｜<>\n]{1,40}[|｜]>|✿(?:FUNCTION|ARGS)✿:?|functools(?=\[)|```(?:json)?|[\s;]|(?:json|code|commentary|analysis|assistant|function)(?=[\s<]))+/y;
const NAME = /(?:to=)?([A-Za-z_][\w.-]*)(?::\d+)?(?=[\s<`{✿])/y;
/** `call:read{path:<escape>a.ts<escape>}`. */
const GEMMA_CALL = /^\s*call[:\s]\s*([\w.-]+)\s*(\{[^]*\})\s*$/;
const GEMMA_QUOTE = /<escape>|<\|"\|>/;
const BARE_KEY = /([{,]\s*)([A-Za-z_][\w-]*)(?=\s*:)/g;

interface MarkedCalls {
  readonly items: readonly NamedCall[];
  readonly end: number;
}

/** Returns true if a line, without surrounding blanks, begins with such a mark. */
export function beginsWithMark(line: string): boolean {
  return START.test(line) || matchAt(ENCLOSURE, line, 0) !== null;
}

/** Reads calls between the marks of a chat format; returns undefined if there are none. */
export function readMarkedCalls({ text, start, findClosing }: BlockStart): MarkedCalls | undefined {
  if (matchAt(ENCLOSURE, text, start)) return readEnclosures(text, start, findClosing);
  const items: NamedCall[] = [];
  let end = start;
  for (let at = skipMarks(text, start); at < text.length; at = skipMarks(text, end)) {
    const name = matchAt(NAME, text, at);
    const jsonStart = name ? skipMarks(text, at + name[0].length) : at;
    const jsonEnd = /[{[]/.test(text.charAt(jsonStart)) ? findJsonEnd(text, jsonStart) : -1;
    if (jsonEnd === -1) break;
    const json = text.slice(jsonStart, jsonEnd);
    const args = name ? parseJsonObject(json) : undefined;
    const found = name ? args && [{ name: name[1]!, args, at: start }] : readJsonCalls(json, start);
    if (!found) break;
    items.push(...found);
    end = jsonEnd;
  }
  const marksEnd = text.slice(start, skipMarks(text, end)).trimEnd().length;
  return items.length === 0 ? undefined : { items, end: start + marksEnd };
}

/** Reads one pair of marks after another, with the calls between them. */
function readEnclosures(text: string, start: number, findClosing: BlockStart['findClosing']): MarkedCalls | undefined {
  const items: NamedCall[] = [];
  let end = start;
  for (let open = matchAt(ENCLOSURE, text, start); open; open = matchAt(ENCLOSURE, text, skipSpace(text, end))) {
    const from = open.index + open[0].length;
    const closing = ENCLOSURES.get(open[0])!;
    const close = findClosing(closing, from);
    const next = text.indexOf(open[0], from);
    // The last mark may end the response, and not be sent.
    const isOpen = close === -1 || (next !== -1 && next < close);
    const contentEnd = isOpen ? findLineEnd(text, from) : close;
    const content = text.slice(from, contentEnd);
    const calls = readJsonCalls(content, start) ?? readPythonCalls(content) ?? readGemmaCall(content);
    if (!calls) break;
    end = isOpen ? contentEnd : close + closing.length;
    for (const { end: _, ...call } of calls) items.push({ ...call, at: open.index, source: content.trim() });
  }
  return items.length === 0 ? undefined : { items, end };
}

/** Reads a call whose names have no quotes, and whose texts stand between marks instead. */
function readGemmaCall(content: string): readonly NamedCall[] | undefined {
  const [, name, object] = GEMMA_CALL.exec(content) ?? [];
  if (name === undefined || object === undefined) return undefined;
  const parts = object.split(GEMMA_QUOTE);
  const json = parts.map((part, index) => (index % 2 === 1 ? JSON.stringify(part) : part.replace(BARE_KEY, '$1"$2"')));
  const args = parseJsonObject(json.join(''));
  return args && [{ name, args, at: 0 }];
}

function skipMarks(text: string, at: number): number {
  return at + (matchAt(MARKS, text, at)?.[0].length ?? 0);
}
