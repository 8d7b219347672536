import { globalRegistry, type $ZodType, type $ZodTypes, safeParse } from 'zod/v4/core';
import type { ParamSpec, ToolDefinition, ToolSpec } from '../protocol/tool-definition.ts';
import { makeExampleTag, makeExampleValue } from './example-tag.ts';

/** Source of a literal example. */
export interface TagSource {
  readonly definition: Pick<ToolDefinition, 'spec' | 'params' | 'isLazy'>;
  /** Values that are already valid, by parameter. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** Creates a literal call with example values in addition to the known ones. */
export function makeExampleCall({ definition, known }: TagSource): string {
  const unusual = definition.isLazy === true ? {} : findUnusualValues(definition);
  return makeExampleTag(definition.spec, { ...unusual, ...known });
}

/** Cached, because finding them takes many tries, and each display of a place has an example. */
const unusualValues = new WeakMap<ToolSpec, Readonly<Record<string, unknown>>>();

/** Maximum number of times that the values of an example are changed until they fit together. */
const MOST_ROUNDS = 4;

/** Finds values for the parameters of an example if the schema would not accept the usual ones. */
function findUnusualValues({ spec, params }: TagSource['definition']): Readonly<Record<string, unknown>> {
  const known = unusualValues.get(spec);
  if (known !== undefined) return known;
  const { shape } = params._zod.def;
  const choose = (param: ParamSpec): unknown => {
    const usual = makeExampleValue(param, spec.name);
    const schema = shape[param.name];
    const found = schema === undefined || acceptsNow(schema, usual) ? usual : findExample(schema);
    return found === undefined ? usual : found;
  };
  const primary = spec.params.find((param) => param.body !== true);
  const required = spec.params.filter((param) => param === primary || !('default' in param));
  const values = new Map(required.map((param) => [param.name, choose(param)]));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const issues = listIssues(params, Object.fromEntries(values));
    const before = values.size;
    const next = spec.params.find(({ name, body }) => !values.has(name) && body !== true);
    // Of the fields as a whole, one more may be needed.
    if (next !== undefined && issues.some(({ isTooFew }) => isTooFew)) values.set(next.name, choose(next));
    for (const { name, wanted } of issues) {
      const param = spec.params.find((one) => one.name === name);
      if (param === undefined) continue;
      if (!values.has(name)) values.set(name, choose(param));
      else if (wanted !== undefined) values.set(name, wanted);
    }
    if (issues.length === 0 || (values.size === before && issues.every(({ wanted }) => wanted === undefined))) break;
  }
  const isUsual = ([name, value]: readonly [string, unknown]) =>
    required.some((param) => param.name === name && makeExampleValue(param, spec.name) === value);
  const found = Object.fromEntries([...values].filter((entry) => !isUsual(entry)));
  unusualValues.set(spec, found);
  return found;
}

interface ExampleIssue {
  /** The parameter whose value is missing or refused. */
  readonly name: string;
  /** A value that the schema says it accepts instead. */
  readonly wanted?: unknown;
  /** True if there are too few values. */
  readonly isTooFew: boolean;
}

/** Lists what a schema says of values together. */
function listIssues(schema: $ZodType, values: object): readonly ExampleIssue[] {
  try {
    const issues = safeParse(schema, values).error?.issues ?? [];
    return issues.map((issue) => {
      const isChoice = issue.code === 'invalid_value' && issue.path.length === 1;
      const isTooFew = issue.code === 'too_small' && issue.path.length === 0;
      return { name: String(issue.path[0]), isTooFew, ...(isChoice && { wanted: issue.values[0] }) };
    });
  } catch {
    return [];
  }
}

const DEEPEST = 4;

const TEXTS = [
  'text',
  'a longer text',
  'a text that is as long as it has to be here',
  'x',
  '1',
  'me@example.com',
  'https://example.com',
  '2026-01-31',
  '2026-01-31T12:00:00Z',
  '00000000-0000-4000-8000-000000000000',
];
const LONG_TEXT = 'a text that is as long as it has to be here, ';
const ANYTHING = [{}, 'text', 1, true, [], null];
const NUMBERS = [1, 0, 2, 5, 10, 50, 100, 1000, 0.5, -1];

/** Finds a small value that a schema accepts, by trial; returns undefined if it accepts none of those tried. */
export function findExample(schema: $ZodType, depth = 0): unknown {
  if (depth > DEEPEST) return undefined;
  for (const candidate of listCandidates(schema as $ZodTypes, depth))
    if (acceptsNow(schema, candidate)) return candidate;
  return undefined;
}

/** Yields candidates one by one, because making those of a union takes long. */
function* listCandidates(schema: $ZodTypes, depth: number): Generator {
  const { def } = schema._zod;
  const { examples } = globalRegistry.get(schema) ?? {};
  if (Array.isArray(examples)) yield* examples as unknown[];
  const bounds = readBounds(schema);
  const inside = (inner: $ZodType) => findExample(inner, depth + 1);
  switch (def.type) {
    case 'string':
      yield* TEXTS;
      return yield LONG_TEXT.repeat(Math.ceil(bounds.least / LONG_TEXT.length)).slice(0, bounds.least);
    case 'number':
      yield* NUMBERS;
      return yield* listBoundaryNumbers(bounds);
    case 'boolean':
      return yield* [true, false];
    case 'enum':
    case 'literal':
      return yield* schema._zod.values ?? [];
    case 'array': {
      const item = inside(def.element);
      yield* [[item], [], [item, item], [item, item, item, item]];
      return yield Array.from({ length: bounds.least }, () => item);
    }
    case 'tuple':
      return yield def.items.map(inside);
    case 'intersection': {
      const [left, right] = [inside(def.left), inside(def.right)];
      return yield* [left, right, { ...Object(left), ...Object(right) }];
    }
    case 'object':
      return yield* [makeFields(def.shape, depth), makeFields(def.shape, depth, true)];
    case 'record': {
      const value = inside(def.valueType);
      return yield* [{}, { name: value }, { name: value, other: value }];
    }
    case 'union':
      for (const option of def.options) yield inside(option);
      return yield* ANYTHING;
    case 'lazy':
      return yield inside(def.getter());
    case 'pipe':
      return yield inside(def.in);
    default:
      return yield* 'innerType' in def ? [inside(def.innerType)] : ANYTHING;
  }
}

/** Bounds of a number, of the length of a text, or of the number of elements of a list. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

/** Maximum length of a text or list in an example; a longer one would not be readable. */
const LONGEST = 400;

function readBounds({ _zod: { def } }: $ZodTypes): Bounds {
  let [least, most, step] = [-Infinity, Infinity, 1];
  for (const { _zod } of def.checks ?? []) {
    const check = _zod.def as { readonly check: string } & Readonly<Record<string, unknown>>;
    if (check.check === 'greater_than') least = Math.max(least, Number(check['value']));
    if (check.check === 'less_than') most = Math.min(most, Number(check['value']));
    if (check.check === 'multiple_of') step = Number(check['value']);
    if (check.check.endsWith('length')) least = Math.max(least, Number(check['minimum'] ?? check['length'] ?? 0));
  }
  if (def.type !== 'number') return { least: Math.min(Math.max(least, 0), LONGEST), most, step };
  if (least === -Infinity) least = most === Infinity ? 0 : most;
  return { least, most: most === Infinity ? least : most, step };
}

/** Yields the numbers at both bounds, and the nearest inside them. */
function* listBoundaryNumbers({ least, most, step }: Bounds): Generator<number> {
  const [first, last] = [Math.ceil(least / step) * step, Math.floor(most / step) * step];
  yield* [step, first, first + step, last, last - step, (least + most) / 2];
}

/** Makes the required fields of an object, or all. */
function makeFields(shape: Readonly<Record<string, $ZodType>>, depth: number, isWhole = false): object {
  const fields: [name: string, value: unknown][] = [];
  for (const [name, schema] of Object.entries(shape)) {
    if (isWhole || !acceptsNow(schema, undefined)) fields.push([name, findExample(schema, depth + 1)]);
  }
  return Object.fromEntries(fields);
}

/** Returns true if a schema accepts a value synchronously; false also if it throws. */
export function acceptsNow(schema: $ZodType, value: unknown): boolean {
  try {
    return safeParse(schema, value).success;
  } catch {
    return false;
  }
}
