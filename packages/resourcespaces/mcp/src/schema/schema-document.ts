import { RE2JS } from 're2js';

export type Fields = Readonly<Record<string, unknown>>;

/** A JSON Schema, or a part of one. */
export type Schema = Fields | boolean;

/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example']);

/** Keywords whose values are schemas by name. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);

/** The address of a schema that does not give itself one. */
const NO_ADDRESS = 'json-schema:///';

/** A whole JSON Schema: resolves references inside it, and compiles its patterns. */
export class SchemaDocument {
  readonly root: Fields;
  /** The edition of JSON Schema: that of the protocol (2020-12) unless the schema names an older one. */
  readonly edition: 7 | 2019 | 2020;
  /** True if a keyword asks which parts of a value no other keyword has looked at. */
  readonly tracksUse: boolean;
  readonly #addresses = new Map<object, string>();
  /** Schemas by address, and by address and anchor. */
  readonly #named = new Map<string, Fields>();
  readonly #dynamic = new Set<string>();
  readonly #patterns = new Map<string, LinearPattern | undefined>();

  constructor(root: Fields) {
    this.root = root;
    const edition = String(root['$schema']);
    this.edition = /draft-0[3-7]/.test(edition) ? 7 : edition.includes('2019-09') ? 2019 : 2020;
    this.#named.set(NO_ADDRESS, root);
    const keywords = new Set<string>();
    this.#index({ value: root, address: NO_ADDRESS, isMap: false }, keywords);
    this.tracksUse = keywords.has('unevaluatedProperties') || keywords.has('unevaluatedItems');
  }

  /** Returns the address of the innermost schema with one that contains a part. */
  getAddress(part: object): string {
    return this.#addresses.get(part) ?? NO_ADDRESS;
  }

  /** Finds the schema that a part refers to; undefined if it is in another document, or does not exist. */
  find(reference: string, part: object): Schema | undefined {
    const [address, fragment] = resolveReference(reference, this.getAddress(part));
    const document = this.#named.get(address);
    if (document === undefined || fragment === '') return document;
    return fragment.startsWith('/') ? followPointer(document, fragment) : this.#named.get(`${address}#${fragment}`);
  }

  /** Finds the same for `$dynamicRef`: the outermost schema on the way to the part that has the anchor comes first. */
  findDynamic(reference: string, part: object, way: readonly string[]): Schema | undefined {
    const [address, fragment] = resolveReference(reference, this.getAddress(part));
    if (!this.#dynamic.has(`${address}#${fragment}`)) return this.find(reference, part);
    const outermost = way.map((one) => `${one}#${fragment}`).find((one) => this.#dynamic.has(one));
    return this.#named.get(outermost ?? `${address}#${fragment}`);
  }

  /** Finds the same for `$recursiveRef`, with which schemas refer to the outermost one that is a recursive anchor. */
  findRecursive(reference: string, part: object, way: readonly string[]): Schema | undefined {
    const nearest = this.find(reference, part);
    if (!isAnchor(nearest)) return nearest;
    return way.map((address) => this.#named.get(address)).find(isAnchor) ?? nearest;
  }

  /** Returns a pattern, compiled when it is first needed; undefined if only the server can match it. */
  getPattern(pattern: string): LinearPattern | undefined {
    if (!this.#patterns.has(pattern)) this.#patterns.set(pattern, compilePattern(pattern));
    return this.#patterns.get(pattern);
  }

  #index(
    { value, address, isMap }: { readonly value: unknown; readonly address: string; readonly isMap: boolean },
    keywords: Set<string>,
  ): void {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) this.#index({ value: item, address, isMap: false }, keywords);
      return;
    }
    const fields = value as Fields;
    const own = isMap ? address : this.#name(fields, address);
    this.#addresses.set(fields, own);
    for (const [key, inner] of Object.entries(fields)) {
      if (!isMap && DATA.has(key)) continue;
      if (!isMap) keywords.add(key);
      this.#index({ value: inner, address: own, isMap: !isMap && MAPS.has(key) }, keywords);
    }
  }

  /** Remembers a schema by the address and the anchors that it gives itself; returns its address. */
  #name(schema: Fields, around: string): string {
    const { $id, $anchor, $dynamicAnchor } = schema;
    // In older editions, an identifier may be an anchor.
    const [path = '', anchor] = typeof $id === 'string' ? $id.split('#', 2) : [];
    const [address] = path === '' ? [around] : resolveReference(path, around);
    if (path !== '') this.#named.set(address, schema);
    for (const name of [anchor, $anchor, $dynamicAnchor]) {
      if (typeof name === 'string' && name !== '') this.#named.set(`${address}#${name}`, schema);
    }
    if (typeof $dynamicAnchor === 'string') this.#dynamic.add(`${address}#${$dynamicAnchor}`);
    return address;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isFields(value);
}

/** Returns the schemas of a list; none if it is not a list. */
export function listSchemas(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isJsonSchema) : [];
}

/** Returns the schemas of an object by name. */
export function getSchemas(value: unknown): readonly (readonly [name: string, schema: Schema])[] {
  return isFields(value)
    ? Object.entries(value).flatMap(([name, one]) => (isJsonSchema(one) ? [[name, one] as const] : []))
    : [];
}

function isAnchor(schema: Schema | undefined): boolean {
  return isFields(schema) && schema['$recursiveAnchor'] === true;
}

/** Resolves a reference to the address of a document, and the place in it. */
function resolveReference(reference: string, from: string): readonly [address: string, fragment: string] {
  const whole = URL.parse(reference, from)?.href ?? reference;
  const end = whole.indexOf('#');
  if (end === -1) return [whole, ''];
  const fragment = whole.slice(end + 1);
  try {
    return [whole.slice(0, end), decodeURIComponent(fragment)];
  } catch {
    return [whole.slice(0, end), fragment];
  }
}

function followPointer(document: Fields, pointer: string): Schema | undefined {
  let at: unknown = document;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Fields)[key];
  }
  return isJsonSchema(at) ? at : undefined;
}

/** Tests whether a text contains a match, in time that depends only on the length of the text. */
type LinearPattern = (text: string) => boolean;

/** What `\s` and the dot mean in JavaScript, where RE2 knows fewer characters. */
const SPACES = String.raw`\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const LINE_ENDS = String.raw`\n\r\x{2028}\x{2029}`;

/** Compiles the pattern of a schema; returns undefined for one that needs more than linear time, or is malformed. */
export function compilePattern(pattern: string): LinearPattern | undefined {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(writeOut(pattern)));
    return (text) => compiled.test(text);
  } catch {
    return undefined;
  }
}

/** Writes out the classes that RE2 reads differently. */
function writeOut(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(/\\[^]|[.[\]]/g, (token) => {
    if (token === '[' || token === ']') isInClass = token === '[';
    if (token === String.raw`\s`) return isInClass ? SPACES : `[${SPACES}]`;
    if (token === String.raw`\S` && !isInClass) return `[^${SPACES}]`;
    return token === '.' && !isInClass ? `[^${LINE_ENDS}]` : token;
  });
}
