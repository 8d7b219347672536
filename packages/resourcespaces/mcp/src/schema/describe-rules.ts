import { isFields, type Fields } from './schema-document.ts';

/** Longest pattern and longest rule that are quoted, in characters. */
const LONGEST_PATTERN = 80;
const LONGEST_RULE = 600;

/** Keywords about the arguments together, which no parameter shows. */
const RULES = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
];

/** What only describes a schema. */
const NOTES: ReadonlySet<string> = new Set(['description', 'title', 'examples', 'default', '$comment']);

/** Says in a few words which values fit, besides their type: `1 to 100; default 10`. */
export function describeBounds(parts: readonly Fields[], description: string): string {
  const read = (key: string) => parts.map((part) => part[key]).find((value) => value !== undefined);
  const [pattern, format, multipleOf, usual] = ['pattern', 'format', 'multipleOf', 'default'].map(read);
  const facts = [
    describeRange(toBound(read('minimum')), toBound(read('maximum')), ''),
    describeLimit('more than', toBound(read('exclusiveMinimum'))),
    describeLimit('less than', toBound(read('exclusiveMaximum'))),
    ...['Length', 'Items', 'Properties'].map((of, index) =>
      describeRange(toBound(read(`min${of}`)), toBound(read(`max${of}`)), [' characters', ' items', ' fields'][index]!),
    ),
    describeLimit('a multiple of', toBound(multipleOf)),
    read('uniqueItems') === true ? 'no item twice' : '',
    typeof format === 'string' ? format : '',
    typeof pattern === 'string' && pattern.length <= LONGEST_PATTERN ? `matches ${pattern}` : '',
    usual === undefined || /default/i.test(description) ? '' : `default ${JSON.stringify(usual)}`,
  ];
  return facts.filter((fact) => fact !== '').join('; ');
}

/** Quotes what a schema says of the arguments together; empty if it says nothing. */
export function describeRules(parts: readonly Fields[]): string {
  const rules = parts.flatMap((part) =>
    RULES.filter(
      (key) => (isFields(part[key]) && Object.keys(part[key]).length > 0) || restrictsArguments(part[key]),
    ).map((key) => [key, part[key]] as const),
  );
  if (rules.length === 0) return '';
  const text = JSON.stringify(Object.fromEntries(rules), (key, value: unknown) =>
    NOTES.has(key) && typeof value !== 'object' ? undefined : value,
  );
  return `Together, the arguments have to fit: ${text.length > LONGEST_RULE ? `${text.slice(0, LONGEST_RULE)}…` : text}`;
}

function restrictsArguments(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : typeof value === 'number';
}

/** Returns a bound that says something: some libraries write the limits of their numbers. */
function toBound(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}

function describeRange(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined)
    return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`;
  return describeLimit('at least', least, unit) || describeLimit('at most', most, unit);
}

function describeLimit(relation: string, limit: number | undefined, unit = ''): string {
  return limit === undefined ? '' : `${relation} ${limit}${unit}`;
}
