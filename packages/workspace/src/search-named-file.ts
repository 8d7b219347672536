import { withoutMark } from './byte-order-mark.ts';
import { chunksOf } from './file-chunks.ts';
import { ROW_OPTIONS } from './first-rows.ts';
import { rowsNeeded, rowWidth } from './row-limits.ts';
import { isBinary } from './is-binary.ts';
import type { Matches } from './match-collector.ts';
import { openFile } from './open-file.ts';
import type { Place } from './place.ts';
import { runEngine, type RipgrepEngine } from './ripgrep-engine.ts';
import { RipgrepRows } from './ripgrep-rows.ts';
import { ShorterLines } from './shorter-lines.ts';

/** Searches one file of any size, which passes by in pieces. */
export async function searchNamedFile(
  engine: RipgrepEngine,
  place: Place,
): Promise<Matches & { readonly withheld: number }> {
  const { query } = engine.job;
  const read = (options: readonly string[], onOutput: (bytes: Buffer) => void) =>
    runEngine(engine, { options: [...ROW_OPTIONS, ...options], paths: ['-'], input: contentOf(place), onOutput });
  let count = '';
  await read(['--count'], (bytes) => (count += bytes.toString('latin1')));
  const matches = Number(count);
  const rows = new RipgrepRows(rowWidth(query, matches));
  if (matches > 0) await read([`--max-count=${rowsNeeded(query, matches)}`], (bytes) => rows.take(bytes));
  const shown = matches === 0 ? [] : [{ path: place.path, matches, rows: rows.rows }];
  return { shown, matches, files: shown.length, searched: 1, withheld: 0 };
}

/** A file's text, without the mark at its beginning; nothing of a binary file. */
async function* contentOf(place: Place): AsyncGenerator<Uint8Array> {
  await using file = await openFile(place);
  const lines = new ShorterLines();
  let isFirst = true;
  for await (const chunk of chunksOf(file)) {
    if (isFirst && isBinary(chunk)) return;
    // Copied, because the next piece comes into the same memory.
    const bytes = Buffer.from(chunk);
    yield* lines.take(isFirst ? withoutMark(bytes) : bytes);
    isFirst = false;
  }
}
