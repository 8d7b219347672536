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
      /\n\[(?:line|lines) [^\n]*?(?:; next: <R:([^>]+)>)?\]$/.exec(page) ?? [];
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
      const [, first, last] = /(?:rest|left out): <R:result:1:(\d+)-(\d+)>/.exec(report?.indicator ?? '') ?? [];
      if (first === undefined) return;
      offered++;
      const lines = text.split('\n');
      const isShown = (one: string) => cut.split('\n').some((shown) => shown === one || shown.endsWith(`: ${one}`));
      expect([lines[Number(first) - 1]!, lines[Number(last) - 1]!].filter(isShown)).toEqual([]);
      const outside = [...lines.slice(0, Number(first) - 1), ...lines.slice(Number(last))];
      expect(outside.filter((one) => one.trim() !== '' && !isShown(one))).toEqual([]);
      expect(readOn(text, `result:1:${first}-${last}`)).toBe(lines.slice(Number(first) - 1).join('\n'));
    });
    fc.assert(property, { numRuns: 30 });
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
