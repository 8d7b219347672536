import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextFormat } from '../protocol/tool-definition.ts';
import { structuralPruner } from '../pruner/structural-pruner.ts';
import { createMemoryResults, readResult } from '../results/kept-results.ts';

/** Reads the page that a tag names and all that follow it. */
function readOn(text: string, address: string): string {
  const store = createMemoryResults();
  store.keep(text);
  const bodies: string[] = [];
  for (let next: string | undefined = address; next !== undefined;) {
    const page: string = readResult(store, next, 50).text;
    const [footer, following]: readonly (string | undefined)[] =
      /\n\[(?:line|lines|\d+ of) [^\n]*?(?:; next: <R:([^>]+)>)?\]$/.exec(page) ?? [];
    bodies.push(footer === undefined ? page : page.slice(0, -footer.length));
    next = following;
  }
  return bodies.join('\n');
}

const KINDS: readonly (readonly [TextFormat, (n: number, word: string) => string])[] = [
  ['markdown', (n, word) => (n % 17 === 3 ? `## ${word} ${n}` : `- ${word} ${n}`)],
  ['plain', (n, word) => `${word} ${n}`],
  ['code', (n, word) => (n % 9 === 0 ? `export function ${word}${n}() {` : `  ${word}(${n});`)],
  ['log', (n, word) => (n % 31 === 7 ? `ERROR ${word} of ${n}` : `INFO ${word} ${n}`)],
  ['csv', (n, word) => `${n},${word},${n * 2}`],
  ['rows', (n, word) => `src/${word}.ts:${n}: const found${n} = search(${n});`],
  ['printed', (n, word) => `${word} ${n}`],
];

describe('the tag for the rest of a result that was cut', () => {
  it.each(KINDS)('begins and ends with what is missing, and leads to every line once: %s', (format, line) => {
    const texts = fc
      .tuple(fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 60, maxLength: 400 }), fc.nat(3))
      .map(([words, blanks]) => '\n'.repeat(blanks) + words.map((word, n) => line(n, word)).join('\n'));
    let offered = 0;
    const property = fc.property(texts, fc.integer({ min: 400, max: 1500 }), (text, cap) => {
      const { text: cut, report } = structuralPruner.prune(text, { cap, ref: 'result:1', format });
      const [, named] = /(?:rest|left out): <R:result:1:([\d,-]+)>/.exec(report?.indicator ?? '') ?? [];
      if (named === undefined) return;
      offered++;
      const lines = text.split('\n');
      let path = '';
      const shown = cut.split('\n').map((one) => {
        path = /^(\S+):\d+: /.exec(one)?.[1] ?? path;
        return one.replace(/^ {2}(?=\d+: )/, `${path}:`).replace(/ \[\+\d+ rows?: [\d-]+\]$/, '');
      });
      const isShown = (line: string) =>
        shown.some(
          (one) =>
            one === line || one.endsWith(`: ${line}`) || (/.{20}…$/.test(one) && line.startsWith(one.slice(0, -1))),
        );
      const ranges = named.split(',').map((range) => range.split('-').map(Number) as [first: number, last?: number]);
      const ends = ranges.flatMap(([first, last = first]) => [lines[first - 1]!, lines[last - 1]!]);
      expect(ends.filter((one) => one.trim() !== '' && isShown(one))).toEqual([]);
      const isInside = (index: number) => ranges.some(([first, last = first]) => index >= first && index <= last);
      const outside = lines.filter((_, index) => !isInside(index + 1));
      expect(outside.filter((one) => one.trim() !== '' && !isShown(one))).toEqual([]);
      const [[first]] = ranges as [[number]];
      const rest = ranges.length === 1 ? lines.slice(first - 1) : lines.filter((_, index) => isInside(index + 1));
      expect(readOn(text, `result:1:${named}`)).toBe(rest.join('\n'));
    });
    fc.assert(property, { numRuns: 30, endOnFailure: true });
    expect(offered).toBeGreaterThan(0);
  });

  it('shows the middle of a text of one line', () => {
    const text = `\n${'abcdefghij'.repeat(500)}`;
    const { text: cut } = structuralPruner.prune(text, { cap: 600, ref: 'result:1' });
    const [head = ''] = cut.split('\n', 1);
    const [, address = ''] = /; rest: <R:(result:1:2@\d+)>; full: <R:result:1>\]$/.exec(cut) ?? [];
    expect(text.slice(1).startsWith(head)).toBe(true);
    const store = createMemoryResults();
    store.keep(text);
    expect(readResult(store, address).text.startsWith(text.slice(1 + head.length, 3000))).toBe(true);
  });
});
