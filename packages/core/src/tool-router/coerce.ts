import type { $ZodType } from 'zod/v4/core';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import { accepts } from './example-call.ts';
import { listChoices, quoteValue } from './quote-value.ts';

/** The type that a value is converted to. */
interface Target {
  /** `string`, `int`, `number`, `boolean`, `string[]`, `json`, or alternatives `a|b|c`. */
  readonly type: string;
  /** The parameter's own schema, when there is one. */
  readonly schema?: $ZodType | undefined;
}

/** A value of the target's type, or what is wrong with the one that was sent. */
type Coerced = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

type Rule = (value: unknown) => unknown;

/** Marks a value that cannot be converted; no value of a tool can equal it. */
const NO_FIT = Symbol('no fit');

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['string', toText],
  ['int', toInteger],
  ['number', toNumber],
  ['boolean', toBoolean],
  ['string[]', toTexts],
]);

/** Turns what was sent (text, or a value of a JSON call) into a value of a parameter's type. */
export async function coerce(value: unknown, target: Target): Promise<Coerced> {
  if (value === null && (await accepts(target.schema, null))) return { ok: true, value };
  if (target.type === 'json') return { ok: true, value: await toJson(value, target.schema) };
  const rule = RULES.get(target.type);
  if (rule === undefined) return coerceChoice(value, target);
  const result = rule(value);
  if (result !== NO_FIT) return { ok: true, value: result };
  return { ok: false, problem: `expected ${target.type}, got ${quoteValue(value)}` };
}

function coerceChoice(value: unknown, { type, schema }: Target): Coerced {
  const literals = literalsOf(schema);
  const choices = literals.length > 0 ? literals : type.split('|');
  const text = toText(value);
  const choice = typeof text === 'string' ? spelled(text, choices) : undefined;
  if (choice !== undefined) return { ok: true, value: choice };
  const alternatives = literals.length > 0 ? [] : choices;
  for (const option of alternatives) {
    const result = RULES.get(String(option))?.(value) ?? NO_FIT;
    if (result !== NO_FIT) return { ok: true, value: result };
  }
  const near = typeof text === 'string' ? findNearestName(text, choices.map(String)) : undefined;
  const suggestion = near === undefined ? '' : ` (did you mean ${near}?)`;
  const expected = choices.length === 1 ? String(choices[0]) : `one of ${listChoices(choices)}`;
  return { ok: false, problem: `expected ${expected}; got ${quoteValue(value)}${suggestion}` };
}

/** The real values are in the schema and need not be text; the type name only has their spelling. */
function literalsOf(schema: $ZodType | undefined): readonly unknown[] {
  return [...(schema?._zod.values ?? [])].filter((value) => value !== undefined && value !== null);
}

function spelled(text: string, choices: readonly unknown[]): unknown {
  const folded = text.toLowerCase();
  const exact = choices.find((choice) => String(choice) === text);
  return exact ?? choices.find((choice) => String(choice).toLowerCase() === folded);
}

function toText(value: unknown): unknown {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : NO_FIT;
}

function toInteger(value: unknown): unknown {
  const number = typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
  // Adding 0 turns -0 into 0.
  return Number.isSafeInteger(number) ? (number as number) + 0 : NO_FIT;
}

function toNumber(value: unknown): unknown {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  return Number.isFinite(number) ? (number as number) + 0 : NO_FIT;
}

function toBoolean(value: unknown): unknown {
  const word = String(toText(value)).toLowerCase();
  return Object.hasOwn(BOOLEANS, word) ? BOOLEANS[word] : NO_FIT;
}

function toTexts(value: unknown): unknown {
  if (typeof value === 'string') {
    const parsed = parseJson(value);
    if (Array.isArray(parsed)) return toTexts(parsed);
    const words = value.split(',').map((word) => word.trim());
    return words.filter((word) => word !== '');
  }
  if (!Array.isArray(value)) return NO_FIT;
  const texts = Array.from(value, toText);
  return texts.includes(NO_FIT) ? NO_FIT : texts;
}

async function toJson(value: unknown, schema: $ZodType | undefined): Promise<unknown> {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  if (parsed === undefined) return value;
  // Text that happens to read as JSON stays text where only text is wanted.
  const isText = !(await accepts(schema, parsed)) && (await accepts(schema, value));
  return isText ? value : parsed;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
