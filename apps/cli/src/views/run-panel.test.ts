import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { painterFor } from '../terminal/paint.ts';
import { textWidth } from '../terminal/text-width.ts';
import { runPanel } from './run-panel.ts';

const plain = painterFor({ color: false });
const panel = { title: 'ai:1', code: 'x', ok: true, output: 'y', ms: 12.3, columns: 30 };

describe('runPanel', () => {
  it('cuts long lines at the frame', () => {
    expect(runPanel({ ...panel, code: 'const text = "a long line of code";' }, plain).split('\n')[1]).toBe(
      '│ const text = "a long line… │',
    );
  });

  it('is as wide as the terminal, between a least and a most', () => {
    const width = (columns: number) => textWidth(runPanel({ ...panel, columns }, plain).split('\n')[0]!);
    expect([width(10), width(60), width(300)]).toEqual([24, 60, 100]);
  });

  it('cuts a long title too', () => {
    expect(runPanel({ ...panel, title: 'a'.repeat(80) }, plain).split('\n')[0]).toBe(
      `╭─ ${'a'.repeat(24)}─ ─╮`.replace('─ ─╮', '──╮'),
    );
  });

  it('colours errors and what is no output', () => {
    const paint = painterFor({ color: true });
    expect(runPanel({ ...panel, ok: false }, paint)).toContain('\u001B[31my');
    expect(runPanel({ ...panel, output: '' }, paint)).toContain('\u001B[38;2;128;128;128m(executed)');
  });

  it('says how long it took', () => {
    const last = (ms: number) =>
      runPanel({ ...panel, ms }, plain)
        .split('\n')
        .at(-1);
    expect(last(12.3)).toBe('╰──────────────────── 12 ms ─╯');
    expect(last(31_250)).toBe('╰─────────────────── 31.3 s ─╯');
  });

  it('keeps its frame whatever is in it', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 120 }), (code, output, columns) => {
        const rows = runPanel({ ...panel, code, output, columns }, plain).split('\n');
        expect(new Set(rows.map(textWidth)).size).toBe(1);
      }),
    );
  });
});
