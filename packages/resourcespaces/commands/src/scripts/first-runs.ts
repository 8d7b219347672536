import { formatQuantity } from '@bae/workspace';

/** Most new lines that are listed although they are more than half of the output. */
const MOST_NEWS = 20;

/** The end of a check. */
export interface CheckRun {
  /** Identifies the check in its project. */
  readonly key: string;
  /** Null when it was stopped. */
  readonly code: number | null;
  readonly output: string;
  /** The files that it looked at; absent for all of them. */
  readonly files?: readonly string[];
}

interface FirstRun extends CheckRun {
  readonly isBeforeChanges: boolean;
}

/** How a run of a check differs from its first one. */
export interface Comparison {
  readonly comparison: string;
  /** Lines of the output that were not there before. */
  readonly news: readonly string[];
  /** For a failure: true if it was there before the session changed anything. Absent if that is not known. */
  readonly isOlder?: boolean;
}

/** The first runs of the checks in a session, which later ones are compared with. */
export class FirstRuns {
  readonly #runs = new Map<string, FirstRun>();

  /** Compares a run with the first one that looked at all of its files; a run that has none is the first one. */
  compare(run: CheckRun, isBeforeChanges: boolean): Comparison {
    const first = this.#runs.get(run.key);
    if (first === undefined || !looksAtNoMoreThan(run, first)) {
      this.#runs.set(run.key, { ...run, isBeforeChanges });
      return { comparison: '', news: [], ...(isBeforeChanges && { isOlder: true }) };
    }
    const known = first.isBeforeChanges ? { isOlder: first.code !== 0 } : {};
    if (first.code === 0 && run.code !== 0) return { comparison: ', passed before', news: [], ...known };
    if (run.code === 0) {
      // What failed before may be in files that were not looked at now.
      const isFixed = first.code !== 0 && looksAtNoMoreThan(first, run);
      return { comparison: isFixed ? ', failed before' : '', news: [], ...known };
    }
    const news = listNewLines(first.output, run.output);
    const isOlder = first.isBeforeChanges ? { isOlder: news.length === 0 } : {};
    if (news.length === 0) return { comparison: ', failed before in the same way', news, ...isOlder };
    // Of commands that run one after the other, another one failed: what it printed is all new.
    if (news.length > MOST_NEWS && news.length > run.output.split('\n').length / 2)
      return { comparison: ', failed before in another way', news: [], ...isOlder };
    const what = news.length === 1 ? '1 line is new' : `${news.length} lines are new`;
    return { comparison: `, failed before; ${what}`, news, ...isOlder };
  }
}

/** Tests whether one run looked at no other files than another. */
function looksAtNoMoreThan({ files: inner }: CheckRun, { files: outer }: CheckRun): boolean {
  return outer === undefined || (inner !== undefined && inner.every((path) => outer.includes(path)));
}

/** Renders `2 failures, both there before you`; without the rest if it is not known how it was. */
export function countFailures(failed: readonly Comparison[]): string {
  const count = formatQuantity(failed.length, 'failure');
  if (failed.some(({ isOlder }) => isOlder === undefined)) return count;
  const older = failed.filter(({ isOlder }) => isOlder).length;
  if (older === 0) return `${count}, not there before you`;
  if (older < failed.length) return `${count}, ${older} of them there before you`;
  return `${count}, ${['', 'both ', 'all '][Math.min(older, 3) - 1]}there before you`;
}

/**
 * Lists the lines of an output that an earlier one does not have, ignoring numbers, because positions and times change,
 * and lines that only count, which differ for one and for several.
 */
function listNewLines(before: string, after: string): readonly string[] {
  const known = new Set(before.split('\n').map(stripNumbers));
  return after.split('\n').filter((line) => !known.has(stripNumbers(line)) && !COUNT.test(line));
}

const COUNT = /(?<![\d.:])\d+ (?:file|error|warning|problem)s?\b|\bissues found in (?:the )?above /;

function stripNumbers(line: string): string {
  return line.replaceAll(/\d+(?:\.\d+)?/g, '0').trim();
}
