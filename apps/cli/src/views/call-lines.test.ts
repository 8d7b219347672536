import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryOutput } from '../../test/memory-terminal.ts';
import { createCallLines } from './call-lines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const printed: string[] = [];
  const { add, end } = createCallLines(
    (summary) => void printed.push(summary),
    () => undefined,
  );
  return { printed, add, end };
}

const read = (lines: number) => `[source] ◆ read(a) -> string (${lines} ${lines === 1 ? 'line' : 'lines'})`;

describe('lines of calls', () => {
  it('fold three or more of one tool, with the sum of what they counted', () => {
    const { printed, add, end } = open();
    for (const lines of [1, 1000, 212]) add(read(lines), { ok: true });
    add('◆ grep(x) -> string (1 match)', { ok: true });
    add('◆ grep(y) -> string (0 matches)', { ok: true });
    expect(printed).toEqual(['[source] ◆ read ×3 -> string (1,213 lines)']);
    end();
    expect(printed.slice(1)).toEqual(['◆ grep(x) -> string (1 match)', '◆ grep(y) -> string (0 matches)']);
  });

  it('fold those of a tool with a name of its own', () => {
    const { printed, add, end } = open();
    for (const id of [1, 2, 3]) add(`◆ delete_rows(ids=${id}) (1 line)`, { ok: true });
    end();
    expect(printed).toEqual(['◆ delete_rows ×3 (3 lines)']);
  });

  it('do not fold what has failed', () => {
    const { printed, add } = open();
    for (const lines of [1, 2, 3]) add(read(lines), { ok: true, failed: true });
    expect(printed).toEqual([read(1), read(2), read(3)]);
  });

  it('show failures, moves and calls of other places by themselves, in their order', () => {
    const { printed, add } = open();
    add(read(1), { ok: true });
    add('[source] ◆ read(b) -> ResourceError', { ok: false });
    add('◆ home', { ok: true });
    add('◆ read(a) -> string (1 line)', { ok: true });
    add(read(1), { ok: true });
    vi.advanceTimersByTime(100);
    expect(printed).toEqual([
      read(1),
      '[source] ◆ read(b) -> ResourceError',
      '◆ home',
      '◆ read(a) -> string (1 line)',
      read(1),
    ]);
  });

  it('stand above a question, and whatever else is written', () => {
    const out = new MemoryOutput();
    const { add } = createCallLines(
      (summary) => out.write(`${summary}\n`),
      (call) => out.beforeWrite(call),
    );
    add(read(1), { ok: true });
    out.write('? run it?\n');
    vi.advanceTimersByTime(100);
    expect(out.text).toBe(`${read(1)}\n? run it?\n`);
  });

  it('are not held back longer than a moment, but by code', () => {
    const { printed, add } = open();
    add(read(1), { ok: true });
    vi.advanceTimersByTime(100);
    expect(printed).toHaveLength(1);
    for (let count = 0; count < 3; count++) {
      add(read(1), { ok: true }, true);
      vi.advanceTimersByTime(1500);
    }
    expect(printed).toHaveLength(1);
    vi.advanceTimersByTime(2000);
    expect(printed).toEqual([read(1), '[source] ◆ read ×3 -> string (3 lines)']);
  });
});
