import type { TrustEntry, TrustStore, TrustSubject } from '@bae/plugins';
import { LineReader } from '../terminal/line-reader.ts';
import { painterFor } from '../terminal/paint.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { subjectLines, WHAT_TRUST_MEANS } from './trust-texts.ts';

/** What there is to decide about, and where it is looked up. */
export interface TrustQuestion {
  readonly subjects: readonly TrustSubject[];
  readonly trust: Pick<TrustStore, 'stateOf'>;
}

/** Shows what would be trusted; without an answer nothing is decided. */
export async function askTrust(
  { subjects, trust }: TrustQuestion,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<TrustEntry['decision'] | undefined> {
  const { out } = terminal;
  const paint = painterFor(out);
  const lines = ['Not trusted, and not used until you trust it:', ...subjectLines(subjects, trust, paint)];
  out.write(`${[...lines, paint('hint', WHAT_TRUST_MEANS)].join('\n')}\n`);
  const reader = new LineReader(terminal);
  try {
    for (;;) {
      const answer = await reader.fresh('trust it? y = yes, all of it, n = no, and do not ask again: ', signal);
      if (answer.kind !== 'line') return undefined;
      const word = answer.text.trim().toLowerCase();
      if (word === 'y' || word === 'yes') return 'trusted';
      if (word === 'n' || word === 'no') return 'refused';
    }
  } finally {
    reader.close();
  }
}
