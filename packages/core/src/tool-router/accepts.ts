import { safeParse, type $ZodType } from 'zod/v4/core';

/** True when a schema is there and takes a value; false for one that can only answer later. */
export function accepts(schema: $ZodType | undefined, value: unknown): boolean {
  if (schema === undefined) return false;
  try {
    return safeParse(schema, value).success;
  } catch {
    return false;
  }
}
