import { ModelError } from '@bae/core';
import type { CommandExit } from './process-group.ts';

/** A response of a command that did not come to a good end. */
export interface FailedRun {
  readonly name: string;
  readonly command: string;
  readonly exit: CommandExit;
  /** What it printed; the command reports some errors there. */
  readonly output: string;
}

const LONGEST_REASON = 500;
/** The backend session is the trouble; the next send opens another one. */
const SESSION_TROUBLE = /already in use|no conversation found/i;
const TRANSIENT = /overloaded|rate.?limit|too many requests|\b(429|500|502|503|504|529)\b|ECONNRESET|timed? ?out/i;

/** The error of a command that could not be started, exited with another code than 0, or was killed. */
export function exitError({ name, command, exit, output }: FailedRun): ModelError {
  if (exit.kind === 'not-started') return startError(name, command, exit.error);
  const reason = lastWords(exit.stderr) || lastWords(output) || 'it gave no reason';
  const ending = exit.kind === 'exited' ? `ended with exit code ${exit.code}` : `was ended by ${exit.signal}`;
  const retryable = SESSION_TROUBLE.test(reason) || TRANSIENT.test(reason);
  const hints = /login|api key|authenticat/i.test(reason) ? [`run \`${command}\` once and log in`] : [];
  return new ModelError(`${name} ${ending}: ${reason}`, { retryable, hints });
}

/** The error of a command that took longer than it may. */
export function timeoutError(name: string, ms: number): ModelError {
  return new ModelError(`${name} gave no answer within ${Math.round(ms / 1000)} s and was stopped.`, {
    retryable: true,
  });
}

function startError(name: string, command: string, error: Error & { readonly code?: string }): ModelError {
  if (error.code === 'ENOENT') {
    return new ModelError(`${name} is not there: the command '${command}' was not found.`, {
      hints: ['install Claude Code, or put it on the PATH', 'or choose another model: --model provider/name'],
      cause: error,
    });
  }
  if (error.code === 'E2BIG') {
    return new ModelError(`${name} cannot take this prompt: it is too long for a command line.`, {
      hints: ['ask for less at a time', 'or choose another model: --model provider/name'],
      cause: error,
    });
  }
  return new ModelError(`${name} could not be started: ${error.message}`, { cause: error });
}

function lastWords(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > LONGEST_REASON ? `…${trimmed.slice(-LONGEST_REASON)}` : trimmed;
}
