import type { ModelText } from '../protocol/model-text.ts';
import type { ParsedText } from '../protocol/tool-call.ts';
import { LineScanner } from './line-scanner.ts';
import type { ParseOptions } from './parse-options.ts';
import { ResponseWalk } from './response-walk.ts';
import { TagNames } from './tag-names.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** A text that arrives in pieces. */
interface TagParser {
  /** Takes the next piece, cut anywhere. */
  feed(chunk: string): void;
  /** The whole text taken apart, the same as if it had come in one piece. Call it once, last. */
  end(): ParsedText;
}

/**
 * Takes a text apart into calls, run blocks, problems and prose. The grammar is in grammar.md.
 *
 * Never throws; takes time in proportion to the text. Calls come in the order of the text and have not been
 * checked against any tool.
 *
 * @param options spaces and custom tools the text may name; default: none
 */
export function parse(text: ModelText, options: ParseOptions = {}): ParsedText {
  const names = new TagNames(options);
  const scanner = new LineScanner(names);
  const whole = withoutLastReturn(withLineBreaks(withoutMark(text)));
  scanner.scan(whole);
  scanner.finish();
  return new ResponseWalk(whole, scanner.marks, names).result();
}

/** Makes a parser for a text that is still being written. Feed it only what a model or a person says. */
export function createTagParser(options: ParseOptions = {}): TagParser {
  const names = new TagNames(options);
  const scanner = new LineScanner(names);
  const segments: string[] = [];
  let unfinished: string[] = [];

  function scan(lines: string): void {
    const segment = withLineBreaks(segments.length === 0 ? withoutMark(lines) : lines);
    scanner.scan(segment);
    segments.push(segment);
  }

  return {
    feed(chunk) {
      const end = chunk.lastIndexOf('\n') + 1;
      if (end > 0) {
        scan(unfinished.join('') + chunk.slice(0, end));
        unfinished = [];
      }
      unfinished.push(chunk.slice(end));
    },
    end() {
      scan(withoutLastReturn(unfinished.join('')));
      scanner.finish();
      return new ResponseWalk(segments.join(''), scanner.marks, names).result();
    },
  };
}

/** Makes every line end with `\n` alone. */
function withLineBreaks(segment: string): string {
  return segment.includes('\r') ? segment.replaceAll('\r\n', '\n') : segment;
}

/** A text without the byte order mark it may begin with. */
function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function withoutLastReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
