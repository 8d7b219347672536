import type { PrunedText } from '../protocol/pruner.ts';
import { countCodePoints, takeFirstUnits, isWithinUnits, takeLastUnits, countUnits } from '../text-size/units.ts';
import { replaceByNotice, formatNotice } from './notice.ts';

/** Shares of the cap that the start and the end of a line get. */
const HEAD_SHARE = 13 / 20;
const TAIL_SHARE = 5 / 20;

/** Shortens a text that is one line to its start, the number of removed characters, and its end. */
export function pruneOneLine(line: string, cap: number, ref: string | undefined): PrunedText {
  const total = countCodePoints(line);
  const onlyBlanks = formatNotice('blank lines', ref);
  const whole = `${line}\n${onlyBlanks}`;
  if (isWithinUnits(whole, cap)) return { text: whole, report: { total, shown: total, indicator: onlyBlanks } };
  const usual = cutMiddle(line, ref, { head: cap * HEAD_SHARE, tail: cap * TAIL_SHARE });
  if (isWithinUnits(usual.text, cap)) return usual;
  const room = cap - countUnits(`\n${describeGap(total)}\n${describeCut(total, total, ref)}`);
  if (room <= 0) return replaceByNotice({ removed: `${total} -> 0 chars`, ref, cap, total });
  const head = (room * HEAD_SHARE) / (HEAD_SHARE + TAIL_SHARE);
  return cutMiddle(line, ref, { head, tail: room - head });
}

function cutMiddle(
  line: string,
  ref: string | undefined,
  { head, tail }: { readonly head: number; readonly tail: number },
): Required<PrunedText> {
  const start = takeFirstUnits(line, head);
  const end = takeLastUnits(line, tail);
  const total = countCodePoints(line);
  const shown = countCodePoints(start) + countCodePoints(end);
  const indicator = describeCut(total, shown, ref);
  const text = `${start}\n${describeGap(total - shown)}\n${end}\n${indicator}`;
  return { text, report: { total, shown, indicator } };
}

function describeGap(removed: number): string {
  return `… [+${removed} chars] …`;
}

function describeCut(total: number, shown: number, ref: string | undefined): string {
  return formatNotice(`${total} -> ${shown} chars`, ref);
}
