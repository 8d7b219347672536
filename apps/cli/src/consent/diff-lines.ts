import { truncate, splitVisibleLines, type Paint, type Painter } from '../terminal/terminal-text.ts';

export interface DiffStyle {
  /** Width that lines are cut to; absent to show them whole. */
  readonly columns?: number;
  readonly paint: Painter;
}

/** The style of a diff that is cut to the screen. */
export interface ScreenStyle extends Required<DiffStyle> {
  readonly rows: number;
}

/** A unified diff, or another description of a change: coloured, and indented so that no line looks like one of bae's. */
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

/** Least lines of a change that are shown, and lines that the rest of the question takes. */
const FEWEST = 5;
const AROUND = 4;

/** As much of a change as the screen holds, with the number of lines left out. */
export function clipDiff(
  text: string,
  { rows, ...style }: ScreenStyle,
): { readonly lines: readonly string[]; readonly clipped: boolean } {
  const lines = renderDiff(text, style);
  const more = lines.length - Math.max(rows - AROUND, FEWEST);
  return more <= 0 ? { lines, clipped: false } : { lines: [...lines.slice(0, -more), renderMore(more)], clipped: true };
}

export function renderMore(lines: number): string {
  return `  … ${lines} more ${lines === 1 ? 'line' : 'lines'}`;
}

const KINDS: Readonly<Record<string, Paint>> = { '+': 'code', '-': 'error', '@': 'hint' };
