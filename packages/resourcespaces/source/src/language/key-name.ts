import type { PropertyKey } from 'oxc-parser';

/** What needs no brackets: identifiers, and names with hyphens. */
const PLAIN = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u;

/** A key of a class, interface or object. */
export interface KeyPlace {
  readonly key: PropertyKey;
  /** True when it is written between brackets. */
  readonly computed: boolean;
}

/** The segment of an address that names a key: `send`, `#state`, `[Symbol.iterator]`, `['two words']`. */
export function keyName({ key, computed }: KeyPlace, text: string): string {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  if (key.type === 'Identifier' && !computed) return key.name;
  if (key.type === 'Literal' && typeof key.value === 'string') return quotedName(key.value);
  // A copy: a part of a long text would keep all of it in memory.
  const written = Buffer.from(text.slice(key.start, key.end).replaceAll(/\s+/g, ' ')).toString();
  return computed ? `[${written}]` : written;
}

/** A name that was written between quotes: without them when it needs none. */
export function quotedName(value: string): string {
  return PLAIN.test(value) ? value : `['${value.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ')}']`;
}
