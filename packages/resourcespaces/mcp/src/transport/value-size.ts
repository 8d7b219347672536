/** Size of a JSON value. */
export interface ValueSize {
  /** Length of its texts and of the names of its fields, in UTF-16 code units. */
  readonly characters: number;
  /** Number of values in it, itself included. */
  readonly values: number;
  /** Maximum number of objects and lists inside each other. */
  readonly depth: number;
}

/** Measures a JSON value until it exceeds a limit; of one that does, the result says only that. */
export function measureValue(value: unknown, limit: ValueSize): ValueSize {
  let size: ValueSize = { characters: 0, values: 1, depth: 0 };
  // Level by level, because a value can be nested deeper than calls.
  for (let level: readonly unknown[] = [value]; level.length > 0 && !exceeds(size, limit);) {
    const next: unknown[] = [];
    let { characters, values } = size;
    for (const one of level) {
      if (typeof one === 'string') characters += one.length;
      if (typeof one !== 'object' || one === null) continue;
      const inner = Array.isArray(one) ? (one as readonly unknown[]) : Object.values(one);
      if (!Array.isArray(one)) for (const name of Object.keys(one)) characters += name.length;
      values += inner.length;
      if (values > limit.values || characters > limit.characters) break;
      next.push(...inner);
    }
    size = { characters, values, depth: next.length > 0 ? size.depth + 1 : size.depth };
    level = next;
  }
  return size;
}

/** Tests whether a size is over a limit. */
export function exceeds(size: ValueSize, limit: ValueSize): boolean {
  return size.characters > limit.characters || size.values > limit.values || size.depth > limit.depth;
}
