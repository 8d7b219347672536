import { clippedDiff, diffLines } from '../approval/diff-lines.ts';
import { LineReader } from '../terminal/line-reader.ts';
import { painterFor } from '../terminal/paint.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Shows what would change and asks whether it shall. Ctrl-C and the end of the input mean no. */
export async function confirmUndo(diff: string, terminal: Terminal, signal: AbortSignal): Promise<boolean> {
  const { out } = terminal;
  const paint = painterFor(out);
  const { lines, clipped } = clippedDiff(diff, { columns: out.columns(), rows: out.rows(), paint });
  out.write(`${lines.join('\n')}\n`);
  const reader = new LineReader(terminal);
  try {
    for (;;) {
      const answer = await reader.fresh(`undo it? y = yes, n = no${clipped ? ', d = the whole change' : ''}: `, signal);
      if (answer.kind !== 'line') return false;
      const word = answer.text.trim().toLowerCase();
      if (word === 'y' || word === 'yes') return true;
      if (word === 'n' || word === 'no') return false;
      if (word === 'd') out.write(`${diffLines(diff, { paint }).join('\n')}\n`);
    }
  } finally {
    reader.close();
  }
}
