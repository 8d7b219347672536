import type { TagNames } from '../names.ts';
import { isForeignName } from './translate-call.ts';
import { WRAPPERS } from './wrapped-calls.ts';

type Range = readonly [start: number, end: number];

/** Matches an opening tag at the start of a line, or a closing tag. */
const TAGS = /^[ \t]*<([A-Za-z_][\w:.-]*)(?:\s[^<>]*)?>|<\/([A-Za-z_][\w:.-]*)\s*>/gm;

/** Elements in which a whole answer may stand, so that what they hold is still an answer. */
const ANSWERS = /^(?:answer|response|output|assistant|message|step|final|tools|calls|actions|plan)$/i;

/** Tags of the protocol that have closing tags; `<w:p>` is an element of Word. */
const OWN_TAG = /^(?:W|E|[Ww]rite|[Ee]dit):/;

/**
 * Finds the elements of a text that are markup, from tag to closing tag, in order and without overlaps: what looks like
 * a call inside them is part of their document. Takes time in proportion to the length of the text.
 */
export function findXmlDocuments(text: string, names: TagNames): readonly Range[] {
  const found: Range[] = [];
  const open = new Map<string, number[]>();
  for (const { index, 0: tag, 1: opened, 2: closed = '' } of text.matchAll(TAGS)) {
    if (opened === undefined) {
      const start = open.get(closed)?.pop();
      if (start !== undefined) found.push([start, index + tag.length]);
    } else if (!tag.endsWith('/>') && !isCallOrAnswer(opened, names)) {
      const starts = open.get(opened);
      if (starts) starts.push(index);
      else open.set(opened, [index]);
    }
  }
  return mergeRanges(found);
}

function isCallOrAnswer(element: string, names: TagNames): boolean {
  return ANSWERS.test(element) || WRAPPERS.has(element) || OWN_TAG.test(element) || isForeignName(element, names);
}

/** Returns true if an offset is inside one of the documents. */
export function isInDocument(documents: readonly Range[], at: number): boolean {
  let [low, high] = [0, documents.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (documents[middle]![1] <= at) low = middle + 1;
    else high = middle;
  }
  return low < documents.length && documents[low]![0] < at;
}

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: [number, number][] = [];
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
