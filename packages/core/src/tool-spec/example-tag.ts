import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { SHORT_TAGS } from '../protocol/verbs.ts';
import { exampleValue } from './example-value.ts';

/** Longer values than this would make an example unreadable. */
const LONGEST = 80;

/** One argument of the example. */
interface Argument {
  readonly param: ParamSpec;
  readonly first: boolean;
  readonly value: unknown;
}

/**
 * One literal call that would work, made from a signature.
 *
 * It has the first parameter, those that are required and those that are known. Values that cannot
 * stand in a tag go into a JSON body, if the tool takes no other body. An optional body is left out where a later
 * parameter has an example of its own: whoever copies it changes a field, not the whole text.
 *
 * @param known arguments that are good already; one that is too long to be read at a glance is replaced
 */
export function exampleTag(spec: ToolSpec, known: Readonly<Record<string, unknown>> = {}): string {
  if (spec.name === 'go') return `@${asText(known['target'] ?? '') || 'home'}()`;
  const content = spec.params.find((param) => param.body === true);
  const others = spec.params.filter((param) => param !== content);
  const isOptional = content !== undefined && 'default' in content;
  const instead = isOptional ? others.slice(1).find(({ example }) => example !== undefined) : undefined;
  const choose = (param: ParamSpec, first: boolean): Argument => {
    const given = { param, first, value: known[param.name] };
    const usable = isReadable(given, spec) && (content === undefined || param === content || fitsTag(given, spec));
    return usable ? given : { param, first, value: exampleValue(param, spec.name) };
  };
  const args = others
    .filter(
      (param, place) => place === 0 || !('default' in param) || known[param.name] !== undefined || param === instead,
    )
    .map((param, place) => choose(param, place === 0));
  const apart = content === undefined ? args.filter((arg) => !fitsTag(arg, spec)) : [];
  const inTag = args.filter((arg) => !apart.includes(arg)).map((arg) => written(arg, spec));
  if (content !== undefined && instead === undefined) return element(spec, inTag, asText(choose(content, false).value));
  if (apart.length === 0) return element(spec, inTag, undefined);
  const fields = Object.fromEntries(apart.map(({ param, value }) => [param.name, value]));
  return element(spec, inTag, `\n${JSON.stringify(fields)}\n`);
}

function isReadable({ first, value }: Argument, { name }: ToolSpec): boolean {
  if (value === undefined || asText(value).length > LONGEST) return false;
  // Only a read may come without its argument.
  return !first || name === 'read' || asText(value).trim() !== '';
}

function fitsTag({ first, value }: Argument, { name }: ToolSpec): boolean {
  if (typeof value === 'object' && !Array.isArray(value)) return false;
  const text = asText(value);
  if (/[\r\n]/.test(text)) return false;
  return (first && name === 'grep') || !/[<>]/.test(text);
}

function written({ param, first, value }: Argument, { name, range, params }: ToolSpec): string {
  const text = asText(value);
  if (!first) return `${param.name}=${quotedIfNeeded(text)}`;
  const replaces = name === 'edit' && range === true && params.some(({ body }) => body === true);
  return replaces && !/:\d/.test(text) ? `${text}:1-3` : text;
}

function quotedIfNeeded(text: string): string {
  return /^[\p{L}\p{N}_./:@#*+-]+$/u.test(text) ? text : `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;
}

function element({ name }: ToolSpec, words: readonly string[], body: string | undefined): string {
  const tag = Object.hasOwn(SHORT_TAGS, name) ? SHORT_TAGS[name as keyof typeof SHORT_TAGS] : name;
  const arg = words.join(' ');
  if (body === undefined) return name === 'write' ? `<${tag}:${arg}></${tag}>` : `<${tag}:${arg}>`;
  if (body.includes('</')) return `<${tag}:${arg}>\n${body}\n</${tag}:${arg}>`;
  const inner = body.includes('\n') && !body.startsWith('\n') ? `\n${body}\n` : body;
  return `<${tag}:${arg}>${inner}</${tag}>`;
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(asText).join(', ') : (JSON.stringify(value) ?? '');
}
