import { describe, expect, it } from 'vitest';
import { compareDiagnostics, type FileErrors } from './compare-diagnostics.ts';

describe('compareDiagnostics', () => {
  it('sees the same error on another line, with another indentation, as the same', () => {
    expect(compareDiagnostics(errors('x;', [1]), errors('if (y) {\n  x;\n}', [2]))).toEqual({
      introduced: [],
      fixed: [],
    });
  });

  it('sees another message, or the same on another text, as new', () => {
    const before = errors('x;', [1]);
    const after = errors('y;', [1]);
    expect(compareDiagnostics(before, after)).toEqual({ introduced: after.diagnostics, fixed: before.diagnostics });
    const other = { text: 'x;', diagnostics: before.diagnostics.map((one) => ({ ...one, message: 'other' })) };
    expect(compareDiagnostics(before, other)).toEqual({ introduced: other.diagnostics, fixed: before.diagnostics });
    const code = { text: 'x;', diagnostics: before.diagnostics.map((one) => ({ ...one, code: 1 })) };
    expect(compareDiagnostics(before, code).introduced).toHaveLength(1);
  });

  it('counts each of several that are the same, and takes the last ones for new', () => {
    const { introduced, fixed } = compareDiagnostics(errors('x;\nx;', [1, 2]), errors('x;\nx;\nx;\nx;', [1, 2, 3, 4]));
    expect(introduced.map(({ line }) => line)).toEqual([3, 4]);
    expect(fixed).toEqual([]);
  });
});

function errors(text: string, lines: readonly number[]): FileErrors {
  return { text, diagnostics: lines.map((line) => ({ file: '/a.ts', line, column: 1, code: 2304, message: 'no x' })) };
}
