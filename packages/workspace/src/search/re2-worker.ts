import { parentPort } from 'node:worker_threads';
import { RE2JS } from 're2js';
import type { MatchRow } from './grep-query.ts';
import { RowCollector, renderMatch } from './collect-rows.ts';

/** Texts for the worker to search. The pattern is the same in every request to one worker. */
export interface Re2Request {
  readonly pattern: string;
  readonly limit: number;
  /** Maximum length of a row for code, in characters. */
  readonly width: number;
  readonly texts: readonly Uint8Array[];
}

interface Re2Text {
  readonly rows: readonly MatchRow[];
  readonly matches: number;
  readonly lines: number;
}

/** The results of the worker, text by text, or the problem with the pattern. */
export type Re2Reply = { readonly texts: readonly Re2Text[] } | { readonly problem: string };

// Only the start of longer lines is searched.
const LONGEST_LINE = 64 * 1024;

let compiled: RE2JS | undefined;

parentPort?.on('message', (request: Re2Request) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(searchBatch(request));
});

function searchBatch({ pattern, texts, ...most }: Re2Request): Re2Reply {
  try {
    compiled ??= RE2JS.compile(pattern);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  const expression = compiled;
  return { texts: texts.map((bytes) => searchText(expression, bytes, most)) };
}

function searchText(
  expression: RE2JS,
  bytes: Uint8Array,
  { limit, width }: Pick<Re2Request, 'limit' | 'width'>,
): Re2Text {
  const rows = new RowCollector(limit);
  let matches = 0;
  const lines = new TextDecoder().decode(bytes).split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [index, line] of lines.entries()) {
    const text = line.slice(0, LONGEST_LINE).replace(/\r$/, '');
    const matcher = expression.matcher(text);
    if (!matcher.find()) continue;
    matches++;
    rows.add(
      () => ({ line: index + 1, ...renderMatch(text, matcher.start(), width) }),
      () => text.replaceAll(/\d/g, ''),
    );
  }
  return { rows: rows.rows, matches, lines: lines.length };
}
