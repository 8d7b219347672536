import { jsonObjectEnd } from './json-object-end.ts';

/** A part of the text in somebody else's call syntax. */
interface ForeignBlock {
  /** What stands between the two tags. */
  readonly content: string;
  /** Offset behind the closing tag. */
  readonly end: number;
}

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

/**
 * Reads `<tool_call>…</tool_call>` from an offset on; undefined when nothing closes it.
 *
 * A closing tag inside a string of the JSON does not count.
 */
export function readToolCall(text: string, start: number): ForeignBlock | undefined {
  const from = start + OPEN.length;
  const jsonStart = skipSpace(text, from);
  const jsonEnd = jsonObjectEnd(text, jsonStart);
  const close = jsonEnd === -1 ? -1 : skipSpace(text, jsonEnd);
  const end = close !== -1 && text.startsWith(CLOSE, close) ? close : text.indexOf(CLOSE, from);
  return end === -1 ? undefined : { content: text.slice(from, end), end: end + CLOSE.length };
}

/** Reads `<tool_response …>…</tool_response>`, or `<tool_use … />` on one line. */
export function readFabricated(text: string, start: number, name: string): ForeignBlock | undefined {
  const lineEnd = text.indexOf('\n', start);
  const line = text.slice(start, lineEnd === -1 ? undefined : lineEnd).trimEnd();
  if (line.endsWith('/>') && line.indexOf('>') === line.length - 1) return { content: '', end: start + line.length };
  const close = text.indexOf(`</${name}>`, start);
  return close === -1 ? undefined : { content: '', end: close + name.length + 3 };
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && ' \t\r\n'.includes(text.charAt(index))) index++;
  return index;
}
