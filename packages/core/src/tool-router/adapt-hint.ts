import { asModelText } from '../protocol/model-text.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { parse } from '../tag-parser/parse.ts';
import { toCodeName } from '../tool-spec/declaration.ts';
import { rewriteCall, type CallForm } from './suggest-call.ts';

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
  if (call.verb === 'go') return form === 'code' ? `${toCodePath(call.arg)}()` : hint;
  const definition = form === 'code' && call.verb === 'help' ? undefined : find(call);
  if (definition === undefined) return hint;
  return rewriteCall(call, definition, { form, longest: Infinity });
}

function readTag(text: string) {
  return parse(asModelText(text), { tools: ANY, spaces: ANY });
}

function toCodePath(dotted: string): string {
  return dotted.split('.').map(toCodeName).join('.');
}
