import type { ToolContext } from '@bae/core';
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';

type Ask = ToolContext['ask'];
type Question = Parameters<Ask>[0];
type Field = Question['fields'][string];

/**
 * Puts a question of a server to the person, with the call that it is about. What is no form of simple fields is
 * declined, and so is everything where nobody is there.
 */
export async function answerServer(params: ElicitRequest['params'], ask: Ask | undefined): Promise<ElicitResult> {
  const fields = 'requestedSchema' in params ? readForm(params.requestedSchema) : undefined;
  if (fields === undefined || ask === undefined) return { action: 'decline' };
  try {
    const content = await ask({ text: params.message, fields });
    return content === undefined ? { action: 'decline' } : { action: 'accept', content: { ...content } };
  } catch {
    return { action: 'cancel' };
  }
}

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

function readForm(schema: unknown): Question['fields'] | undefined {
  const { properties, required } = Object(schema) as { readonly properties?: unknown; readonly required?: unknown };
  const needed = new Set(Array.isArray(required) ? (required as readonly unknown[]) : []);
  const fields = Object.entries(Object(properties) as Readonly<Record<string, unknown>>).map(
    ([name, value]) => [name, readField(value, needed.has(name))] as const,
  );
  const isForm = fields.every((entry): entry is readonly [string, Field] => entry[1] !== undefined);
  return isForm ? Object.fromEntries(fields) : undefined;
}

function readField(value: unknown, isNeeded: boolean): Field | undefined {
  const given = Object(value) as Readonly<Record<string, unknown>>;
  const { type, title, description, enum: texts, default: otherwise } = given;
  if (!TYPES.has(type)) return undefined;
  const about = [title, description].filter((part) => typeof part === 'string').join(', ');
  const choices = Array.isArray(texts) ? (texts as readonly unknown[]).filter((text) => typeof text === 'string') : [];
  const isAnswer = ['string', 'number', 'boolean'].includes(typeof otherwise);
  return {
    type: type as Field['type'],
    ...(about !== '' && { description: about }),
    ...(choices.length > 0 && { oneOf: choices }),
    ...(isAnswer && { default: otherwise as string | number | boolean }),
    ...(!isNeeded && { optional: true }),
  };
}
