import { safeParseAsync, type $ZodType } from 'zod/v4/core';

/** True when a schema is there and takes a value; false also when it breaks over it. */
export async function accepts(schema: $ZodType | undefined, value: unknown): Promise<boolean> {
  if (schema === undefined) return false;
  try {
    return (await safeParseAsync(schema, value)).success;
  } catch {
    return false;
  }
}
