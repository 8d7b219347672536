import { config, util, type $ZodIssue, type $ZodRawIssue, type ParseContext } from 'zod/v4/core';
import { checkScalar } from './check-scalar.ts';
import {
  getSchemas,
  isFields,
  isJsonSchema,
  listSchemas,
  type Fields,
  type Schema,
  type SchemaDocument,
} from './schema-document.ts';

/** Work that may still be done, in steps of some 100 ns: no schema may keep a session busy. */
export interface WorkLimit {
  left: number;
}

/** Maximum number of schemas inside each other, where one is applied to a value. */
const DEEPEST = 400;
/** Maximum number of reasons: schemas that refer to each other would repeat them. */
const MOST_ISSUES = 50;

/** A value, the schema that is applied to it, and where the value is. */
export interface Place {
  readonly schema: Schema;
  readonly value: unknown;
  readonly path: readonly (string | number)[];
}

/** Names and indexes that some keyword has looked at. */
interface Use {
  readonly names: Set<string>;
  readonly items: Set<number>;
}

type Issues = readonly SchemaIssue[];

const NONE: Issues = [];

/**
 * Checks a value by a JSON Schema; returns the reasons why it is refused. What cannot be checked is left to the server
 * and accepted: references to other documents, patterns that need more than linear time, and everything if the work
 * exceeds the limit.
 */
export function checkValue(document: SchemaDocument, place: Place, work: WorkLimit): Issues {
  const check = new ValueCheck(document, work);
  const issues = check.run(place, { names: new Set(), items: new Set() });
  return check.isGivenUp ? NONE : issues;
}

class ValueCheck {
  isGivenUp = false;
  readonly #document: SchemaDocument;
  readonly #work: WorkLimit;
  /** What schemas that are referred to said, by schema and place: this keeps schemas that refer to each other cheap. */
  readonly #said = new Map<Schema, Map<string, { readonly issues: Issues; readonly use: Use }>>();
  /** Addresses of the schemas on the way. */
  readonly #way: string[] = [];
  #depth = 0;

  constructor(document: SchemaDocument, work: WorkLimit) {
    this.#document = document;
    this.#work = work;
  }

  /** @param use what is looked at is added, if the value is accepted */
  run(place: Place, use: Use): Issues {
    if (!this.#spend(1) || this.#depth > DEEPEST) {
      this.isGivenUp = true;
      return NONE;
    }
    const { schema, value, path } = place;
    if (schema === true) return NONE;
    if (schema === false) return [sayWords(path, value, 'expected nothing here')];
    this.#depth++;
    this.#way.push(this.#document.getAddress(schema));
    const own: Use = { names: new Set(), items: new Set() };
    const issues = this.#apply({ schema, value, path }, own);
    this.#way.pop();
    this.#depth--;
    if (issues.length === 0 && this.#document.tracksUse) addUse(use, own);
    return issues;
  }

  #apply(place: Place & { readonly schema: Fields }, own: Use): Issues {
    const { schema, value, path } = place;
    const issues: SchemaIssue[] = [];
    checkScalar(schema, value, (issue) => void issues.push({ input: value, path, ...issue } as SchemaIssue));
    if (typeof value === 'string' && typeof schema['pattern'] === 'string' && !this.#matches(schema['pattern'], value))
      issues.push(sayWords(path, value, `expected to match the pattern ${schema['pattern']}`));
    issues.push(...this.#followReferences(place, own), ...this.#combine(place, own));
    if (Array.isArray(value)) issues.push(...this.#checkItems(schema, value, { path, own }));
    else if (isFields(value)) issues.push(...this.#checkFields(schema, value, { path, own }));
    return issues.slice(0, MOST_ISSUES);
  }

  #followReferences({ schema, value, path }: Place & { readonly schema: Fields }, own: Use): Issues {
    const { $ref, $dynamicRef, $recursiveRef } = schema;
    const targets = [
      typeof $ref === 'string' ? this.#document.find($ref, schema) : undefined,
      typeof $dynamicRef === 'string' ? this.#document.findDynamic($dynamicRef, schema, this.#way) : undefined,
      typeof $recursiveRef === 'string' ? this.#document.findRecursive($recursiveRef, schema, this.#way) : undefined,
    ];
    return targets.flatMap((target) => {
      if (target === undefined) return NONE;
      const here = JSON.stringify(path);
      const said = this.#said.get(target) ?? new Map<string, { readonly issues: Issues; readonly use: Use }>();
      this.#said.set(target, said);
      let known = said.get(here);
      if (known === undefined) {
        const use: Use = { names: new Set(), items: new Set() };
        // A schema that refers to itself without looking into the value says nothing.
        said.set(here, { issues: NONE, use });
        known = { issues: this.run({ schema: target, value, path }, use), use };
        said.set(here, known);
      }
      addUse(own, known.use);
      return known.issues;
    });
  }

  /** Applies the keywords that combine schemas of the same value. */
  #combine({ schema, value, path }: Place & { readonly schema: Fields }, own: Use): Issues {
    const apply = (inner: Schema, use = own) => this.run({ schema: inner, value, path }, use);
    const issues = listSchemas(schema['allOf']).flatMap((one) => apply(one));
    for (const key of ['anyOf', 'oneOf'] as const) {
      const options = listSchemas(schema[key]);
      const said = options.map((one) => apply(one));
      const fitting = said.flatMap((one, index) => (one.length === 0 ? [index + 1] : []));
      if (options.length > 0 && fitting.length === 0) issues.push(...sayNoneFits(path, value, said));
      else if (key === 'oneOf' && fitting.length > 1)
        issues.push(
          sayWords(path, value, `expected to fit one alternative only, not both ${fitting.slice(0, 2).join(' and ')}`),
        );
    }
    const { not, if: condition } = schema;
    if (isJsonSchema(not) && apply(not, { names: new Set(), items: new Set() }).length === 0)
      issues.push(sayWords(path, value, `expected anything but ${quoteSchema(not)}`));
    if (isJsonSchema(condition)) {
      const next = schema[apply(condition).length === 0 ? 'then' : 'else'];
      if (isJsonSchema(next)) issues.push(...apply(next));
    }
    return issues;
  }

  #checkItems(
    schema: Fields,
    value: readonly unknown[],
    { path, own }: Pick<Place, 'path'> & { readonly own: Use },
  ): Issues {
    const { edition } = this.#document;
    const isTuple = Array.isArray(schema['items']);
    const first = listSchemas(isTuple || edition < 2020 ? schema['items'] : schema['prefixItems']);
    const others = schema[isTuple ? 'additionalItems' : 'items'];
    const issues: SchemaIssue[] = [];
    const apply = (index: number, inner: Schema) =>
      this.run({ schema: inner, value: value[index], path: [...path, index] }, newUse());
    for (const index of value.keys()) {
      const inner = first[index] ?? others;
      if (!isJsonSchema(inner)) continue;
      issues.push(...apply(index, inner));
      own.items.add(index);
    }
    const { contains } = schema;
    if (isJsonSchema(contains)) {
      const { minContains, maxContains } = edition < 2019 ? {} : schema;
      const [least, most] = [toCount(minContains) ?? 1, toCount(maxContains) ?? Infinity];
      const fitting = [...value.keys()].filter((index) => apply(index, contains).length === 0);
      if (edition === 2020) for (const index of fitting) own.items.add(index);
      if (fitting.length < least || fitting.length > most) {
        const count = fitting.length < least ? `at least ${least}` : `at most ${most}`;
        issues.push(sayWords(path, value, `expected ${count} of its items to fit ${quoteSchema(contains)}`));
      }
    }
    const { unevaluatedItems } = schema;
    if (isJsonSchema(unevaluatedItems) && edition >= 2019) {
      for (const index of value.keys()) {
        if (own.items.has(index)) continue;
        issues.push(...apply(index, unevaluatedItems));
        own.items.add(index);
      }
    }
    return issues;
  }

  #checkFields(schema: Fields, value: Fields, { path, own }: Pick<Place, 'path'> & { readonly own: Use }): Issues {
    const issues: SchemaIssue[] = [];
    const unknown: string[] = [];
    const { propertyNames, additionalProperties, unevaluatedProperties } = schema;
    const properties = isFields(schema['properties']) ? schema['properties'] : {};
    const patterns = getSchemas(schema['patternProperties']);
    const apply = (name: string, inner: Schema) => {
      own.names.add(name);
      if (inner === false) unknown.push(name);
      else issues.push(...this.run({ schema: inner, value: value[name], path: [...path, name] }, newUse()));
    };
    for (const name of Object.keys(value)) {
      if (isJsonSchema(propertyNames)) {
        const [wrong] = this.run({ schema: propertyNames, value: name, path: [...path, `name ${name}`] }, newUse());
        if (wrong !== undefined) {
          const message = `unknown key ${name}: its name has to fit ${quoteSchema(propertyNames)}`;
          issues.push({ code: 'unrecognized_keys', keys: [name], path, input: value, message });
        }
      }
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const fitting = patterns.filter(([pattern]) => this.#matches(pattern, name));
      if (isJsonSchema(declared)) apply(name, declared);
      for (const [pattern, inner] of fitting) if (this.#document.getPattern(pattern) !== undefined) apply(name, inner);
      if (!isJsonSchema(declared) && fitting.length === 0 && isJsonSchema(additionalProperties))
        apply(name, additionalProperties);
    }
    issues.push(...this.#checkNeeded(schema, value, path));
    for (const [name, inner] of this.#listDependent(schema)) {
      if (Object.hasOwn(value, name)) issues.push(...this.run({ schema: inner, value, path }, own));
    }
    if (isJsonSchema(unevaluatedProperties) && this.#document.edition >= 2019) {
      for (const name of Object.keys(value)) if (!own.names.has(name)) apply(name, unevaluatedProperties);
    }
    if (unknown.length > 0) {
      const inst = { _zod: { def: { shape: properties } } };
      issues.push({ code: 'unrecognized_keys', keys: unknown, path, input: value, inst });
    }
    return issues;
  }

  /** Returns the schemas for objects that have a property. */
  #listDependent(schema: Fields): readonly (readonly [name: string, schema: Schema])[] {
    const dependent = this.#document.edition >= 2019 ? getSchemas(schema['dependentSchemas']) : [];
    return [...dependent, ...getSchemas(schema['dependencies'])];
  }

  #checkNeeded(schema: Fields, value: Fields, path: Place['path']): Issues {
    const { required, dependencies } = schema;
    const dependent = this.#document.edition >= 2019 ? schema['dependentRequired'] : undefined;
    const lists = [
      required,
      ...[dependent, dependencies].flatMap((one) =>
        isFields(one) ? Object.entries(one).flatMap(([name, list]) => (Object.hasOwn(value, name) ? [list] : [])) : [],
      ),
    ];
    const needed = new Set(lists.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [])));
    const missing = [...needed].filter((name) => typeof name === 'string' && !Object.hasOwn(value, name));
    return missing.map((name) => sayRequired([...path, name as string]));
  }

  /** Tests whether a text has a match. Returns true if only the server can tell. */
  #matches(pattern: string, text: string): boolean {
    const matcher = this.#spend(text.length + 10 * pattern.length) ? this.#document.getPattern(pattern) : undefined;
    return matcher?.(text) ?? true;
  }

  #spend(steps: number): boolean {
    this.#work.left -= steps;
    if (this.#work.left < 0) this.isGivenUp = true;
    return !this.isGivenUp;
  }
}

function newUse(): Use {
  return { names: new Set(), items: new Set() };
}

function addUse(to: Use, from: Use): void {
  for (const name of from.names) to.names.add(name);
  for (const index of from.items) to.items.add(index);
}

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

type Path = readonly (string | number)[];

/** A reason why a schema refuses a value, in the terms of zod, so that all refusals read the same. */
interface SchemaIssue extends Fields {
  readonly code: string;
  readonly path: Path;
  readonly input: unknown;
  /** Of a choice between schemas: what each of them says. */
  readonly branches?: readonly (readonly SchemaIssue[])[];
}

/** Maximum length of a schema that is quoted, in characters. */
const LONGEST_QUOTE = 80;
/** Maximum number of alternatives that are described. */
const MOST_BRANCHES = 8;

function sayWords(path: Path, input: unknown, message: string): SchemaIssue {
  return { code: 'custom', path, input, message };
}

export function sayRequired(path: Path): SchemaIssue {
  return { code: 'invalid_type', expected: 'nonoptional', path, input: undefined };
}

/** Quotes a schema, unless it is long. */
function quoteSchema(schema: unknown): string {
  const text = JSON.stringify(schema);
  return text.length > LONGEST_QUOTE ? 'another schema' : text;
}

/** Says why none of several schemas takes a value: if it is of the kind that only one of them is for, what that one says. */
function sayNoneFits(path: Path, input: unknown, all: readonly (readonly SchemaIssue[])[]): readonly SchemaIssue[] {
  const near = all.filter((issues) => !issues.some((issue) => isOtherKind(issue, path)));
  const [only] = near;
  if (only !== undefined && near.length === 1) return only;
  const branches = near.length === 0 ? all : near;
  if (path.length === 0 && isFields(input)) return sayOneOfFields(branches);
  return [{ code: 'invalid_union', path, input, branches: branches.flatMap(listFirstReasons).slice(0, MOST_BRANCHES) }];
}

/** Lists what an alternative says first; of one that is itself a choice, what its alternatives say. */
function listFirstReasons([first]: readonly SchemaIssue[]): readonly (readonly SchemaIssue[])[] {
  if (first === undefined) return [];
  // A branch has no branches: they could be as many as there are ways through references.
  const { branches, ...issue } = first;
  return branches ?? [[issue]];
}

/** Tests whether an issue says that a value is of another kind: another type, or with another constant in a field. */
function isOtherKind({ code, path, input }: SchemaIssue, at: Path): boolean {
  const depth = path.length - at.length;
  if (depth === 0) return code === 'invalid_type' || code === 'invalid_value';
  return depth === 1 && code === 'invalid_value' && input !== undefined;
}

/** Of the arguments as a whole: says what the nearest alternative needs, and what the others need instead. */
function sayOneOfFields(branches: readonly (readonly SchemaIssue[])[]): readonly SchemaIssue[] {
  const [nearest = [], ...others] = branches.toSorted((a, b) => a.length - b.length);
  const missing = others.flatMap((issues) =>
    issues.filter(({ input, path }) => input === undefined && path.length === 1),
  );
  const names = [...new Set(missing.map(({ path }) => String(path[0])))];
  return nearest.map((issue) =>
    issue.input === undefined && issue.path.length === 1 && names.length > 0
      ? { ...issue, message: `required, or ${names.join(' or ')}` }
      : issue,
  );
}

/** Converts an issue to one of zod. Paths inside a branch begin at the value of the choice. */
export function toRawIssue({ branches, path, ...issue }: SchemaIssue, context: ParseContext | undefined): $ZodRawIssue {
  const finish = (inner: SchemaIssue): $ZodIssue =>
    util.finalizeIssue(toRawIssue({ ...inner, path: inner.path.slice(path.length) }, context), context, config());
  const errors = branches?.map((inner) => inner.map(finish));
  return { ...issue, path: [...path], ...(errors && { errors }) } as unknown as $ZodRawIssue;
}
