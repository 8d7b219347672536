import { makeVisible } from './terminal/make-visible.ts';

/** A failure as lines for people: what went wrong and what to try. The stack only when asked for. */
export function explainError(error: unknown, { debug }: { readonly debug: boolean }): string {
  if (!(error instanceof Error)) return `bae: ${makeVisible(String(error))}\n`;
  const hints = hintsOf(error);
  const sentence = hints === undefined ? `${error.name}: ${error.message.split('\n')[0]}` : error.message;
  const fallback = hints === undefined ? '--debug shows the stack' : 'bae doctor';
  const lines = [`bae: ${sentence}`, `Try: ${hints?.length ? hints.join(', or ') : fallback}`];
  return makeVisible(`${[...lines, ...(debug ? [error.stack ?? ''] : [])].join('\n')}\n`);
}

/** The hints of an error that bae raised on purpose; undefined for any other. */
function hintsOf(error: Error): readonly string[] | undefined {
  const { code, hints } = error as { readonly code?: unknown; readonly hints?: unknown };
  const isOurs = typeof code === 'string' && code.startsWith('BAE_') && Array.isArray(hints);
  return isOurs ? (hints as readonly string[]) : undefined;
}
