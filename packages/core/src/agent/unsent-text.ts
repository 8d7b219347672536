import { ParameterError } from '../errors/bae-error.ts';
import type { ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import type { ResultStore, ToolResult } from '../protocol/tool-result.ts';
import { getTagName } from '../protocol/verbs.ts';
import { readSuggestedBody } from '../tool-router/suggest-call.ts';

const FROM_RESULT = /(?:^|[\s,]+)from=["']?(?<ref>result:\d+)["']?\s*$/;

interface KeptTexts {
  readonly results: ResultStore;
  /** Handles of texts that the model wrote but that were not executed. */
  readonly unsent: Set<string>;
}

/** Keeps a text that was not executed, and adds its handle, and how to write it, to the problem's message. */
export function keepUnsentText(problem: ParseProblem, { results, unsent }: KeptTexts): ParseProblem {
  if (problem.unsent === undefined) return problem;
  const { text, tag } = problem.unsent;
  const ref = results.keep(text);
  unsent.add(ref);
  const offer = tag === undefined ? '' : ` To write it as it is: ${tag} from=${ref}>.`;
  return { ...problem, message: `${problem.message} Its text is <R:${ref}>.${offer}` };
}

/**
 * Returns a call whose body is the text named by `from=result:4`; the call itself if it names none.
 *
 * @throws ParameterError if that is not a text that was left unexecuted, or if the call also has a body
 */
export function addUnsentText(call: ToolCall, { results, unsent }: KeptTexts): ToolCall {
  const { verb, arg, body = '', kwargs } = call;
  const found = verb === 'write' || verb === 'edit' ? FROM_RESULT.exec(arg) : null;
  if (found === null) return call;
  const ref = found.groups!['ref']!;
  const text = unsent.has(ref) ? results.get(ref) : undefined;
  const fail = (fact: string): never => {
    throw new ParameterError(`from: ${fact}`, [`<R:${ref}>`]);
  };
  if (text === undefined) return fail(`${ref} is not a kept text of yours; write the text between the tags.`);
  if (body.trim() !== '') return fail(`the call has a text of its own besides ${ref}; leave one of them out.`);
  return { ...call, arg: arg.slice(0, found.index), body: text, block: true, ...(kwargs && { kwargs }) };
}

/** Length from which the text of a call that failed is kept, in characters: a shorter one is soon sent again. */
const LONG_TEXT = 300;

/** Keeps the text of a write or edit that failed, and says how the next one uses it, so that it is not sent again. */
export function keepFailedText(call: ToolCall, result: ToolResult, { results, unsent }: KeptTexts): ToolResult {
  const { verb, arg, body = '', tag } = call;
  if ((verb !== 'write' && verb !== 'edit') || body.length < LONG_TEXT) return result;
  const ref = results.keep(body);
  unsent.add(ref);
  const { text, toolAt, remedies = [] } = result;
  const sendKept = (open: string): string => `${open} from=${ref}>`;
  const last = remedies.at(-1) ?? '';
  const suggested = readSuggestedBody(last);
  if (suggested !== undefined && text.endsWith(last))
    return { ...result, text: text.slice(0, -last.length) + sendKept(suggested.tag.slice(0, -1)) };
  const again = toolAt === undefined ? tag.slice(0, -1) : `<${toolAt}.${getTagName(verb)}:${arg}`;
  return { ...result, text: `${text}\nIts text is kept: ${sendKept(again)} sends it.` };
}
