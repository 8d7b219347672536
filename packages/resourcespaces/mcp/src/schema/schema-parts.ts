import { listTypes } from './check-scalar.ts';
import {
  getSchemas,
  isFields,
  isJsonSchema,
  listSchemas,
  type Fields,
  type Schema,
  type SchemaDocument,
} from './schema-document.ts';

/** Maximum number of schemas that are looked at for one value. */
const MOST_PARTS = 200;
/** Maximum number of choices between schemas inside each other. */
const MOST_LEVELS = 3;

/** The schema of a property that is only named as required. */
const ONLY_REQUIRED: Schema = {};

/** What a schema says about the properties of an object. */
export interface PropertyList {
  /** Schemas by name: each value has to fit one of them. */
  readonly schemas: ReadonlyMap<string, readonly Schema[]>;
  readonly required: ReadonlySet<string>;
  /** The schema of other properties: false if there may be none, undefined if the schema does not mention them. */
  readonly others: Schema | undefined;
}

/** Lists a schema and those that apply together with it: what it refers to, and the parts of `allOf`. */
export function listSchemaParts(document: SchemaDocument, schema: Schema): readonly Fields[] {
  const parts = new Set<Fields>();
  const add = (one: Schema | undefined) => {
    if (one === undefined || typeof one === 'boolean' || parts.has(one) || parts.size === MOST_PARTS) return;
    parts.add(one);
    for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = one[key];
      if (typeof reference === 'string') add(document.find(reference, one));
    }
    listSchemas(one['allOf']).forEach(add);
  };
  add(schema);
  return [...parts];
}

/** Lists the schemas of which one applies: the alternatives of `anyOf` and `oneOf`. */
export function listAlternatives(parts: readonly Fields[]): readonly (readonly Schema[])[] {
  const lists = parts.flatMap((part) => [listSchemas(part['anyOf']), listSchemas(part['oneOf'])]);
  return lists.filter((list) => list.length > 0);
}

/** Collects the properties of an object from all parts of a schema, also from those that only apply to some objects. */
export function listProperties(document: SchemaDocument, parts: readonly Fields[], depth = 0): PropertyList {
  const schemas = new Map<string, readonly Schema[]>();
  const required = new Set<string>();
  for (const part of parts) {
    for (const [name, schema] of getSchemas(part['properties'])) {
      const known = schemas.get(name);
      schemas.set(name, [known === undefined ? schema : { allOf: [...known, schema] }]);
    }
    const { required: names } = part;
    for (const name of Array.isArray(names) ? (names as unknown[]) : [])
      if (typeof name === 'string') required.add(name);
  }
  const isSure = (name: string) => (schemas.get(name) ?? []).some((one) => !isUntyped(document, one));
  const sure = new Set([...schemas.keys()].filter(isSure));
  for (const options of depth > MOST_LEVELS ? [] : listConditional(parts)) {
    const lists = options.map((option) => listProperties(document, listSchemaParts(document, option), depth + 1));
    for (const [name, some] of lists.flatMap((list) => [...list.schemas])) {
      if (sure.has(name)) continue;
      const typed = [...(schemas.get(name) ?? []), ...some].filter((one) => !isUntyped(document, one));
      schemas.set(name, typed.length > 0 ? typed : some);
    }
    const [first, ...more] = lists;
    for (const name of first?.required ?? []) if (more.every((list) => list.required.has(name))) required.add(name);
  }
  const others = findOthers(parts);
  for (const name of required) if (!schemas.has(name)) schemas.set(name, [ONLY_REQUIRED]);
  for (const [name, [schema]] of others === false ? schemas : []) if (schema === ONLY_REQUIRED) schemas.delete(name);
  return { schemas, required, others };
}

/** Lists the schemas that only apply to some objects; of each list, one applies or none. */
function listConditional(parts: readonly Fields[]): readonly (readonly Schema[])[] {
  const conditional = parts.map((part) => {
    const dependent = [...getSchemas(part['dependentSchemas']), ...getSchemas(part['dependencies'])];
    // `true` stands for the case that none of them applies.
    return [part['then'], part['else'], ...dependent.map(([, schema]) => schema), true].filter(isJsonSchema);
  });
  return [...listAlternatives(parts), ...conditional.filter((list) => list.length > 1)];
}

/** Tests whether a schema says nothing about the type of a value. */
function isUntyped(document: SchemaDocument, schema: Schema): boolean {
  const keys = ['enum', 'const', 'anyOf', 'oneOf', 'properties', 'items', 'if'];
  return !listSchemaParts(document, schema).some(
    (part) => listTypes(part) !== undefined || keys.some((key) => key in part),
  );
}

function findOthers(parts: readonly Fields[]): Schema | undefined {
  const patterns = parts.flatMap(({ patternProperties }) => getSchemas(patternProperties).map(([, schema]) => schema));
  if (patterns.length > 0) return patterns.length === 1 ? patterns[0] : { anyOf: patterns };
  const others = parts.flatMap(({ additionalProperties, unevaluatedProperties }) =>
    [additionalProperties, unevaluatedProperties].filter(isJsonSchema),
  );
  return others.find((one) => one === false) ?? others.find(isFields) ?? others[0];
}
