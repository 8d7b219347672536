import { ConfigurationError } from '../errors/setup-errors.ts';
import type { AgentOptions } from './agent-options.ts';

/** Smallest cap that leaves room for an answer beside the line that says what was cut, in tokens. */
const SMALLEST_CAP = 50;
const LABEL = /^[A-Za-z0-9_-]+$/;

interface Bound {
  readonly name: 'cap' | 'maxBatches' | 'idleMs' | 'tries' | 'deadlineMs' | 'contextTokens';
  readonly min: number;
  readonly what: string;
}

const BOUNDS: readonly Bound[] = [
  { name: 'cap', min: SMALLEST_CAP, what: 'tokens of one answer' },
  { name: 'maxBatches', min: 0, what: 'batches of calls in one turn, 0 for no limit' },
  { name: 'idleMs', min: 1, what: 'milliseconds that the model may be silent' },
  { name: 'contextTokens', min: 1000, what: 'tokens that the model can take in at once' },
  { name: 'tries', min: 1, what: 'tries of one request to the model' },
  { name: 'deadlineMs', min: 1, what: 'milliseconds of one request to the model with all its tries' },
];

/**
 * Checks the numbers and names of an agent's options.
 *
 * @throws ConfigurationError naming the option, what was expected and what came
 */
export function checkOptions(options: AgentOptions): void {
  for (const { name, min, what } of BOUNDS) {
    const value = options[name];
    if (value === undefined || (Number.isInteger(value) && value >= min)) continue;
    throw new ConfigurationError(
      `${name}: expected a whole number of at least ${min} (${what}); got ${JSON.stringify(value)}.`,
    );
  }
  checkLabel(options.label);
}

/**
 * Checks the name of a session.
 *
 * @throws ConfigurationError when it has other characters than letters, digits, _ and -
 */
export function checkLabel(label: string | undefined): void {
  if (label === undefined || LABEL.test(label)) return;
  throw new ConfigurationError(`label: expected letters, digits, _ and -; got ${JSON.stringify(label)}.`);
}
