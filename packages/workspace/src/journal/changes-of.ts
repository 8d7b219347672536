import type { Operation } from './operation.ts';

/** What was changed together, in the order of the operations it was found among; mostly one operation. */
export type Change = readonly [Operation, ...Operation[]];

/** Name of the change that an operation is a part of, or all of. */
export function changeOf({ id, group }: Operation): string {
  return group ?? id;
}

/** Operations by change, in their order; what came between those of one change follows it. */
export function changesOf(operations: readonly Operation[]): readonly Change[] {
  const changes = new Map<string, [Operation, ...Operation[]]>();
  for (const operation of operations) {
    const change = changes.get(changeOf(operation));
    if (change === undefined) changes.set(changeOf(operation), [operation]);
    else change.push(operation);
  }
  return [...changes.values()];
}
