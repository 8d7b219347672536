import { ParameterError } from '@bae/core';

/** A change of the value at a key; without a value the key is removed. */
interface ConfigEdit {
  /** At least one part. */
  readonly path: readonly string[];
  readonly value?: unknown;
}

/** A kind of settings file whose values can be changed without touching what is around them. */
export interface ConfigFormat {
  /**
   * The data of a file.
   *
   * @throws Error with the reason when it cannot be parsed
   */
  parse(text: string): unknown;
  /** The text after a change of a key; comments and everything else stay as they are. */
  apply(text: string, edit: ConfigEdit): string;
  /** A value as it would stand in the file. */
  show(value: unknown): string;
}

/** The value at a key; undefined when there is none. */
export function getValue(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

/**
 * The parts of a dotted key: `scripts.test`, and with quotes where a part contains dots:
 * `exports."./pipeline".types`. A number is the place in a list, from 0.
 *
 * @throws ParameterError when a part is empty or a quote is open
 */
export function parseKeyPath(key: string): readonly string[] {
  if (key === '') return [];
  const parts: string[] = [];
  const pattern = /(?:"((?:[^"\\]|\\.)*)"|([^."]+))(\.|$)/gy;
  let isComplete = false;
  for (const [, quoted, plain, end] of key.matchAll(pattern)) {
    parts.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\(.)/g, '$1'));
    isComplete = end === '';
  }
  if (isComplete) return parts;
  const fact = `'${key.slice(0, 80)}' is no key: its parts are separated by single dots.`;
  throw new ParameterError(`${fact} A part that has dots itself stands in quotes.`, [
    '<R:package.scripts.test>',
    '<R:package.exports."./index">',
  ]);
}

/** A key as the parsers of settings files take it: places in lists are numbers. */
export function toSegments(path: readonly string[]): (string | number)[] {
  return path.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** A key as it is written, with quotes where they are needed. */
export function formatKeyPath(parts: readonly string[]): string {
  return parts
    .map((part) => (/^[^."]+$/.test(part) ? part : `"${part.replaceAll(/["\\]/g, String.raw`\$&`)}"`))
    .join('.');
}
