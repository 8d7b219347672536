import { truncate, splitVisibleLines, type Paint, type Painter } from '../terminal/terminal-text.ts';

export interface DiffStyle {
  /** Width that lines are cut to; absent to show them whole. */
  readonly columns?: number;
  readonly paint: Painter;
}

/**
 * A unified diff, or words about a change, as lines for a terminal: harmless, coloured, and indented so that
 * nothing in them can pass for what bae itself says.
 */
export function renderDiff(text: string, { columns, paint }: DiffStyle): readonly string[] {
  if (text === '') return ['  (nothing would change)'];
  const lines = splitVisibleLines(text);
  const firstHunk = lines.findIndex((line) => line.startsWith('@@'));
  return lines.map((line, index) => {
    const indented = columns === undefined ? `  ${line}` : truncate(`  ${line}`, columns);
    const kind = index < firstHunk ? 'strong' : KINDS[line[0] ?? ''];
    return kind === undefined ? indented : paint(kind, indented);
  });
}

/** Lines of a small screen that a change may fill at least, and lines around it. */
const FEWEST = 5;
const AROUND = 4;

/** As much of a change as a screen holds, and how much is left; whether anything is. */
export function clipDiff(
  text: string,
  { rows, ...style }: Required<DiffStyle> & { readonly rows: number },
): { readonly lines: readonly string[]; readonly clipped: boolean } {
  const lines = renderDiff(text, style);
  const more = lines.length - Math.max(rows - AROUND, FEWEST);
  return more <= 0 ? { lines, clipped: false } : { lines: [...lines.slice(0, -more), renderMore(more)], clipped: true };
}

export function renderMore(lines: number): string {
  return `  … ${lines} more ${lines === 1 ? 'line' : 'lines'}`;
}

const KINDS: Readonly<Record<string, Paint>> = { '+': 'code', '-': 'error', '@': 'hint' };
