import { describe, expect, it } from 'vitest';
import { ERROR_VALVE } from '../protocol/limits.ts';
import { structuralPruner } from '../pruner/structural-pruner.ts';
import { createMemoryResults } from '../results/kept-results.ts';
import { countUnits } from '../text-size/text-size.ts';
import { limitResult, limitWhole } from './render-result.ts';

const rows = Array.from({ length: 200 }, (_, row) => `line ${row}: some content here`).join('\n');

function fitting(cap = 2000) {
  return { pruner: structuralPruner, results: createMemoryResults(), cap };
}

describe('boundAnswer', () => {
  it('leaves a result of at most the cap and a tenth alone and keeps nothing', () => {
    const ports = fitting();
    const text = 'some words '.repeat(230);
    expect(limitResult({ text }, ports)).toEqual({ text });
    expect(ports.results.get('result:1')).toBeUndefined();
  });

  it('prunes a longer one, and names the handle of the whole', () => {
    const ports = fitting();
    const fitted = limitResult({ text: rows }, ports);
    expect(fitted.text.endsWith('; full: <R:result:1>]')).toBe(true);
    expect(countUnits(fitted.text)).toBeLessThanOrEqual(2000);
    expect(fitted).toMatchObject({ ref: 'result:1', pruned: { total: 200 } });
    expect(ports.results.get('result:1')).toBe(rows);
  });

  it('obeys the cap it is given', () => {
    expect(countUnits(limitResult({ text: rows }, fitting(400)).text)).toBeLessThanOrEqual(400);
  });

  it('hands the format to the pruner', () => {
    const text = Array.from({ length: 300 }, (_, row) => `# heading or comment ${row}`).join('\n');
    const as = (format: 'code' | 'markdown') =>
      limitResult({ text: `${text}\n${rows}\n${rows}`, format }, fitting()).text;
    expect(as('code')).not.toBe(as('markdown'));
  });

  it('never touches a page', () => {
    expect(limitResult({ text: rows, paged: true }, fitting())).toEqual({ text: rows });
  });

  it('names no handle when the pruner leaves the text whole', () => {
    const ports = { ...fitting(), pruner: { prune: (text: string) => ({ text }) } };
    expect(limitResult({ text: rows }, ports)).toEqual({ text: rows });
  });
});

describe('boundWhole', () => {
  const head = 'é'.repeat(20_000);
  const tail = '日'.repeat(20_000);

  it('leaves anything up to the valve alone', () => {
    const text = 'x'.repeat(ERROR_VALVE);
    expect(limitWhole(text, createMemoryResults())).toEqual({ text });
  });

  it('keeps both ends of a longer text, and the whole under a handle', () => {
    const results = createMemoryResults();
    const fitted = limitWhole(head + tail, results);
    const [first = '', gap, last = ''] = fitted.text.split('\n');
    expect(countUnits(fitted.text)).toBeLessThanOrEqual(ERROR_VALVE);
    expect(countUnits(first) / countUnits(last)).toBeCloseTo(1.5, 2);
    expect(gap).toBe(`… [+${40_000 - first.length - last.length} chars; full: <R:result:1>] …`);
    expect(head.startsWith(first) && tail.endsWith(last)).toBe(true);
    expect(results.get(fitted.ref ?? '')).toBe(head + tail);
  });

  it('does without a handle when nothing can be kept', () => {
    const full = {
      keep: (): string => {
        throw new Error('disk full');
      },
      get: () => undefined,
    };
    const fitted = limitWhole(head, full);
    expect(fitted.text).toMatch(/\n… \[\+\d+ chars\] …\n/);
    expect(fitted.ref).toBeUndefined();
  });
});
