import type { ModelPart } from '@bae/core';
import { expectThat, shownPart } from './expect-that.ts';

/** Checks that usage, when it is reported, comes once, before the end, in whole numbers. */
export function expectUsage(parts: readonly ModelPart[]): void {
  const reports = parts.filter((part) => part.type === 'usage');
  expectThat(reports.length <= 1, `it reported usage ${reports.length} times`);
  expectThat(parts.at(-1)?.type === 'end', `its last part is ${shownPart(parts.at(-1))}, not the end`);
  for (const [name, count] of Object.entries(reports[0]?.usage ?? {})) {
    expectThat(Number.isInteger(count) && count >= 0, `its ${name} is ${count}, not a whole number`);
  }
}
