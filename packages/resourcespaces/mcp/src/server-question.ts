import type { ToolContext } from '@bae/core';
import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
} from '@modelcontextprotocol/client';

type Question = Parameters<ToolContext['ask']>[0];
type Field = Question['fields'][string];
type Reply = string | number | boolean;
type Content = NonNullable<ElicitResult['content']>;

/** What a server may ask during a call: the person, and the model of the session. */
export type Questioned = Pick<ToolContext, 'ask' | 'model'>;

/** How often a form is shown whose lists were not filled in with their choices. */
const MOST_TRIES = 3;

/**
 * Puts a question of a server to the person, with the call that it is about. What is no form of simple fields is
 * declined, and so is everything where nobody is there.
 */
export async function answerServer(
  params: ElicitRequest['params'],
  questioned: Questioned | undefined,
): Promise<ElicitResult> {
  const form = 'requestedSchema' in params ? readForm(params.requestedSchema) : undefined;
  if (form === undefined || questioned === undefined) return { action: 'decline' };
  const fields = Object.fromEntries(form.map(({ name, field }) => [name, field]));
  try {
    let problem = '';
    for (let count = 0; count < MOST_TRIES; count++) {
      const replies = await questioned.ask({ text: `${problem}${params.message}`, fields });
      if (replies === undefined) return { action: 'decline' };
      const wrong = form.flatMap(({ name, choices }) => findWrong(choices, replies[name]));
      if (wrong.length === 0) return { action: 'accept', content: toReplies(form, replies) };
      problem = `${wrong.join(', ')}: not among the choices. `;
    }
    return { action: 'decline' };
  } catch {
    return { action: 'cancel' };
  }
}

/** A field of a form; a list is asked for as one text, with commas. */
interface FormField {
  readonly name: string;
  readonly field: Field;
  /** What a list may have in it; absent for a field that is no list. */
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

/** The choices of a field, with their titles where they have some: `enum`, or constants. */
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

function splitChoices(text: Reply | undefined): readonly string[] {
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
 * Asks the model of the session for a server (sampling), within what the turn may use and with the consent of the person.
 *
 * @throws Error, which the server gets, for what is no text; outside a call; and whatever the model call throws
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
  // A single message needs no name before it.
  const conversation =
    said.length === 1 ? said[0]!.text : said.map(({ role, text }) => `${role}: ${text}`).join('\n\n');
  const whole = await questioned.model(
    systemPrompt === undefined ? conversation : `${systemPrompt}\n\n${conversation}`,
  );
  const text = takeFirstTokens(whole, maxTokens);
  // Which model it is, is no business of the server's.
  const stopReason = text === whole ? 'endTurn' : 'maxTokens';
  return { model: 'the model of the session', role: 'assistant', content: { type: 'text', text }, stopReason };
}

/** The beginning of a text, of about so many tokens at most. */
function takeFirstTokens(text: string, most: number): string {
  let taken = text;
  for (let units = countUnits(text); units > most * UNITS_PER_TOKEN; units = countUnits(taken)) {
    const share = (most * UNITS_PER_TOKEN) / units;
    const characters = Array.from(taken);
    taken = characters.slice(0, Math.floor(characters.length * share)).join('');
  }
  return taken;
}
