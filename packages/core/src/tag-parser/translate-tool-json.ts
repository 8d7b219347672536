import type { ToolCall } from '../protocol/tool-call.ts';
import { SHORT_TAGS } from '../protocol/verbs.ts';
import type { TagName, TagNames } from './tag-names.ts';

/** A call that was written as JSON, or why it is none. */
export type ToolJson =
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'not-a-call' }
  | { readonly kind: 'unknown-tool'; readonly name: string };

interface Translation {
  readonly arg: string;
  readonly body?: string;
}

const TARGETS = ['target', 'file_path', 'path'];

/** Translates `{"name":"Read","arguments":{"file_path":"a.py"}}` into a call of the tag protocol. */
export function translateToolJson(json: string, line: number, names: TagNames): ToolJson {
  const value = parseObject(json);
  const given = asObject(value?.['arguments']);
  const name = value?.['name'];
  if (typeof name !== 'string' || !given) return { kind: 'not-a-call' };
  const known = names.resolve(name);
  if (!known) return { kind: 'unknown-tool', name };
  return { kind: 'call', call: callOf(known, new Map(Object.entries(given)), line) };
}

function callOf({ verb, space }: TagName, rest: Map<string, unknown>, line: number): ToolCall {
  const { arg, body } = translate(verb, rest);
  const prefix = space === undefined ? '' : `${space}.`;
  const short = Object.hasOwn(SHORT_TAGS, verb) ? SHORT_TAGS[verb as keyof typeof SHORT_TAGS] : verb;
  return {
    verb,
    arg,
    ...(body !== undefined && { body, block: false }),
    ...(rest.size > 0 && { kwargs: Object.fromEntries(rest) }),
    ...(space !== undefined && { space }),
    line,
    tag: `<${prefix}${short}:${arg}>`,
  };
}

/** Takes what has a place in a tag out of the arguments; what remains are keywords. */
function translate(verb: string, rest: Map<string, unknown>): Translation {
  switch (verb) {
    case 'read':
      return { arg: withRange(takeText(rest, TARGETS), rest) };
    case 'write':
      return { arg: takeText(rest, TARGETS), ...takeBody(rest) };
    case 'edit':
      rename(rest, 'old_string', 'old');
      rename(rest, 'new_string', 'new');
      return { arg: takeText(rest, TARGETS) };
    case 'glob':
      return { arg: globOf(takeText(rest, ['pattern']), takeText(rest, TARGETS)) };
    case 'grep':
      // The path of a search stays a keyword: what is searched for is the argument.
      return { arg: takeText(rest, ['target', 'pattern']) };
    default:
      // Keywords of a custom tool bind by name, whatever their order.
      return { arg: takeText(rest, ['target']) };
  }
}

function takeText(rest: Map<string, unknown>, keys: readonly string[]): string {
  for (const key of keys) {
    const value = rest.get(key);
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    rest.delete(key);
    return String(value);
  }
  return '';
}

function takeBody(rest: Map<string, unknown>): { readonly body?: string } {
  const body = rest.get('content');
  if (typeof body !== 'string') return {};
  rest.delete('content');
  return { body };
}

function withRange(target: string, rest: Map<string, unknown>): string {
  const offset = rest.get('offset') ?? undefined;
  const limit = rest.get('limit') ?? undefined;
  const isRange = [offset, limit].every((value) => value === undefined || Number.isSafeInteger(value));
  if (target === '' || !isRange) return target;
  rest.delete('offset');
  rest.delete('limit');
  if (offset === undefined && limit === undefined) return target;
  const first = (offset ?? 1) as number;
  return `${target}:${first}-${limit === undefined ? '' : first + (limit as number) - 1}`;
}

function globOf(pattern: string, path: string): string {
  if (pattern === '' || path === '') return pattern + path;
  return path.endsWith('/') ? path + pattern : `${path}/${pattern}`;
}

function rename(rest: Map<string, unknown>, from: string, to: string): void {
  if (!rest.has(from) || rest.has(to)) return;
  rest.set(to, rest.get(from));
  rest.delete(from);
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(json));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}
