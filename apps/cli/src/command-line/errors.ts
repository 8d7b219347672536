import { makeVisible } from '../terminal/terminal-text.ts';

/** What a usage error knows besides its sentence. */
export interface UsageErrorOptions {
  /** What was typed, and the names it may have been meant for: the source of "did you mean". */
  readonly unknown?: { readonly name: string; readonly candidates: readonly string[]; readonly prefix?: string };
  /** Command whose help explains more. Default: the one that runs. */
  readonly command?: string;
}

/** A command line that cannot be understood. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly options: UsageErrorOptions;

  constructor(message: string, options: UsageErrorOptions = {}) {
    super(message);
    this.options = options;
  }
}

/**
 * What was wrong with the command line, and what to type instead, as lines for people.
 *
 * @param running the command that runs; none when the error came before
 */
export async function explainUsageError({ message, options }: UsageError, running?: string): Promise<string> {
  const { unknown, command = running } = options;
  const name = command === undefined || command === 'shell' ? 'bae' : `bae ${command}`;
  return makeVisible(`bae: ${message}${await suggest(unknown)}\nMore: ${name} --help\n`);
}

async function suggest(unknown: UsageErrorOptions['unknown']): Promise<string> {
  if (unknown === undefined) return '';
  const { name, candidates, prefix = '' } = unknown;
  // Loaded here only: a correct command line does not wait for it.
  const { findNearestName } = await import('@bae/core');
  const nearest = findNearestName(name, candidates);
  if (nearest !== undefined) return ` Did you mean ${prefix}${nearest}?`;
  return ` There are ${candidates.map((candidate) => prefix + candidate).join(', ')}.`;
}

/** A failure as lines for people: what went wrong and what to try. The stack only when asked for. */
export function explainError(error: unknown, { debug }: { readonly debug: boolean }): string {
  if (!(error instanceof Error)) return `bae: ${makeVisible(String(error))}\n`;
  const hints = getHints(error);
  const sentence = hints === undefined ? `${error.name}: ${error.message.split('\n')[0]}` : error.message;
  const fallback = hints === undefined ? '--debug shows the stack' : 'bae doctor';
  const lines = [`bae: ${sentence}`, `Try: ${hints?.length ? hints.join(', or ') : fallback}`];
  return makeVisible(`${[...lines, ...(debug ? [error.stack ?? ''] : [])].join('\n')}\n`);
}

/** The hints of an error that bae raised on purpose; undefined for any other. */
function getHints(error: Error): readonly string[] | undefined {
  const { code, hints } = error as { readonly code?: unknown; readonly hints?: unknown };
  const isOurs = typeof code === 'string' && code.startsWith('BAE_') && Array.isArray(hints);
  return isOurs ? (hints as readonly string[]) : undefined;
}
