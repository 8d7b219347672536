import { ConfigurationError } from '@bae/core';
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

/** Where a server was to listen, and the command that starts it at any free port. */
interface ListenAttempt {
  readonly address: string;
  readonly port: number;
  readonly retry: string;
}

/** Explains why a server cannot listen; an error that is not of the system is returned as it is. */
export function explainListenFailure(
  error: NodeJS.ErrnoException,
  { address, port, retry }: ListenAttempt,
): NodeJS.ErrnoException {
  const { code } = error;
  if (code === undefined) return error;
  const [reason, remedy] = nameReason(code, { address, port, retry });
  return new ConfigurationError(reason, [remedy], error);
}

function nameReason(code: string, { address, port, retry }: ListenAttempt): readonly [reason: string, remedy: string] {
  switch (code) {
    case 'EADDRINUSE':
      return [`the port ${port} is taken.`, retry];
    case 'EACCES':
    case 'EPERM':
      return [`the system does not let this user listen at port ${port}.`, retry];
    case 'ERR_SOCKET_BAD_PORT':
      return [`there is no port ${port}: the last one is 65535.`, retry];
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [`${address} is no address of this machine.`, `${retry} --address 127.0.0.1`];
    default:
      return [`cannot listen at ${address}, port ${port}: ${code}.`, retry];
  }
}
