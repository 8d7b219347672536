/** What is to be done at a key; without a value the key is removed. */
export interface ConfigEdit {
  /** At least one part. */
  readonly path: readonly string[];
  readonly value?: unknown;
}

/** A kind of settings file that can be changed without touching what is around the change. */
export interface ConfigFormat {
  /**
   * What the file says.
   *
   * @throws Error with the reason when it cannot be read
   */
  parse(text: string): unknown;
  /** The text after a change of a key; comments and everything else stay as they are. */
  apply(text: string, edit: ConfigEdit): string;
  /** A value as it would stand in the file. */
  show(value: unknown): string;
}

/** The value at a key; undefined when there is none. */
export function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}
