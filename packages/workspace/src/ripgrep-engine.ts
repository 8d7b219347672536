import type { GrepJob } from './grep-job.ts';
import { runRipgrep, type RipgrepRun } from './ripgrep.ts';

/** ripgrep, ready for one search: what all its runs have in common is settled. */
export interface RipgrepEngine {
  readonly job: GrepJob;
  readonly program: string;
  /** Where it begins: the folder that is held, whatever has its name by then. */
  readonly root: string;
  readonly signal: AbortSignal | undefined;
}

/** Runs it once. */
export function runEngine(
  { job, program, root, signal }: RipgrepEngine,
  run: Omit<RipgrepRun, 'program' | 'root' | 'pattern' | 'signal'>,
): Promise<void> {
  return runRipgrep({ program, root, pattern: job.query.pattern, signal, ...run });
}
