import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { getTagName } from '../protocol/verbs.ts';
import { stripControlCharacters } from './plain-text.ts';

/** Style in which a signature is written. */
export interface SignatureOptions {
  /** Notation: `tag` for the text of a model, `call` for run blocks and shells. */
  readonly style: 'tag' | 'call';
  /** Length from which a call has one parameter per line. Default: never; 40 for terminals. */
  readonly wrap?: number;
  /** `names` for a tag without the types of optional parameters. Default: with types. */
  readonly optional?: 'names';
}

/**
 * Renders a tool's signature: `<Grep:pattern> [path limit:int]` or `grep(pattern: string, path: string = "", limit: int
 * = 50)`. A tag runs once its names are replaced by values; anything in brackets may follow the argument. Tags never
 * wrap, because a tag is one line. An argument with a few choices has them beside its name, which may be left out:
 * `<close:state=open|done>`.
 */
export function renderSignature(spec: ToolSpec, { style, wrap = Infinity, optional }: SignatureOptions): string {
  return style === 'tag' ? renderTag(spec, optional === undefined) : renderCall(spec, wrap);
}

const tags = new WeakMap<ToolSpec, string>();

function renderTag(spec: ToolSpec, isTyped: boolean): string {
  const known = isTyped ? tags.get(spec) : undefined;
  const tag = known ?? composeTag(spec, isTyped);
  if (isTyped) tags.set(spec, tag);
  return tag;
}

function composeTag({ name, params, rest }: ToolSpec, isTyped: boolean): string {
  const tag = getTagName(name);
  const body = params.find((param) => param.body === true);
  const [first, ...others] = params.filter((param) => param !== body);
  const required = others.filter((param) => !('default' in param));
  // A tool without its own body takes nested values as one JSON object between its tags.
  const inJson = body === undefined ? required.filter(({ type }) => type === 'json') : [];
  const inTag = required
    .filter((param) => !inJson.includes(param))
    .map((param) => ` ${param.name}=${renderPlaceholder(param)}`);
  const optional = others
    .filter((param) => 'default' in param)
    .map((param) => (isTyped ? renderOptional(param) : param.name));
  const open = `<${tag}:${renderFirst(first)}${inTag.join('')}>`;
  const brackets = [...optional, ...(rest === true ? ['…fields'] : [])].join(' ');
  return stripControlCharacters(
    `${open}${renderBodyHint(body, inJson)}${renderClosingTag(tag, name, body ?? inJson[0])}${brackets && ` [${brackets}]`}`,
  );
}

/** Names and values that can be written in a tag without quotes. */
const PLAIN_NAME = /^[A-Za-z_]\w*$/;
const PLAIN_CHOICES = /^(?=.{3,60}$)[\w./-]+(?:\|[\w./-]+)+$/;

/** Renders the argument by its name, with its choices if they are few: a name does not tell them. */
function renderFirst(param: ParamSpec | undefined): string {
  if (param === undefined) return '';
  const { name, type, shape = name } = param;
  return hasChoices(type) && PLAIN_NAME.test(name) ? `${name}=${type}` : shape;
}

const TYPES: ReadonlySet<string> = new Set(['string', 'int', 'number', 'boolean', 'string[]', 'json']);

/** Returns true for a type that lists a few values: `open|done`; false for alternative types, such as `string|int`. */
function hasChoices(type: string): boolean {
  return PLAIN_CHOICES.test(type) && !type.split('|').some((one) => TYPES.has(one));
}

function renderBodyHint(body: ParamSpec | undefined, inJson: readonly ParamSpec[]): string {
  if (body !== undefined) return body.name;
  return inJson.length === 0 ? '' : `{${inJson.map(({ name, shape = '…' }) => `"${name}":${shape}`).join(',')}}`;
}

/** A write without its closing tag is never executed, whatever parameters the tool takes. */
function renderClosingTag(tag: string, name: string, content: ParamSpec | undefined): string {
  return content !== undefined || name === 'write' ? `</${tag}>` : '';
}

function renderPlaceholder({ type }: ParamSpec): string {
  const hints: Readonly<Record<string, string>> = {
    string: '""',
    boolean: 'true|false',
    'string[]': 'a,b',
    json: '{…}',
  };
  return hints[type] ?? type;
}

function renderOptional({ name, type, shape }: ParamSpec): string {
  return type === 'string' ? name : `${name}:${type === 'json' && shape ? shape : type}`;
}

function renderCall({ name, params, rest }: ToolSpec, wrap: number): string {
  const parts = params.map((param) => stripControlCharacters(declareParameter(param)));
  if (rest === true) parts.push('...fields');
  const line = `${name}(${parts.join(', ')})`;
  if (line.length <= wrap || parts.length === 0) return line;
  return `${name}(\n${parts.map((part) => `  ${part},\n`).join('')})`;
}

function declareParameter(param: ParamSpec): string {
  if (!('default' in param)) return `${param.name}: ${param.type}`;
  const fallback = formatDefault(param.default);
  if (fallback === undefined) return `${param.name}?: ${param.type}`;
  return `${param.name}: ${param.type} = ${fallback}`;
}

function formatDefault(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
}
