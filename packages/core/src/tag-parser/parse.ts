import { asModelText, type ModelText } from '../protocol/model-text.ts';
import type { ParsedText } from '../protocol/tool-call.ts';
import { TagNames, type ParseOptions } from './names.ts';
import { scanLines } from './scan.ts';
import { ResponseWalk } from './walk.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** A text that arrives in pieces. */
export interface TagParser {
  /** Takes the next piece, cut anywhere. */
  feed(chunk: string): void;
  /** Parses the whole text, with the same result as in one piece. Call it once, last. */
  end(): ParsedText;
}

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

/** Makes a parser for a text that is still being written. Feed it only what a model or a person writes. */
export function createTagParser(options: ParseOptions = {}): TagParser {
  const chunks: string[] = [];
  return {
    feed: (chunk) => void chunks.push(chunk),
    end: () => parse(asModelText(chunks.join('')), options),
  };
}

function normalizeLineEnds(text: string): string {
  if (!text.includes('\r')) return text;
  const lines = text.replaceAll('\r\n', '\n');
  return lines.endsWith('\r') ? lines.slice(0, -1) : lines;
}
