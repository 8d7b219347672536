import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import glob from 'fast-glob';

const ROOT = new URL('../..', import.meta.url).pathname;
const LARGEST_FILE = 1_000_000;
const TEXTS = '*.{md,txt,ts,mts,cts,tsx,js,mjs,cjs,json,jsonl,yaml,yml,html,py}';

/** Files of this repository that show how calls are written. */
const SHOWS_CALLS = /<\/?(?:[\w-]+\.)?(?:r|w|e|g|read|write|edit|glob|grep|help|run)[:>]|@\w+\(\)|"(?:name|tool)"/i;

/** A file of the corpus. */
export interface CorpusText {
  /** Its path from the repository's root. */
  readonly path: string;
  readonly text: string;
}

/**
 * Prose and source that nobody wrote as calls: the installed packages, and what there is in the repository without
 * examples of calls. The same lockfile gives the same texts; few of them are as mixed as all.
 *
 * @param size characters after which there is enough
 */
export function readCorpus(size: number): readonly CorpusText[] {
  const files = glob.sync(
    [`node_modules/.pnpm/*/node_modules/**/${TEXTS}`, `{apps,docs,examples,packages,tests}/**/${TEXTS}`, '*.md'],
    {
      cwd: ROOT,
      ignore: ['**/node_modules/@bae/**', '{apps,examples,packages,tests}/**/{dist,node_modules}/**'],
      followSymbolicLinks: false,
    },
  );
  const mixed = files.map((path) => ({ path, order: createHash('sha1').update(path).digest('hex') }));
  const corpus: CorpusText[] = [];
  let length = 0;
  for (const { path } of mixed.toSorted((a, b) => (a.order < b.order ? -1 : 1))) {
    if (length >= size) break;
    if (statSync(ROOT + path).size > LARGEST_FILE) continue;
    const text = readFileSync(ROOT + path, 'utf8');
    if (!path.startsWith('node_modules/') && SHOWS_CALLS.test(text)) continue;
    corpus.push({ path, text });
    length += text.length;
  }
  return corpus;
}
