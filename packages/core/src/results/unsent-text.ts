import { ParameterError } from '../errors/call-errors.ts';
import type { ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import type { ResultStore } from '../protocol/pruner.ts';

const FROM_RESULT = /(?:^|[\s,]+)from=["']?(?<ref>result:\d+)["']?\s*$/;

interface KeptTexts {
  readonly results: ResultStore;
  /** Handles of texts that the model wrote and that were not executed. */
  readonly unsent: Set<string>;
}

/** Keeps a text that was not executed, and says in the problem's message where it is and how it is written. */
export function keepUnsentText(problem: ParseProblem, { results, unsent }: KeptTexts): ParseProblem {
  if (problem.unsent === undefined) return problem;
  const { text, tag } = problem.unsent;
  const ref = results.keep(text);
  unsent.add(ref);
  const offer = tag === undefined ? '' : ` To write it as it is: ${tag} from=${ref}>.`;
  return { ...problem, message: `${problem.message} Its text is <R:${ref}>.${offer}` };
}

/**
 * The call with the text that it names by `from=result:4` as its body; the call itself when it names none.
 *
 * @throws ParameterError when that is no text which was not executed, or when the call has a body as well
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
  if (text === undefined)
    return fail(`${ref} is no text of yours that was not executed; write the text between the tags.`);
  if (body.trim() !== '') return fail(`the call has a text of its own besides ${ref}; leave one of them out.`);
  return { ...call, arg: arg.slice(0, found.index), body: text, block: true, ...(kwargs && { kwargs }) };
}
