import { parentPort } from 'node:worker_threads';
import { RE2JS } from 're2js';
import type { FoundRow } from './found-file.ts';
import { isBinary } from './is-binary.ts';
import type { Re2Request, Re2Reply } from './re2-message.ts';
import { matchTexts } from './match-text.ts';

// Lines longer than this are searched in their first part only.
const LONGEST_LINE = 64 * 1024;

let compiled: RE2JS | undefined;

parentPort?.on('message', (request: Re2Request) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  parentPort?.postMessage(answer(request));
});

function answer({ pattern, files, ...most }: Re2Request): Re2Reply {
  try {
    compiled ??= RE2JS.compile(pattern);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  const expression = compiled;
  return { files: files.map((bytes) => searchFile(expression, bytes, most)) };
}

type Most = Pick<Re2Request, 'limit' | 'width'>;

function searchFile(expression: RE2JS, bytes: Uint8Array, { limit, width }: Most) {
  const rows: FoundRow[] = [];
  let matches = 0;
  if (isBinary(bytes)) return { rows, matches };
  const lines = new TextDecoder().decode(bytes).split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [index, line] of lines.entries()) {
    const text = line.slice(0, LONGEST_LINE).replace(/\r$/, '');
    const matcher = expression.matcher(text);
    if (!matcher.find()) continue;
    matches++;
    if (rows.length < limit) rows.push({ line: index + 1, ...matchTexts(text, matcher.start(), width) });
  }
  return { rows, matches };
}
