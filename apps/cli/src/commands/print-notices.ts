import type { Settings } from '../config/settings.ts';
import { visibleLine } from '../terminal/make-visible.ts';
import { painterFor } from '../terminal/paint.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Says what a person has to know about the settings, one line each, beside the output. */
export function printNotices({ notices }: Settings, { err }: Terminal): void {
  const paint = painterFor(err);
  for (const notice of notices) err.write(`${paint('hint', visibleLine(notice))}\n`);
}
