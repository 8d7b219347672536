import type { ToolContext } from '@bae/core';
import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitRequestURLParams,
  ElicitResult,
} from '@modelcontextprotocol/client';

import { oneLine } from './tool-result.ts';

type Question = Parameters<ToolContext['ask']>[0];
type Field = Question['fields'][string];
type Reply = string | number | boolean;
type Content = NonNullable<ElicitResult['content']>;

/** The functions by which a server may ask the person and the session's model during a call. */
export type Questioned = Pick<ToolContext, 'ask' | 'model'>;

/** Maximum number of times that a form is shown if its lists contain values other than the choices. */
const MOST_TRIES = 3;

/**
 * Shows a server's question to the person, with the call that it belongs to. Only the person declines: a question that
 * they dismiss is cancelled, and so is one that is neither a form of simple fields nor an address of a page, or that
 * nobody can answer.
 */
export async function answerServer(
  params: ElicitRequest['params'],
  questioned: Questioned | undefined,
): Promise<ElicitResult> {
  if (params.mode === 'url') return askToOpen(params, questioned);
  const form = 'requestedSchema' in params ? readForm(params.requestedSchema) : undefined;
  if (form === undefined || questioned === undefined) return { action: 'cancel' };
  const schema = (params as { readonly requestedSchema: Readonly<Record<string, unknown>> }).requestedSchema;
  const fields = Object.fromEntries(form.map(({ name, field }) => [name, field]));
  try {
    let problem = '';
    for (let count = 0; count < MOST_TRIES; count++) {
      const replies = await questioned.ask({ text: `${problem}${params.message}`, fields, schema });
      if (replies === undefined) return { action: 'decline' };
      const wrong = form.flatMap(({ name, choices }) => findWrong(choices, replies[name]));
      if (wrong.length === 0) return { action: 'accept', content: toReplies(form, replies) };
      problem = `${wrong.join(', ')}: not among the choices. `;
    }
    return { action: 'cancel' };
  } catch {
    return { action: 'cancel' };
  }
}

/** A page that a server wants the person to open, and why. */
export type OpenRequest = Pick<ElicitRequestURLParams, 'message' | 'url'>;

/** Returns the pages that have to be opened before a call can be made; undefined for any other error. */
export function listPagesToOpen(error: unknown): readonly OpenRequest[] | undefined {
  const { elicitations } = Object(error) as { readonly elicitations?: unknown };
  if (!Array.isArray(elicitations)) return undefined;
  return elicitations.map((one: unknown) => {
    const { message, url } = Object(one) as Readonly<Record<string, unknown>>;
    return { message: typeof message === 'string' ? message : '', url: typeof url === 'string' ? url : '' };
  });
}

/**
 * Shows the person the whole address of a page that a server wants them to open, with its host by itself. They open it
 * themselves, or do not.
 */
export async function askToOpen(
  { message, url: given }: OpenRequest,
  questioned: Questioned | undefined,
): Promise<ElicitResult> {
  const address = URL.canParse(given) ? new URL(given) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) return { action: 'decline' };
  if (questioned === undefined) return { action: 'cancel' };
  const { host, href: url } = address;
  // In one line and after the address, so that it cannot be taken for another address.
  const reason = oneLine(message);
  const text = `It wants you to open a page of ${host} in a browser. If you trust that, do so, then answer yes:\n${url}\nIt says: ${reason}`;
  const accept: Field = { type: 'boolean', description: `did you open ${host}` };
  try {
    const replies = await questioned.ask({ text, fields: { accept }, url });
    return { action: replies?.['accept'] === true ? 'accept' : 'decline' };
  } catch {
    return { action: 'cancel' };
  }
}

/** A field of a form; a list is entered as one text, separated by commas. */
interface FormField {
  readonly name: string;
  readonly field: Field;
  /** Allowed values of a list; absent for a field that is not a list. */
  readonly choices?: ReadonlySet<string>;
}

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

function readForm(schema: unknown): readonly FormField[] | undefined {
  const { properties, required } = Object(schema) as { readonly properties?: unknown; readonly required?: unknown };
  const needed = new Set(Array.isArray(required) ? (required as readonly unknown[]) : []);
  const fields = Object.entries(Object(properties) as Readonly<Record<string, unknown>>).map(([name, value]) =>
    readField(name, value, needed.has(name)),
  );
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function readField(name: string, value: unknown, isNeeded: boolean): FormField | undefined {
  const given = Object(value) as Readonly<Record<string, unknown>>;
  const { type, title, description, items, default: otherwise } = given;
  const isList = type === 'array';
  const choices = readChoices(isList ? items : given);
  if (isList ? choices.length === 0 : !TYPES.has(type)) return undefined;
  const texts = choices.map(([text]) => text);
  const titles = choices.flatMap(([text, shown]) =>
    shown === undefined || shown === text ? [] : [`${text}: ${shown}`],
  );
  const list = isList ? `any of ${texts.join(', ')}, with commas between them` : undefined;
  const about = [title, description, titles.join('; '), list].filter((part) => typeof part === 'string' && part !== '');
  const initial: unknown = isList && Array.isArray(otherwise) ? otherwise.join(', ') : otherwise;
  const field: Field = {
    type: isList ? 'string' : (type as Field['type']),
    ...(about.length > 0 && { description: about.join(', ') }),
    ...(!isList && texts.length > 0 && { oneOf: texts }),
    ...(['string', 'number', 'boolean'].includes(typeof initial) && { default: initial as string | number | boolean }),
    ...(!isNeeded && { optional: true }),
  };
  return { name, field, ...(isList && { choices: new Set(texts) }) };
}

/** Reads the choices of a field from `enum` or constants, with their titles, if any. */
function readChoices(schema: unknown): readonly (readonly [text: string, title?: string])[] {
  const { enum: texts, enumNames, oneOf, anyOf = oneOf } = Object(schema) as Readonly<Record<string, unknown>>;
  const titles = Array.isArray(enumNames) ? (enumNames as readonly unknown[]) : [];
  const pairs = Array.isArray(texts)
    ? texts.map((text: unknown, index) => [text, titles[index]] as const)
    : Array.isArray(anyOf)
      ? anyOf
          .map((one: unknown) => Object(one) as Readonly<Record<string, unknown>>)
          .map((one) => [one['const'], one['title']] as const)
      : [];
  return pairs.flatMap(([text, title]) =>
    typeof text === 'string' ? [typeof title === 'string' ? ([text, title] as const) : ([text] as const)] : [],
  );
}

/** Reads a list, written with commas or as JSON. */
function splitChoices(text: Reply | undefined): readonly string[] {
  try {
    const list: unknown = JSON.parse(String(text));
    if (Array.isArray(list)) return list.map(String);
  } catch {
    // It is written with commas.
  }
  return String(text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function findWrong(choices: FormField['choices'], reply: Reply | undefined): readonly string[] {
  return choices === undefined ? [] : splitChoices(reply).filter((part) => !choices.has(part));
}

function toReplies(form: readonly FormField[], replies: Readonly<Record<string, Reply>>): Content {
  const entries = form
    .filter(({ name }) => replies[name] !== undefined)
    .map(({ name, choices }) => [name, choices === undefined ? replies[name] : splitChoices(replies[name])]);
  return Object.fromEntries(entries) as Content;
}

/**
 * Asks the session's model on behalf of a server (sampling), within the limits of the turn and with the person's
 * consent.
 *
 * @throws Error, which is sent to the server: for content other than text, outside a call, and if the model call fails
 */
export async function askModel(
  { messages, systemPrompt, maxTokens }: CreateMessageRequest['params'],
  questioned: Questioned | undefined,
): Promise<CreateMessageResult> {
  if (questioned === undefined) throw new Error('The model can only be asked during a call of a tool.');
  const said = messages.map(({ role, content }) => {
    const parts = [content].flat().map((part) => {
      if (part.type !== 'text') throw new Error(`The model takes text only, not ${part.type}.`);
      return part.text;
    });
    return { role, text: parts.join('\n') };
  });
  // A single message needs no role in front of it.
  const conversation =
    said.length === 1 ? said[0]!.text : said.map(({ role, text }) => `${role}: ${text}`).join('\n\n');
  const whole = await questioned.model(
    systemPrompt === undefined ? conversation : `${systemPrompt}\n\n${conversation}`,
  );
  const text = takeFirstTokens(whole, maxTokens);
  // The name of the model is not revealed to the server.
  const stopReason = text === whole ? 'endTurn' : 'maxTokens';
  return { model: 'the model of the session', role: 'assistant', content: { type: 'text', text }, stopReason };
}

/** Returns the beginning of a text, limited to approximately the given number of tokens. */
function takeFirstTokens(text: string, most: number): string {
  let taken = text;
  for (let units = countUnits(text); units > most * UNITS_PER_TOKEN; units = countUnits(taken)) {
    const share = (most * UNITS_PER_TOKEN) / units;
    const characters = Array.from(taken);
    taken = characters.slice(0, Math.floor(characters.length * share)).join('');
  }
  return taken;
}
