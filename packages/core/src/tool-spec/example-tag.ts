import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { getTagName } from '../protocol/verbs.ts';
import { unicodePattern } from './plain-text.ts';

/**
 * Maximum length of a value, above which an example would be unreadable; then of one with fields or elements, which may
 * have no shorter valid form.
 */
const LONGEST_VALUE = 80;
const LONGEST_JSON = 400;

/** Example texts by `tool.parameter`; the first match counts. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^glob\.(pattern|target)$/, 'src/**/*.ts'],
  [/^grep\.path$/, 'src'],
  [/(pattern|query|search|regex)$/, 'TODO'],
  [/(dir|directory|folder)$/, 'src'],
  [/(target|path|file|file_?name)$/, 'src/app.ts'],
  [/(title|subject)$/, 'New title'],
  [/id$/, '1'],
  [/(url|link)$/, 'https://example.com'],
  [/date$/, '2026-01-31'],
  [/name$/, 'main'],
  [/old$/, 'old text'],
  [/new$/, 'new text'],
];

/** A text that needs no quotes. */
const UNQUOTED = unicodePattern(String.raw`^[\p{L}\p{N}_./:@#*+-]+$`);

/** Example values of the types besides `string` and `json`. */
const VALUES = new Map<string, unknown>(
  Object.entries({ int: 1, number: 1, boolean: true, 'string[]': ['one', 'two'] }),
);

interface Argument {
  readonly param: ParamSpec;
  readonly isFirst: boolean;
  readonly value: unknown;
}

/**
 * Creates one literal call that would work, derived from a signature. It contains the first parameter, the required
 * ones and the known ones. Values that cannot be written in a tag go into a JSON body, if the tool takes no other body.
 * An optional body is left out if a later parameter has an example: the caller then copies a change of one field, not
 * of the whole text.
 *
 * @param valid the valid arguments; one that is too long to read at a glance is replaced
 */
export function makeExampleTag(spec: ToolSpec, valid: Readonly<Record<string, unknown>> = {}): string {
  // A parameter may be called `constructor`.
  const known = { __proto__: null, ...valid } as Readonly<Record<string, unknown>>;
  if (spec.name === 'go') return `@${formatValue(known['target'] ?? '') || 'home'}()`;
  const body = spec.params.find((param) => param.body === true);
  const others = spec.params.filter((param) => param !== body);
  const isBodyOptional = body !== undefined && 'default' in body;
  const replacesBody = isBodyOptional ? others.slice(1).find(({ example }) => example !== undefined) : undefined;
  const choose = (param: ParamSpec, isFirst: boolean): unknown => {
    const given = { param, isFirst, value: known[param.name] };
    const isUsable = isReadable(given, spec) && (body === undefined || param === body || fitsTag(given, spec));
    return isUsable ? given.value : makeExampleValue(param, spec.name);
  };
  const chosen = others.filter(
    (param, index) => index === 0 || !('default' in param) || known[param.name] !== undefined || param === replacesBody,
  );
  const values = new Map(chosen.map((param) => [param.name, choose(param, param === others[0])]));
  const [first] = others;
  if (body !== undefined && replacesBody === undefined) {
    values.set(body.name, choose(body, false));
    const target = formatValue(values.get(first?.name ?? ''));
    // An edit of a line range needs the text that replaces the lines.
    if (first && spec.name === 'edit' && spec.range === true && !/:\d/.test(target))
      values.set(first.name, `${target}:1-3`);
  }
  return formatCall(spec, values);
}

/**
 * Formats a call with these values, by parameter, as a tag. Values that cannot be written in a tag go into a JSON body,
 * if the tool takes no other body.
 *
 * @param namesFirst whether the first parameter is written with its name, too. Default: false
 */
export function formatCall(spec: ToolSpec, values: ReadonlyMap<string, unknown>, namesFirst = false): string {
  const body = spec.params.find((param) => param.body === true);
  const others = spec.params.filter((param) => param !== body);
  const declared = new Set(spec.params.map(({ name }) => name));
  const more = [...values.keys()].filter((name) => !declared.has(name)).map((name) => ({ name, type: 'json' }));
  const args = [...others, ...more]
    .filter(({ name }) => values.has(name))
    .map((param): Argument => ({ param, isFirst: param === others[0] && !namesFirst, value: values.get(param.name) }));
  const inJson = body === undefined ? args.filter((arg) => !fitsTag(arg, spec)) : [];
  const inTag = args.filter((arg) => !inJson.includes(arg)).map(formatArgument);
  if (body !== undefined && values.has(body.name)) return formatTag(spec, inTag, formatValue(values.get(body.name)));
  if (inJson.length === 0) return formatTag(spec, inTag, undefined);
  const fields = Object.fromEntries(inJson.map(({ param, value }) => [param.name, value]));
  return formatTag(spec, inTag, `\n${JSON.stringify(fields)}\n`);
}

function isReadable({ isFirst, value }: Argument, { name }: ToolSpec): boolean {
  if (value === undefined) return false;
  if (formatValue(value).length > (typeof value === 'object' ? LONGEST_JSON : LONGEST_VALUE)) return false;
  // Only a read can be written without its argument.
  return !isFirst || name === 'read' || formatValue(value).trim() !== '';
}

/** Names that can be written before a value. */
const KEYWORD = /^[^\s=<>,"']+$/;
/** Texts that would be read as another value where a parameter takes any. */
const LITERAL = /^(?:[-+\d."{[]|(?:true|false|null|yes|no|on|off)$)/i;

function fitsTag({ param, isFirst, value }: Argument, { name }: ToolSpec): boolean {
  if (typeof value === 'object' && !Array.isArray(value)) return false;
  if (!isFirst && !KEYWORD.test(param.name)) return false;
  if (typeof value === 'string' && isMixed(param.type) && LITERAL.test(value.trim())) return false;
  const text = formatValue(value);
  if (/[\r\n]/.test(text)) return false;
  return (isFirst && name === 'grep') || !/[<>]/.test(text);
}

/** Tests whether a type includes both texts and other values. */
function isMixed(type: string): boolean {
  return type === 'json' || /\b(?:int|number|boolean)\b/.test(type);
}

function formatArgument({ param, isFirst, value }: Argument): string {
  // Only a list of texts can be written without brackets.
  const json = Array.isArray(value) && param.type === 'json' ? JSON.stringify(value) : undefined;
  return isFirst ? (json ?? formatValue(value)) : `${param.name}=${json ?? quoteIfNeeded(value, param.name)}`;
}

function quoteIfNeeded(value: unknown, name: string): string {
  const isPlainList =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'string' && !/[",]|^\s|\s$/.test(item));
  if ((Array.isArray(value) && !isPlainList) || (typeof value === 'object' && !Array.isArray(value)))
    return JSON.stringify(value);
  const text = formatValue(value);
  if (UNQUOTED().test(text)) return text;
  // In the texts of an edit, a backslash is part of the code.
  const escaped =
    name === 'old' || name === 'new' ? text.replaceAll('"', String.raw`\"`) : JSON.stringify(text).slice(1, -1);
  return `"${escaped}"`;
}

function formatTag({ name }: ToolSpec, words: readonly string[], body: string | undefined): string {
  const tag = getTagName(name);
  const arg = words.join(' ');
  if (body === undefined) return name === 'write' ? `<${tag}:${arg}></${tag}>` : `<${tag}:${arg}>`;
  if (body.includes('</')) return `<${tag}:${arg}>\n${body}\n</${tag}:${arg}>`;
  const inner = body.includes('\n') && !body.startsWith('\n') ? `\n${body}\n` : body;
  return `<${tag}:${arg}>${inner}</${tag}>`;
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(formatValue).join(', ') : (JSON.stringify(value) ?? '');
}

/**
 * Returns a value that a parameter is likely to accept: its own example or default, otherwise one that matches its type
 * and name.
 *
 * @param tool the name of the tool that has the parameter
 */
export function makeExampleValue(param: ParamSpec, tool: string): unknown {
  if (param.example !== undefined) return param.example;
  if (!isEmpty(param.default)) return param.default;
  if (param.type === 'json') return {};
  const [type = ''] = param.type.split('|');
  if (type !== 'string') return VALUES.get(type) ?? type;
  return TEXTS.find(([pattern]) => pattern.test(`${tool}.${param.name}`.toLowerCase()))?.[1] ?? 'text';
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
