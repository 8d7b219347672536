import { makeVisible } from '../terminal/make-visible.ts';
import type { UsageError } from './usage-error.ts';

/** The lines that tell a person what was wrong with the command line, and what to type instead. */
export async function explainUsageError(error: UsageError): Promise<string> {
  const command = error.command === undefined || error.command === 'shell' ? 'bae' : `bae ${error.command}`;
  const meant = await suggestion(error);
  return makeVisible(`bae: ${error.message}${meant}\nMore: ${command} --help\n`);
}

async function suggestion({ unknown }: UsageError): Promise<string> {
  if (unknown === undefined) return '';
  const { name, candidates, prefix = '' } = unknown;
  // Loaded here only: a correct command line does not wait for it.
  const { nearestName } = await import('@bae/core');
  const nearest = nearestName(name, candidates);
  if (nearest !== undefined) return ` Did you mean ${prefix}${nearest}?`;
  return ` There are ${candidates.map((candidate) => prefix + candidate).join(', ')}.`;
}
