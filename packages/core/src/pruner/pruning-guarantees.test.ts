import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PruneOptions } from '../protocol/tool-result.ts';
import { countCodePoints, countUnits } from '../text-size/text-size.ts';
import { prune } from './prune.ts';

const line = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 4, arbitrary: fc.constantFrom('', '', '  ', '---', '=====', '| a | b |', '|---|---|', '…', '\r') },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 7 }), fc.string()).map(([n, t]) => `${'#'.repeat(n)} ${t}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('x', 'é', '語', '😀', '\ud800', '# '), fc.integer({ min: 1, max: 900 }))
      .map(([unit, count]) => unit.repeat(count)),
  },
);
const text = fc
  .tuple(fc.array(line, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), fc.constantFrom('\n', '\r\n'))
  .map(([lines, times, end]) => Array.from({ length: times }, () => lines.join(end)).join(end));
const options: fc.Arbitrary<PruneOptions> = fc.record(
  {
    cap: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 5000 })),
    format: fc.constantFrom('markdown' as const, 'code' as const, 'plain' as const),
    ref: fc.oneof(
      fc.constant('result:12'),
      fc.integer({ min: 0, max: 150 }).map((count) => 'r'.repeat(count)),
    ),
  },
  { requiredKeys: ['cap'] },
);
const checked = (property: (text: string, options: PruneOptions) => void) =>
  fc.assert(fc.property(text, options, property), { numRuns: 400 });

describe('prune, for any text, cap, format and handle', () => {
  it('stays within the cap', () => {
    checked((source, how) => {
      expect(countUnits(prune(source, how).text)).toBeLessThanOrEqual(how.cap!);
    });
  });

  it('changes nothing the second time, and nothing that is within the cap', () => {
    checked((source, how) => {
      const once = prune(source, how);
      expect(prune(once.text, how)).toEqual({ text: once.text });
      expect(once.report === undefined).toBe(countUnits(source) <= how.cap!);
      if (once.report === undefined) expect(once.text).toBe(source);
    });
  });

  it('gives the same result every time', () => {
    checked((source, how) => {
      expect(prune(source, how)).toEqual(prune(source, how));
    });
  });

  it('never cuts a code point in two', () => {
    const whole = text.filter((source) => source.isWellFormed());
    const property = fc.property(whole, options, (source, how) => {
      expect(prune(source, how).text.isWellFormed()).toBe(true);
    });
    fc.assert(property);
  });

  it('shows lines of the text, in their order, at most clipped', () => {
    checked((source, how) => {
      const { text: output, report } = prune(source, how);
      const lines = source.split('\n').map((one) => one.replace(/\r$/, ''));
      const severalLines = lines.filter((one) => one.trim() !== '').length > 1;
      if (report === undefined || !severalLines) return;
      expect(output.endsWith(report.indicator)).toBe(true);
      let from = 0;
      for (const shown of output.split('\n').slice(0, -1)) {
        const found = lines.findIndex((one, index) => index >= from && (one === shown || isClipped(one, shown)));
        if (found === -1) expect(['', '…']).toContain(shown);
        else if (shown !== '') from = found + 1;
      }
    });
  });

  it('reports as many items as it shows', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 2, maxLength: 300 });
    const caps = fc.integer({ min: 300, max: 1500 });
    const property = fc.property(words, caps, (items, cap) => {
      const { text: output, report } = prune(items.join('\n'), { cap });
      if (report === undefined) return;
      const shown = output.split('\n').filter((one) => /^[a-z]/.test(one)).length;
      expect(report).toMatchObject({ total: items.length, shown });
    });
    fc.assert(property);
  });
});

function isClipped(whole: string, shown: string): boolean {
  const note = /… \[\+(\d+) chars\]$/.exec(shown);
  if (note === null) return false;
  const beginning = shown.slice(0, note.index);
  return whole.startsWith(beginning) && countCodePoints(whole) - countCodePoints(beginning) === Number(note[1]);
}
