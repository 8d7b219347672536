import { methods, type AgentContext, type ElicitationPropertySchema } from '@agentclientprotocol/sdk';
import { readAnswer, type AskQuestion } from '../consent/ask-question.ts';
import { makeVisible } from '../terminal/terminal-text.ts';

type Fields = Parameters<AskQuestion>[0]['fields'];
type Answers = NonNullable<Awaited<ReturnType<AskQuestion>>>;

/** The part of an editor that shows the questions of tools. */
export interface EditorForm {
  readonly client: Pick<AgentContext, 'request'>;
  /** Returns the session and the running call, to which the question belongs. */
  readonly locate: () => { readonly sessionId: string; readonly toolCallId?: string };
  /** Resolves when the editor was sent all earlier updates. */
  readonly settle: () => Promise<void>;
}

/**
 * Asks in a form of the editor. A form that is refused, or whose content does not fit the fields, answers nothing. An
 * address to open is a part of the text: nothing opens it.
 */
export function askQuestionInEditor({ client, locate, settle }: EditorForm): AskQuestion {
  return async ({ text, fields, space, tool }, signal) => {
    const scope = locate();
    await settle();
    const names = Object.keys(fields);
    const response = await client.request(
      methods.client.elicitation.create,
      {
        ...scope,
        mode: 'form',
        message: makeVisible(`${space} (${tool}) asks you:\n${text}`),
        requestedSchema: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, toProperty(fields[name]!)])),
          required: names.filter((name) => fields[name]!.optional !== true),
        },
      },
      { cancellationSignal: signal },
    );
    return response.action === 'accept' ? readFilledForm(fields, Object(response.content)) : undefined;
  };
}

function toProperty({ type, description, oneOf, default: initial }: Fields[string]): ElicitationPropertySchema {
  return {
    type,
    ...(description !== undefined && { description: makeVisible(description) }),
    ...(oneOf !== undefined && { enum: [...oneOf] }),
    ...(initial !== undefined && { default: initial }),
  };
}

/** Reads the content of a form; undefined if an answer is missing or does not fit its field. */
function readFilledForm(fields: Fields, content: Readonly<Record<string, unknown>>): Answers | undefined {
  const answers: Record<string, Answers[string]> = {};
  for (const [name, field] of Object.entries(fields)) {
    const given = Object.hasOwn(content, name) ? content[name] : undefined;
    const isEmpty = given === undefined || given === null || given === '';
    const answer = isEmpty ? field.default : readGiven(given, field);
    if (answer !== undefined) answers[name] = answer;
    else if (!isEmpty || field.optional !== true) return undefined;
  }
  return answers;
}

function readGiven(given: unknown, field: Fields[string]): Answers[string] | undefined {
  const isSimple = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
  return isSimple ? readAnswer(String(given), field) : undefined;
}
