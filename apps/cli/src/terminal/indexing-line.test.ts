import { describe, expect, it } from 'vitest';
import { MemoryOutput } from '../../test/memory-terminal.ts';
import { indexingLine } from './indexing-line.ts';
import { StatusLine } from './status-line.ts';

function open() {
  const err = new MemoryOutput({ isTerminal: true });
  let time = 0;
  const report = indexingLine(new StatusLine(err), () => time);
  return {
    err,
    report: (at: number, done: number, total = 6282) => {
      time = at;
      report(done, total);
    },
  };
}

describe('the line about the index', () => {
  it('comes after a second, goes on ten times a second, and is gone at the end', () => {
    const { err, report } = open();
    report(0, 1);
    report(999, 900);
    expect(err.text).toBe('');
    report(1000, 1200);
    expect(err.text).toBe('\r\u001B[Kindexing 1200 of 6282 modules…');
    report(1050, 1300);
    report(1100, 1400);
    report(1150, 6282);
    expect(err.text).toBe('\r\u001B[Kindexing 1200 of 6282 modules…\r\u001B[Kindexing 1400 of 6282 modules…\r\u001B[K');
  });

  it('does not come when it is quick, and waits a second the next time too', () => {
    const { err, report } = open();
    report(0, 1, 10);
    report(500, 10, 10);
    report(2000, 1, 10);
    report(2900, 9, 10);
    report(2950, 10, 10);
    expect(err.text).toBe('');
  });
});
