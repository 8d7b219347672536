import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CountParser, parseDebugLine, RowParser } from './ripgrep-output.ts';

/** Hands a text over in pieces that end anywhere. */
function inPieces(text: string, cuts: readonly number[], take: (bytes: Buffer) => void): void {
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  let start = 0;
  for (const end of ends) {
    take(bytes.subarray(start, end));
    start = end;
  }
}

const CUTS = fc.array(fc.nat(500), { maxLength: 8 });

describe('CountParser', () => {
  it('understands counts, wherever the output is divided', () => {
    const output = './a.ts\x003\n./b\nc/d: 1.ts\x001234\n./ü\x001\n\n5 matches\n12 files searched\n0 bytes printed\n';
    fc.assert(
      fc.property(CUTS, (cuts) => {
        const found: unknown[] = [];
        const counts = new CountParser((path, matches) => found.push([path, matches]));
        inPieces(output, cuts, (bytes) => counts.add(bytes));
        expect(found).toEqual([
          ['a.ts', 3],
          ['b\nc/d: 1.ts', 1234],
          ['ü', 1],
        ]);
        expect(counts.searched).toBe(12);
      }),
    );
  });

  it('counts no files where the output has no total', () => {
    const counts = new CountParser(() => undefined);
    expect(counts.searched).toBe(0);
    counts.add(Buffer.from('\n0 matches\n1 files searched\n'));
    expect(counts.searched).toBe(1);
  });
});

describe('RowParser', () => {
  it('understands rows, wherever the output is divided', () => {
    fc.assert(
      fc.property(CUTS, (cuts) => {
        const rows = new RowParser(200);
        inPieces('1:1:first: 1\r\n20:5:  ünd so 😀  \n300:1:\n', cuts, (bytes) => rows.add(bytes));
        expect(rows.files.get('')?.rows).toEqual([
          { line: 1, text: 'first: 1' },
          { line: 20, text: 'ünd so 😀' },
          { line: 300, text: '' },
        ]);
      }),
    );
  });

  it.each(['x', 'é', '漢', '😀'])('shows a match far to the right in a line of %s', (filling) => {
    const before = filling.repeat(50_000);
    const rows = new RowParser(200);
    rows.add(Buffer.from(`7:${Buffer.byteLength(before) + 1}:${before}needle${filling.repeat(1000)}\n`));
    const text = rows.files.get('')?.rows[0]?.text ?? '';
    expect(text).toMatch(/^….*needle.*…$/u);
    expect(text.length).toBeLessThanOrEqual(200);
    expect(text).not.toContain('\ufffd');
  });
});

describe('parseDebugLine', () => {
  it.each([
    ['rg: DEBUG|grep_printer::summary|crates/summary.rs:686: ignoring ./a b.bin: found binary data at offset 4', { kind: 'binary', path: 'a b.bin', offset: 4 }],
    ['rg: DEBUG|ignore::walk|crates/walk.rs:1: ignoring ./big.txt: 1048577 bytes', { kind: 'large', path: 'big.txt', size: 1_048_577 }],
    ['rg: DEBUG|ignore::walk|crates/walk.rs:1: ignoring ./out: Ignore(IgnoreMatch(Gitignore(Glob { from', { kind: 'ignored', path: 'out' }],
    ['rg: DEBUG|ignore::walk|crates/walk.rs:1: ignoring ./d/.env: Ignore(IgnoreMatch(Override(Glob(Matched(', { kind: 'excluded', path: 'd/.env' }],
  ])('understands %s', (line, remark) => {
    expect(parseDebugLine(line)).toEqual(remark);
  }); // prettier-ignore

  it.each([
    'rg: DEBUG|rg::flags::hiargs|crates/hiargs.rs:175: using 2 thread(s)',
    'rg: DEBUG|globset|lib.rs:506: glob converted to regex: ignoring ./x: 12 bytes?',
    'error: ignoring ./a: 12 bytes',
  ])('takes nothing else for such a line: %s', (line) => {
    expect(parseDebugLine(line)).toBeUndefined();
  });
});
