import { BaeError } from '@bae/core';

/** Describes how an operation ends: `Name: message`, then `Try: hints`; or that it did not fail. */
export async function describeOutcome(operation: () => unknown): Promise<string> {
  try {
    return `no error: ${JSON.stringify(await operation())}`;
  } catch (error) {
    if (!BaeError.is(error)) throw error;
    return [`${error.name}: ${error.message}`, ...error.hints.map((hint) => `Try: ${hint}`)].join('\n');
  }
}
