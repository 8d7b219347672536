import type { ModelText } from '../protocol/model-text.ts';
import type { ParsedText } from '../protocol/tool-call.ts';
import { TagNames, type ParseOptions } from './names.ts';
import { scanLines } from './scan.ts';
import { ResponseWalk } from './walk.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Parses a text into calls, run blocks, problems and prose. The grammar is in grammar.md.
 *
 * Never throws; takes time in proportion to the text. Calls are in the order of the text and have not been
 * checked against any tool.
 *
 * @param options spaces and custom tools the text may name; default: none
 */
export function parse(text: ModelText, options: ParseOptions = {}): ParsedText {
  const names = new TagNames(options);
  const normalized = normalizeLineEnds(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  return new ResponseWalk(normalized, scanLines(normalized, names), names).run();
}

function normalizeLineEnds(text: string): string {
  if (!text.includes('\r')) return text;
  const lines = text.replaceAll('\r\n', '\n');
  return lines.endsWith('\r') ? lines.slice(0, -1) : lines;
}
