import { safeParseAsync, type $ZodType } from 'zod/v4/core';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import { parseJson } from '../tag-parser/foreign/json-calls.ts';
import { joinChoices, quoteJson } from './quote-json.ts';

interface Target {
  /** Type: `string`, `int`, `number`, `boolean`, `string[]`, `json`, or alternatives `a|b|c`. */
  readonly type: string;
  /** The parameter's own schema, if any. */
  readonly schema?: $ZodType | undefined;
}

type Coerced =
  | { readonly ok: true; readonly value: unknown }
  /** `nearest` is the choice that was probably meant. */
  | { readonly ok: false; readonly problem: string; readonly nearest?: string | undefined };

/** Marks a value that cannot be converted; it never equals a real value. */
const NO_FIT = Symbol('no fit');

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TRUE = new Set(['true', 'yes', 'on', '1']);
const FALSE = new Set(['false', 'no', 'off', '0']);

const RULES: ReadonlyMap<string, (value: unknown) => unknown> = new Map([
  ['string', toPlainText],
  ['int', toInteger],
  ['number', toNumber],
  ['boolean', toBoolean],
  ['string[]', toTextList],
]);

/** Converts a sent value (text, or a value of a JSON call) to the type of a parameter. */
export async function coerce(value: unknown, target: Target): Promise<Coerced> {
  if (value === null && (await accepts(target.schema, null))) return { ok: true, value };
  if (target.type === 'json') return { ok: true, value: await coerceJson(value, target.schema) };
  const rule = RULES.get(target.type);
  if (rule === undefined) return coerceChoice(value, target);
  const result = rule(value);
  if (result !== NO_FIT) return { ok: true, value: result };
  return { ok: false, problem: `expected ${target.type}, got ${quoteJson(value)}` };
}

async function coerceChoice(value: unknown, { type, schema }: Target): Promise<Coerced> {
  const literals = literalsOf(schema);
  const choices = literals.length > 0 ? literals : type.split('|');
  const text = toPlainText(value);
  const choice = typeof text === 'string' ? findChoice(text, choices) : undefined;
  const rules = literals.length > 0 ? [] : choices.map((option) => RULES.get(String(option)));
  const read = rules.map((rule) => rule?.(value) ?? NO_FIT).filter((result) => result !== NO_FIT);
  // A choice in other letters is meant only if nothing else fits.
  const exact = choices.filter((option) => String(option) === text);
  for (const result of [...exact, ...read]) if (await accepts(schema, result)) return { ok: true, value: result };
  const [meant] = choice === undefined ? read : [choice];
  if (meant !== undefined) return { ok: true, value: meant };
  const nearest = typeof text === 'string' ? findNearestName(text, choices.map(String)) : undefined;
  const suggestion = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  const expected = choices.length === 1 ? String(choices[0]) : `one of ${joinChoices(choices)}`;
  return { ok: false, problem: `expected ${expected}; got ${quoteJson(value)}${suggestion}`, nearest };
}

/** Reads the literals from the schema, because they may not be strings; the type name only has their spelling. */
function literalsOf(schema: $ZodType | undefined): readonly unknown[] {
  return [...(schema?._zod.values ?? [])].filter((value) => value !== undefined && value !== null);
}

function findChoice(text: string, choices: readonly unknown[]): unknown {
  const folded = text.toLowerCase();
  const exact = choices.find((choice) => String(choice) === text);
  return exact ?? choices.find((choice) => String(choice).toLowerCase() === folded);
}

function toPlainText(value: unknown): unknown {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : NO_FIT;
}

function toNumber(value: unknown): unknown {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  // Adding 0 turns -0 into 0.
  return Number.isFinite(number) ? (number as number) + 0 : NO_FIT;
}

function toInteger(value: unknown): unknown {
  const number = typeof value === 'string' && !INTEGER.test(value) ? NO_FIT : toNumber(value);
  return Number.isSafeInteger(number) ? number : NO_FIT;
}

function toBoolean(value: unknown): unknown {
  const word = String(toPlainText(value)).toLowerCase();
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : NO_FIT;
}

function toTextList(value: unknown): unknown {
  if (typeof value === 'string') {
    const parsed = value.trimStart().startsWith('[') ? parseJson(value) : undefined;
    if (Array.isArray(parsed)) return toTextList(parsed);
    const words = value.split(',').map((word) => word.trim());
    return words.filter((word) => word !== '');
  }
  if (!Array.isArray(value)) return NO_FIT;
  const texts = Array.from(value, toPlainText);
  return texts.includes(NO_FIT) ? NO_FIT : texts;
}

async function coerceJson(value: unknown, schema: $ZodType | undefined): Promise<unknown> {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  if (parsed === undefined) return value;
  // Text that happens to be valid JSON stays text if only text is accepted.
  const isText = !(await accepts(schema, parsed)) && (await accepts(schema, value));
  return isText ? value : parsed;
}

/** Tests whether a schema exists and accepts a value; false also when it throws. */
export async function accepts(schema: $ZodType | undefined, value: unknown): Promise<boolean> {
  if (schema === undefined) return false;
  try {
    return (await safeParseAsync(schema, value)).success;
  } catch {
    return false;
  }
}
