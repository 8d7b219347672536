import type { PrunedText } from '../protocol/pruner.ts';
import { countCodePoints, countUnits, isWithinUnits, takeFirstUnits, takeLastUnits } from '../text-size/units.ts';
import { formatNotice, replaceByNotice, type PruneLimits } from './notice.ts';

/** Shares of the cap that the start and the end of a line get. */
const HEAD_SHARE = 13 / 20;
const TAIL_SHARE = 5 / 20;

/** Shortens a text that is one line to its start, the number of removed characters, and its end. */
export function pruneOneLine(line: string, limits: PruneLimits): PrunedText {
  const { cap, ref } = limits;
  const total = countCodePoints(line);
  const onlyBlanks = formatNotice('blank lines', ref);
  const whole = `${line}\n${onlyBlanks}`;
  if (isWithinUnits(whole, cap)) return { text: whole, report: { total, shown: total, indicator: onlyBlanks } };
  const cutMiddle = (headUnits: number, tailUnits: number) => {
    const start = takeFirstUnits(line, headUnits);
    const end = takeLastUnits(line, tailUnits);
    const shown = countCodePoints(start) + countCodePoints(end);
    const indicator = formatNotice(`${total} -> ${shown} chars`, ref);
    return {
      text: `${start}\n${describeGap(total - shown)}\n${end}\n${indicator}`,
      report: { total, shown, indicator },
    };
  };
  const usual = cutMiddle(cap * HEAD_SHARE, cap * TAIL_SHARE);
  if (isWithinUnits(usual.text, cap)) return usual;
  const longestNotice = formatNotice(`${total} -> ${total} chars`, ref);
  const room = cap - countUnits(`\n${describeGap(total)}\n${longestNotice}`);
  if (room <= 0) return replaceByNotice(`${total} -> 0 chars`, total, limits);
  const head = (room * HEAD_SHARE) / (HEAD_SHARE + TAIL_SHARE);
  return cutMiddle(head, room - head);
}

function describeGap(removed: number): string {
  return `… [+${removed} chars] …`;
}
