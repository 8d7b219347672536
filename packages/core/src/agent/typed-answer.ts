import { toJSONSchema, type $ZodObject, type $ZodType } from 'zod/v4/core';
import { ParameterError } from '../errors/call-errors.ts';
import { ConfigurationError } from '../errors/setup-errors.ts';
import { checkArguments } from '../tool-router/check-arguments.ts';

type TypedAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

const ANSWER = /<answer:?>([^]*?)<\/answer(?::[^>\n]*)?>/;
const FENCE = /^\s*```(?:json)?\s*\n([^]*?)\n\s*```\s*$/;

/**
 * What a prompt ends with when its answer is to have a shape.
 *
 * @throws ConfigurationError for a schema that JSON Schema cannot express
 */
export function describeAnswerSchema(schema: $ZodType): string {
  try {
    const { $schema: _, ...json } = toJSONSchema(schema, { io: 'input' });
    return `Your final answer must be JSON of this schema, and nothing else: ${JSON.stringify(json)}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`schema: cannot be expressed in JSON Schema: ${reason}`);
  }
}

/** Takes an answer out of its tag, `<answer:>…</answer>`; the text as it is when it has none. */
export function unwrapAnswer(text: string): string {
  return ANSWER.exec(text)?.[1]?.trim() ?? text;
}

/** Reads a final answer as JSON, also in a code fence, and checks it. */
export async function readTypedAnswer(text: string, schema: $ZodType): Promise<TypedAnswer> {
  const json = FENCE.exec(text)?.[1] ?? text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `- answer: expected JSON (${reason})` };
  }
  const sent = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  // Only the type asks for an object; any schema is checked in the same way.
  const checked = await checkArguments(schema as $ZodObject, value as Readonly<Record<string, unknown>>, sent);
  if (checked.ok) return { ok: true, value: checked.params };
  const lines = checked.issues.map(({ path, text: issue }) => `- ${path || 'answer'}: ${issue}`);
  return { ok: false, problem: lines.join('\n') };
}

/** The message that sends an answer back. */
export function renderAnswerProblem(problem: string): string {
  return `[Note] The answer does not match its schema:\n${problem}\nSend the whole answer again, as JSON and nothing else.`;
}

/** The error when an answer is wrong twice. */
export function wrongAnswer(problem: string): ParameterError {
  const hints = ['ask again', 'simplify the schema'];
  return new ParameterError(`the final answer does not match its schema:\n${problem}`, hints);
}
