import { BaeError, type ModelPart } from '@bae/core';
import { expectThat, shownPart } from './expect-that.ts';

/** Checks that a response is this text, closed by exactly one normal stop. */
export function expectAnswer(parts: readonly ModelPart[], text: string): void {
  const error = parts.find((part) => part.type === 'error');
  expectThat(error === undefined, `it failed: ${error?.error.message}`);
  const said = textOf(parts);
  expectThat(said === text, `it said ${JSON.stringify(said)} instead of ${JSON.stringify(text)}`);
  const last = parts.at(-1);
  expectThat(last?.type === 'end' && last.reason === 'stop', `its last part is ${shownPart(last)}, not a stop`);
  expectThat(parts.filter(({ type }) => type === 'end').length === 1, 'it ended more than once');
}

/** Checks that a response failed: the last part is an error, the only one, and it did not end. */
export function expectFailure(parts: readonly ModelPart[]): void {
  const errors = parts.filter((part) => part.type === 'error');
  const last = parts.at(-1);
  expectThat(errors.length === 1, `it has ${errors.length} error parts, not one`);
  expectThat(last?.type === 'error', `its last part is ${shownPart(last)}, not the error`);
  expectThat(!parts.some(({ type }) => type === 'end'), 'it ended although it failed');
  expectThat(BaeError.is(errors[0]?.error) && errors[0].error.code === 'BAE_MODEL', 'its error is not a ModelError');
}

/** Checks that a cancelled response neither stopped normally nor failed, and said no more than this. */
export function expectCancelled(parts: readonly ModelPart[], text: string): void {
  const said = textOf(parts);
  expectThat(text.startsWith(said), `it said ${JSON.stringify(said)}, which is more than ${JSON.stringify(text)}`);
  expectThat(!parts.some(({ type }) => type === 'error'), 'it reported an error for a cancellation');
  const stopped = parts.some((part) => part.type === 'end' && part.reason === 'stop');
  expectThat(!stopped, 'it ended with a normal stop although it was cancelled');
}

function textOf(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
}
