import type { Task } from '@bae/tasks';
import {
  measureWidth,
  padToWidth,
  truncate,
  makeLineVisible,
  type Paint,
  type Painter,
} from '../terminal/terminal-text.ts';
import type { Output } from '../terminal/terminal.ts';

const LABELS = { in_progress: 'PROG', blocked: 'BLKD', open: 'OPEN', done: 'DONE', cancelled: 'CNCL' } as const;
const PAINTS: Readonly<Partial<Record<Task['status'], Paint>>> = {
  in_progress: 'ai',
  blocked: 'error',
  done: 'quiet',
  cancelled: 'quiet',
};
const HEAD = ['ID', 'STATUS', 'PRIORITY', 'TITLE', 'TAGS'] as const;
const GAP = '  ';
/** Least width of the titles. */
const LEAST_TITLE = 20;

/** Renders tasks as a table; at a terminal each row is cut to one line. */
export function renderTaskTable(tasks: readonly Task[], out: Output, paint: Painter): readonly string[] {
  const rows = tasks.map(renderCells);
  const widths = HEAD.map((head, column) => Math.max(head.length, ...rows.map((row) => measureWidth(row[column]!))));
  const others = widths.reduce((sum, width, column) => (column === 3 ? sum : sum + width + GAP.length), 0);
  const room = out.isTerminal ? Math.max(LEAST_TITLE, out.columns() - others) : Infinity;
  widths[3] = Math.min(widths[3]!, room);
  const line = (cells: readonly string[]): string => {
    const columns = cells.map((cell, column) =>
      column === 0 ? cell.padStart(widths[0]!) : padToWidth(cell, widths[column]!),
    );
    const text = columns.join(GAP).trimEnd();
    return out.isTerminal ? truncate(text, out.columns()) : text;
  };
  const lines = rows.map((cells, index) => {
    const look = PAINTS[tasks[index]!.status];
    return look === undefined ? line(cells) : paint(look, line(cells));
  });
  return [paint('quiet', line(HEAD)), ...lines];
}

function renderCells({ id, status, priority, title, tags }: Task): readonly string[] {
  const { major, minor, patch } = priority;
  return [
    String(id),
    LABELS[status],
    `${major}.${minor}.${patch}`,
    makeLineVisible(title),
    tags.map(makeLineVisible).join(', '),
  ];
}
