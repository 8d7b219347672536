import { matchAt } from '../characters.ts';
import { findJsonEnd, parseJsonObject, readJsonCalls } from './json-calls.ts';
import type { NamedCall } from './translate-call.ts';

/** Marks that chat formats of models put before calls, besides `[TOOL_CALLS]` and `<|tool_call|>`. */
const START =
  /^(?:functools(?=\[)|<[|｜](?:tool[_▁]calls?[_▁][^|｜<>\n]{1,20}|action_start|START_ACTION)[|｜]>|<\|(?:start|channel)\|>[^\n]{0,60}\bto=)/;
/** What may stand before, between and behind the names and arguments of calls. */
const MARKS =
  /(?:<[|｜][^|｜<>\n]{1,40}[|｜]>|functools(?=\[)|```(?:json)?|[\s;]|(?:json|code|commentary|analysis|assistant|function)(?=[\s<]))+/y;
const NAME = /(?:to=)?([A-Za-z_][\w.-]*)(?::\d+)?(?=[\s<`{])/y;

interface MarkedCalls {
  readonly items: readonly NamedCall[];
  readonly end: number;
}

/** Returns true if a line, without surrounding blanks, begins with such a mark. */
export function beginsWithMark(line: string): boolean {
  return START.test(line);
}

/** Reads calls between the marks of a chat format; returns undefined if there are none. */
export function readMarkedCalls(text: string, start: number): MarkedCalls | undefined {
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

function skipMarks(text: string, at: number): number {
  return at + (matchAt(MARKS, text, at)?.[0].length ?? 0);
}
