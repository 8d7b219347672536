import { asModelText } from '../protocol/model-text.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { findVerb } from '../protocol/verbs.ts';
import { parse } from '../tag-parser/parse.ts';
import { formatCodePath, rewriteCall, type CallForm } from './suggest-call.ts';

interface HintScope {
  readonly form: CallForm;
  /** Finds the tool of a call; undefined if there is none. */
  readonly find: (call: ToolCall) => ToolDefinition | undefined;
}

/** Stands for all names: whether there is such a tool is seen later. */
const ANY = { has: () => true, [Symbol.iterator]: () => [][Symbol.iterator]() };
const MENTION = /^[\p{L}_][\p{L}\p{N}_.-]*\(\)$/u;

/**
 * Writes the hints of an error in the notation of the call that failed, so that each can be typed as it is. A hint that
 * is not a call stays the same.
 */
export async function adaptHints(hints: readonly string[], scope: HintScope): Promise<ReadonlyMap<string, string>> {
  const isOnlyPlace = hints.filter((hint) => MENTION.test(hint)).length === 1;
  const adapt = async (hint: string): Promise<string> => {
    // Several places are a list of names, from which one is chosen.
    if (isOnlyPlace && scope.form !== 'code' && MENTION.test(hint)) return `@${hint}`;
    return /^[<@]/.test(hint) ? adaptTag(hint, scope) : hint;
  };
  return new Map(await Promise.all(hints.map(async (hint) => [hint, await adapt(hint)] as const)));
}

async function adaptTag(hint: string, { form, find }: HintScope): Promise<string> {
  const { calls, problems, prose } = readTag(hint);
  if (problems[0]?.code === 'unclosed-body') {
    const closed = `${hint}…</${/^<([^:]+)/.exec(hint)![1]!}>`;
    return readTag(closed).problems.length > 0 ? hint : adaptTag(closed, { form, find });
  }
  const [call] = calls;
  if (form === 'tag' || call === undefined || calls.length + problems.length > 1 || prose !== '') return hint;
  if (call.verb === 'go') return form === 'code' ? `${formatCodePath(call.arg)}()` : hint;
  const definition = form === 'code' && call.verb === 'help' ? undefined : find(call);
  if (definition === undefined) return hint;
  return rewriteCall(call, definition, { form, longest: Infinity });
}

function readTag(text: string) {
  return parse(asModelText(text), { tools: ANY, spaces: ANY });
}

/**
 * Qualifies a tag of a place's own tool for the place the call was made from: `<R:x>` becomes `<source.R:x>`.
 *
 * @param place the place as written in the call: `source`, `source.deps`
 */
export function qualifyTag(tag: string, place: string, tools: object): string {
  const written = /^<([\p{L}\p{N}_-]+):/u.exec(tag)?.[1];
  if (written === undefined) return tag;
  // The name of a tag is a verb, or a tool of this name with a lowercase or uppercase first letter.
  const names = [findVerb(written) ?? written, written.charAt(0).toLowerCase() + written.slice(1)];
  return names.some((name) => Object.hasOwn(tools, name)) ? `<${place}.${tag.slice(1)}` : tag;
}
