import { BaeError } from '../errors/bae-error.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { quoteJson } from './quote-json.ts';
import { getPrimaryParam, splitArgument, type LiteralKeyword } from './split-argument.ts';
import { rewriteCall } from './suggest-call.ts';

/** Errors that have nothing to do with how the arguments were read. */
const UNRELATED: ReadonlySet<string> = new Set(['ApprovalError', 'TimeoutError', 'AbortError']);

/** Returns what looks like a keyword but was read as a part of the argument; undefined if there is none. */
function findLiteral({ form, ...call }: ToolCall, { spec }: ToolDefinition): LiteralKeyword | undefined {
  return form === undefined ? splitArgument(spec, call).literal : undefined;
}

function describeReading({ arg }: ToolCall, { spec }: ToolDefinition): string {
  return `the whole text ${quoteJson(arg)} was read as ${getPrimaryParam(spec)?.name ?? 'the argument'}`;
}

/** A call and its tool, in the place where it was made. */
interface AnsweredCall {
  readonly call: ToolCall;
  readonly definition: ToolDefinition;
  /** Qualifies a tag so that it works where the call was made. */
  readonly tag: (tag: string) => string;
}

/** Adds to a result without rows how the argument was read, if there is doubt. */
export function explainNothing(result: ToolResult, { call, definition }: Omit<AnsweredCall, 'tag'>): ToolResult {
  const { ok, rows, text } = result;
  if (!ok || !(rows === 0 || text.startsWith('(no ')) || text.includes(' whole text ')) return result;
  if (findLiteral(call, definition) === undefined) return result;
  return { ...result, text: `${text}\n(${describeReading(call, definition)})` };
}

/** Adds to the text of an error how the argument was read, if there is doubt, and the call without the keyword. */
export async function explainLiteral(
  text: string,
  error: unknown,
  { call, definition, tag }: AnsweredCall,
): Promise<string> {
  const literal = findLiteral(call, definition);
  // The argument of grep may be any text.
  if (literal === undefined || definition.spec.name === 'grep') return text;
  if (BaeError.is(error) && UNRELATED.has(error.name)) return text;
  const { name, without } = literal;
  const [fact = '', ...tries] = text.split(/\n(?=Try: )/);
  const note = `\n(${describeReading(call, definition)}; ${name} is no parameter)`;
  const told = text.includes(`parameter '${name}'`) ? fact : fact + note;
  if (without === '') return [told, ...tries].join('\n');
  const hint = `Try: ${tag(await rewriteCall({ ...call, arg: without }, definition, { form: 'tag' }))}`;
  return [told, hint, ...tries.filter((one) => one !== hint)].join('\n');
}
