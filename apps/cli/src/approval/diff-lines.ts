import { makeVisible } from '../terminal/make-visible.ts';
import type { Paint, Painter } from '../terminal/paint.ts';
import { fitted } from '../terminal/text-width.ts';

/** How a change is drawn. */
export interface DiffStyle {
  /** Width that lines are cut to; absent to show them whole. */
  readonly columns?: number;
  readonly paint: Painter;
}

/**
 * A unified diff, or words about a change, as lines for a terminal: harmless, coloured, and indented so that
 * nothing in them can pass for what bae itself says.
 */
export function diffLines(text: string, { columns, paint }: DiffStyle): readonly string[] {
  if (text === '') return ['  (nothing would change)'];
  const lines = makeVisible(text).replaceAll('\t', '  ').replace(/\n$/, '').split('\n');
  const firstHunk = lines.findIndex((line) => line.startsWith('@@'));
  return lines.map((line, index) => {
    const shown = columns === undefined ? `  ${line}` : fitted(`  ${line}`, columns);
    const kind = index < firstHunk ? 'strong' : KINDS[line[0] ?? ''];
    return kind === undefined ? shown : paint(kind, shown);
  });
}

/** Lines of a small screen that a change may fill at least, and lines around it. */
const FEWEST = 5;
const AROUND = 4;

/** As much of a change as a screen holds, and how much is left; whether anything is. */
export function clippedDiff(
  text: string,
  { rows, ...style }: Required<DiffStyle> & { readonly rows: number },
): { readonly lines: readonly string[]; readonly clipped: boolean } {
  const lines = diffLines(text, style);
  const more = lines.length - Math.max(rows - AROUND, FEWEST);
  if (more <= 0) return { lines, clipped: false };
  return { lines: [...lines.slice(0, -more), `  … ${more} more ${more === 1 ? 'line' : 'lines'}`], clipped: true };
}

const KINDS: Readonly<Record<string, Paint>> = { '+': 'code', '-': 'error', '@': 'hint' };
