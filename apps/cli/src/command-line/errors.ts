import { makeVisible } from '../terminal/terminal-text.ts';

export interface UsageErrorOptions {
  /** Unknown name and the valid ones, for "did you mean". */
  readonly unknown?: {
    readonly name: string;
    readonly candidates: readonly string[];
    readonly prefix?: string;
    /** The candidate that means the same. Default: unknown; the most similar one is suggested. */
    readonly meant?: string | undefined;
  };
  /** Command whose help explains more. Default: the current one. */
  readonly command?: string;
}

/** Error for an invalid command line. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly options: UsageErrorOptions;

  constructor(message: string, options: UsageErrorOptions = {}) {
    super(message);
    this.options = options;
  }
}

/** Explains the error in a command line and suggests a correction. @param running the current command, if any */
export async function explainUsageError({ message, options }: UsageError, running?: string): Promise<string> {
  const { unknown, command = running } = options;
  const name = command === undefined || command === 'shell' ? 'bae' : `bae ${command}`;
  return makeVisible(`bae: ${message}${await suggest(unknown)}\nMore: ${name} --help\n`);
}

async function suggest(unknown: UsageErrorOptions['unknown']): Promise<string> {
  if (unknown === undefined) return '';
  const { name, candidates, prefix = '', meant } = unknown;
  // Loaded here, so that a valid command line does not wait for it.
  const { findNearestName } = await import('@bae/core');
  const nearest = meant ?? findNearestName(name, candidates);
  if (nearest !== undefined) return ` Did you mean ${prefix}${nearest}?`;
  return ` There are ${candidates.map((candidate) => prefix + candidate).join(', ')}.`;
}

/** Explains an error and suggests a solution; with `debug`, adds the stack. */
export function explainError(error: unknown, { debug }: { readonly debug: boolean }): string {
  if (!(error instanceof Error)) {
    const { message = String(error) } = (error ?? {}) as { readonly message?: unknown };
    return `bae: ${makeVisible(String(message))}\n`;
  }
  const hints = getHints(error);
  const sentence = hints === undefined ? `${error.name}: ${error.message.split('\n')[0]}` : error.message;
  const fallback = hints === undefined ? '--debug shows the stack' : 'bae doctor';
  const lines = [`bae: ${sentence}`, `Try: ${hints?.length ? hints.join(', or ') : fallback}`];
  return makeVisible(`${[...lines, ...(debug ? [error.stack ?? ''] : [])].join('\n')}\n`);
}

/** Returns the hints of a bae error; undefined for any other error. */
function getHints(error: Error): readonly string[] | undefined {
  const { code, hints } = error as { readonly code?: unknown; readonly hints?: unknown };
  const isOurs = typeof code === 'string' && code.startsWith('BAE_') && Array.isArray(hints);
  return isOurs ? (hints as readonly string[]) : undefined;
}

/** Returns the message of an error, or any other thrown value as text. */
export function readErrorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
