import {
  methods,
  type AgentContext,
  type ElicitationPropertySchema,
  type PermissionOption,
} from '@agentclientprotocol/sdk';
import { readAnswer, type AskQuestion } from '../consent/ask-question.ts';
import { makeVisible } from '../terminal/terminal-text.ts';
import type { ApprovalRequest } from '@bae/core';
import { makeRule, isCommand } from '../consent/user-rules.ts';

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

const REFUSE: PermissionOption = { optionId: 'deny', name: 'Refuse', kind: 'reject_once' };
/** Possible answers about one of several files. */
export const ONE_FILE: PermissionOption[] = [
  { optionId: 'allow', name: 'Allow this file', kind: 'allow_once' },
  { ...REFUSE, name: 'Refuse this file' },
];

/** Lists the possible answers. For a command, the remembered target is the command itself. */
export function listOptions(request: ApprovalRequest, file: string): PermissionOption[] {
  const { target, files } = request;
  if (files !== undefined)
    return [
      { optionId: 'allow', name: 'Allow all of it', kind: 'allow_once' },
      ...(files.length > 1 ? [{ optionId: 'files', name: 'Choose file by file', kind: 'allow_once' as const }] : []),
      REFUSE,
    ];
  const what = isCommand(target) ? 'exactly this' : 'this tool';
  return [
    { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
    { optionId: 'allow-tool', name: `Allow ${what} in this session`, kind: 'allow_always' },
    ...(makeRule(request) === undefined
      ? []
      : [{ optionId: 'allow-rule', name: `Always allow, by a rule in ${file}`, kind: 'allow_always' as const }]),
    REFUSE,
  ];
}

/** Names a request in one line. */
export function nameRequest({ space, tool, target, reason, files }: ApprovalRequest): string {
  if (files !== undefined) return `${space}: run changes ${files.map(({ path }) => path).join(', ')}`;
  return `${space}: ${tool} ${target}${reason === undefined ? '' : ` (${reason})`}`;
}
