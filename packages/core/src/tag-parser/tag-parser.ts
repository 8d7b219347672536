import { asModelText } from '../protocol/model.ts';
import type { ParsedText } from '../protocol/tool-call.ts';
import type { ParseOptions } from './names.ts';
import { parse } from './parse.ts';

/** Parser for a text that arrives in pieces. */
export interface TagParser {
  /** Adds the next piece, which may be cut anywhere. Pass it only text that a model or a person writes. */
  feed(chunk: string): void;
  /** Parses the whole text, with the same result as if it had arrived in one piece. Call it once, at the end. */
  end(): ParsedText;
}

/** Creates a parser for a text that is still being written. */
export function createTagParser(options: ParseOptions = {}): TagParser {
  const chunks: string[] = [];
  return {
    feed: (chunk) => void chunks.push(chunk),
    end: () => parse(asModelText(chunks.join('')), options),
  };
}
