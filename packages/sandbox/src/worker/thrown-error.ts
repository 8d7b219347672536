import { beginning } from './beginning.ts';

/** An error that code threw, as text. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** Characters that are kept. What there is more of a message than this is no message. */
const NAME = 100;
const MESSAGE = 4000;
const STACK = 100_000;

/** An error of a size that whoever is told of it can bear. */
export function withinBounds({ name, message, stack }: ThrownError): ThrownError {
  const rest = message.length > MESSAGE ? `… (${message.length} characters)` : '';
  return { name: beginning(name, NAME), message: beginning(message, MESSAGE) + rest, stack: beginning(stack, STACK) };
}
