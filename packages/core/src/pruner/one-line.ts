import type { PrunedText } from '../protocol/pruner.ts';
import { codePoints, firstUnits, fits, lastUnits, units } from '../text-size/units.ts';
import { onlyNotice } from './only-notice.ts';
import { pruningNotice } from './pruning-notice.ts';

/** Shares of the cap that the beginning and the end of a line get. */
const HEAD_SHARE = 13 / 20;
const TAIL_SHARE = 5 / 20;

interface Cut {
  readonly cap: number;
  readonly ref: string | undefined;
}

/** Shortens a text that is one line: its beginning, how many characters went, and its end. */
export function pruneOneLine(line: string, { cap, ref }: Cut): PrunedText {
  const total = codePoints(line);
  const blankLinesGone = pruningNotice('blank lines', ref);
  const whole = `${line}\n${blankLinesGone}`;
  if (fits(whole, cap)) return { text: whole, report: { total, shown: total, indicator: blankLinesGone } };
  const usual = cutMiddle(line, { total, ref, head: cap * HEAD_SHARE, tail: cap * TAIL_SHARE });
  if (fits(usual.text, cap)) return usual;
  const room = cap - units(`\n${gap(total)}\n${notice(total, total, ref)}`);
  if (room <= 0) return onlyNotice({ what: `${total} -> 0 chars`, ref, cap, total });
  const head = (room * HEAD_SHARE) / (HEAD_SHARE + TAIL_SHARE);
  return cutMiddle(line, { total, ref, head, tail: room - head });
}

interface Parts {
  readonly total: number;
  readonly ref: string | undefined;
  readonly head: number;
  readonly tail: number;
}

function cutMiddle(line: string, { total, ref, head, tail }: Parts): PrunedText {
  const beginning = firstUnits(line, head);
  const end = lastUnits(line, tail);
  const shown = codePoints(beginning) + codePoints(end);
  const indicator = notice(total, shown, ref);
  const text = `${beginning}\n${gap(total - shown)}\n${end}\n${indicator}`;
  return { text, report: { total, shown, indicator } };
}

function gap(removed: number): string {
  return `… [+${removed} chars] …`;
}

function notice(total: number, shown: number, ref: string | undefined): string {
  return pruningNotice(`${total} -> ${shown} chars`, ref);
}
