import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPainter, measureWidth } from '../terminal/terminal-text.ts';
import { parseLoneCalls, renderRunPanel } from './call-lines.ts';

it.each([
  ['read("a.ts")', ['read']],
  ['await source.tests.run("a (b)");', ['source.tests.run']],
  ['grep({ pattern: "x\\")", path: \'src\' })', ['grep']],
  ['read("a")\n\nawait read(`b`);\n', ['read', 'read']],
  ['tasks()', ['tasks']],
])('takes %j for calls and nothing else', (code, called) => {
  expect(parseLoneCalls(code)).toEqual(called);
});

it.each([
  '',
  '1 + 1',
  'console.log("a")',
  'const a = await read("a")',
  'read("a") + read("b")',
  'read(`${name}`)',
  'read(names[0]); 1',
  'read(name())',
  'read("a").then((text) => text.length)',
  'for (const name of names) await read(name)',
])('takes %j for more than calls', (code) => {
  expect(parseLoneCalls(code)).toBeUndefined();
});

const plain = createPainter({ color: false });
const panel = { title: 'ai:1', code: 'x', ok: true, output: 'y', ms: 12.3, columns: 30 };

describe('runPanel', () => {
  it('cuts long lines at the frame', () => {
    expect(renderRunPanel({ ...panel, code: 'const text = "a long line of code";' }, plain).split('\n')[1]).toBe(
      '│ const text = "a long line… │',
    );
  });

  it('is as wide as the terminal, between a least and a most', () => {
    const width = (columns: number) => measureWidth(renderRunPanel({ ...panel, columns }, plain).split('\n')[0]!);
    expect([width(10), width(60), width(300)]).toEqual([24, 60, 300]);
  });

  it('shows the beginning of long code, and how much more there is', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, line) => `f(${line});`).join('\n');
    const rows = renderRunPanel({ ...panel, code: lines(1530) }, plain).split('\n');
    expect(rows.slice(29, 33).map((row) => row.trim())).toEqual([
      '│ f(28);                     │',
      '│ f(29);                     │',
      '│ … 1,500 more lines         │',
      '├────────────────────────────┤',
    ]);
    expect(renderRunPanel({ ...panel, code: lines(40) }, plain)).toContain('f(39);');
  });

  it('cuts a long title too', () => {
    expect(renderRunPanel({ ...panel, title: 'a'.repeat(80) }, plain).split('\n')[0]).toBe(
      `╭─ ${'a'.repeat(24)}─ ─╮`.replace('─ ─╮', '──╮'),
    );
  });

  it('colours errors and what is no output', () => {
    const paint = createPainter({ color: true });
    expect(renderRunPanel({ ...panel, ok: false }, paint)).toContain('\u001B[31my');
    expect(renderRunPanel({ ...panel, output: '' }, paint)).toContain('\u001B[38;2;128;128;128m(executed)');
  });

  it('shows how long it took', () => {
    const last = (ms: number) =>
      renderRunPanel({ ...panel, ms }, plain)
        .split('\n')
        .at(-1);
    expect(last(12.3)).toBe('╰──────────────────── 12 ms ─╯');
    expect(last(31_250)).toBe('╰─────────────────── 31.3 s ─╯');
  });

  it('keeps its frame whatever is in it', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 120 }), (code, output, columns) => {
        const rows = renderRunPanel({ ...panel, code, output, columns }, plain).split('\n');
        expect(new Set(rows.map(measureWidth)).size).toBe(1);
      }),
    );
  });
});
