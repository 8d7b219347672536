import { isFields, type Fields } from './schema-document.ts';

/** The names of the types of JSON, as texts name them. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isFields,
};

/** Lists the types that a schema allows; undefined if it does not restrict them. */
export function listTypes({ type, nullable }: Fields): readonly string[] | undefined {
  const types = (Array.isArray(type) ? (type as unknown[]) : [type]).filter(
    (one) => typeof one === 'string' && Object.hasOwn(TYPES, one),
  ) as string[];
  if (types.length === 0 || (Array.isArray(type) && types.length < type.length)) return undefined;
  return nullable === true ? [...types, 'null'] : types;
}

/** Checks the keywords that do not apply other schemas: type, choices, bounds. */
export function checkScalar(schema: Fields, value: unknown, report: (issue: Fields) => void): void {
  const types = listTypes(schema);
  if (types !== undefined && !types.some((type) => TYPES[type]!(value))) {
    const expected = types.map((type) => (type === 'integer' ? 'int' : type)).join(' or ');
    report({ code: 'invalid_type', expected });
  }
  checkChoices(schema, value, report);
  if (typeof value === 'number') checkNumber(schema, value, report);
  else if (typeof value === 'string')
    checkLength(['minLength', 'maxLength'], { schema, origin: 'string', size: Array.from(value).length }, report);
  else if (Array.isArray(value)) {
    checkLength(['minItems', 'maxItems'], { schema, origin: 'array', size: value.length }, report);
    if (schema['uniqueItems'] === true && new Set(value.map(toComparableText)).size < value.length)
      report({ code: 'custom', message: 'expected items that all differ' });
  } else if (isFields(value))
    checkLength(['minProperties', 'maxProperties'], { schema, origin: 'map', size: Object.keys(value).length }, report);
}

function checkChoices(schema: Fields, value: unknown, report: (issue: Fields) => void): void {
  const choices = Array.isArray(schema['enum']) ? [schema['enum'] as unknown[]] : [];
  for (const values of Object.hasOwn(schema, 'const') ? [...choices, [schema['const']]] : choices) {
    const isPlain = values.every((one) => typeof one !== 'object' || one === null);
    if (isPlain ? values.includes(value) : values.some((one) => toComparableText(one) === toComparableText(value)))
      continue;
    const shown = values.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one));
    report({ code: 'invalid_value', values: shown });
  }
}

function checkNumber(schema: Fields, value: number, report: (issue: Fields) => void): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const origin = 'number';
  // In draft 4, these are flags.
  const [above, below] = [
    exclusiveMinimum === true ? minimum : exclusiveMinimum,
    exclusiveMaximum === true ? maximum : exclusiveMaximum,
  ];
  if (typeof above === 'number' && value <= above)
    report({ code: 'too_small', origin, minimum: above, inclusive: false });
  else if (typeof minimum === 'number' && value < minimum)
    report({ code: 'too_small', origin, minimum, inclusive: true });
  if (typeof below === 'number' && value >= below)
    report({ code: 'too_big', origin, maximum: below, inclusive: false });
  else if (typeof maximum === 'number' && value > maximum)
    report({ code: 'too_big', origin, maximum, inclusive: true });
  if (typeof multipleOf === 'number' && multipleOf > 0 && !Number.isInteger(value / multipleOf))
    report({ code: 'not_multiple_of', divisor: multipleOf });
}

interface Sized {
  readonly schema: Fields;
  readonly origin: 'string' | 'array' | 'map';
  readonly size: number;
}

function checkLength(
  [least, most]: readonly [least: string, most: string],
  { schema, origin, size }: Sized,
  report: (issue: Fields) => void,
): void {
  const [minimum, maximum] = [schema[least], schema[most]];
  if (typeof minimum === 'number' && size < minimum) report({ code: 'too_small', origin, minimum, inclusive: true });
  if (typeof maximum === 'number' && size > maximum) report({ code: 'too_big', origin, maximum, inclusive: true });
}

/** Returns a text that is the same for equal values of JSON, whatever the order of fields. */
function toComparableText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isFields(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
