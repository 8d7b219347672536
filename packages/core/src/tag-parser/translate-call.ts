import type { ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import { SHORT_TAGS } from '../protocol/verbs.ts';
import type { TagNames } from './names.ts';
import { parseProblems } from './problems.ts';
import { isArgumentMissing } from './tag.ts';

/** A call with named arguments, as other tools have it. */
export interface NamedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Line of the text it begins on, from 1. */
  readonly line: number;
}

/** What a piece of text in another call syntax stands for. */
export interface ForeignCalls {
  readonly calls: readonly ToolCall[];
  readonly problems: readonly ParseProblem[];
}

const TARGETS = ['target', 'file_path', 'path'];

/**
 * Translates a call such as `Read` with `{ file_path: 'a.py' }` into one of the tag protocol; undefined when
 * no tool has its name.
 *
 * Arguments that have a place in a tag go there, the others stay keywords.
 */
export function translateCall({ name, args, line }: NamedCall, names: TagNames): ForeignCalls | undefined {
  const known = names.resolve(name);
  if (!known) return undefined;
  const { verb, space } = known;
  const keywords = new Map(Object.entries(args));
  const { arg, body } = takeTagParts(verb, keywords);
  const prefix = space === undefined ? '' : `${space}.`;
  const short = Object.hasOwn(SHORT_TAGS, verb) ? SHORT_TAGS[verb as keyof typeof SHORT_TAGS] : verb;
  const tag = `<${prefix}${short}:${arg}>`;
  if (keywords.size === 0 && isArgumentMissing({ verb, arg })) {
    return { calls: [], problems: [parseProblems.emptyArg(line, { verb, text: tag }, 'tag')] };
  }
  const call: ToolCall = {
    verb,
    arg,
    ...(body !== undefined && { body, block: false }),
    ...(keywords.size > 0 && { kwargs: Object.fromEntries(keywords) }),
    ...(space !== undefined && { space }),
    line,
    tag,
  };
  return { calls: [call], problems: [] };
}

/** Takes the argument and the body of a tag out of named arguments. */
function takeTagParts(verb: string, args: Map<string, unknown>): { readonly arg: string; readonly body?: string } {
  switch (verb) {
    case 'read':
      return { arg: takeRange(takeText(args, TARGETS), args) };
    case 'write':
      return { arg: takeText(args, TARGETS), ...takeBody(args) };
    case 'edit':
      renameKey(args, 'old_string', 'old');
      renameKey(args, 'new_string', 'new');
      return { arg: takeText(args, TARGETS) };
    case 'glob':
      return { arg: joinGlob(takeText(args, ['pattern']), takeText(args, TARGETS)) };
    case 'grep':
      // The path of a search stays a keyword: the pattern is the argument.
      return { arg: takeText(args, ['target', 'pattern']) };
    default:
      // Keywords of a custom tool bind by name, whatever their order.
      return { arg: takeText(args, ['target']) };
  }
}

function takeText(args: Map<string, unknown>, keys: readonly string[]): string {
  for (const key of keys) {
    const value = args.get(key);
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    args.delete(key);
    return String(value);
  }
  return '';
}

function takeBody(args: Map<string, unknown>): { readonly body?: string } {
  const body = args.get('content');
  if (typeof body !== 'string') return {};
  args.delete('content');
  return { body };
}

function takeRange(target: string, args: Map<string, unknown>): string {
  const offset = args.get('offset') ?? undefined;
  const limit = args.get('limit') ?? undefined;
  const isRange = [offset, limit].every((value) => value === undefined || Number.isSafeInteger(value));
  if (target === '' || !isRange) return target;
  args.delete('offset');
  args.delete('limit');
  if (offset === undefined && limit === undefined) return target;
  const first = (offset ?? 1) as number;
  return `${target}:${first}-${limit === undefined ? '' : first + (limit as number) - 1}`;
}

function joinGlob(pattern: string, path: string): string {
  if (pattern === '' || path === '') return pattern + path;
  return path.endsWith('/') ? path + pattern : `${path}/${pattern}`;
}

function renameKey(args: Map<string, unknown>, from: string, to: string): void {
  if (!args.has(from) || args.has(to)) return;
  args.set(to, args.get(from));
  args.delete(from);
}
