import { AsyncLocalStorage } from 'node:async_hooks';
import { ResourceError, type AgentOptions, type ApprovalPolicy, type ApprovalRequest, type Approver } from '@bae/core';
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/server';

type AskPerson = NonNullable<ApprovalPolicy['ask']>;
type AskQuestion = NonNullable<AgentOptions['askPerson']>;
type Answers = NonNullable<Awaited<ReturnType<AskQuestion>>>;

/** A form for the person who uses the client. */
export type Form = Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>;

/** Shows a form to the person who uses the client. @throws if the client cannot show it */
export type Elicit = (form: Form, signal: AbortSignal) => Promise<ElicitResult>;

/** A page that the person who uses the client is asked to open. */
export interface PageRequest {
  readonly message: string;
  readonly url: string;
}

/** Asks the person who uses the client to open a page. @throws if the client cannot show it */
export type ElicitUrl = (page: PageRequest, signal: AbortSignal) => Promise<ElicitResult>;

/** Context of a request while its calls run. */
interface Request {
  /** True if nothing may be changed. */
  readonly isReading: boolean;
  /** Absent if the client cannot show questions. */
  readonly elicit?: Elicit | undefined;
  /** Absent if the client cannot show addresses of pages. */
  readonly elicitUrl?: ElicitUrl | undefined;
}

/**
 * Decides on consent for the calls of clients: a reading request is refused everything else, and any other request asks
 * the person who uses the client. Pass `wrap` and `ask` to the agent that is served.
 */
export class ClientConsent {
  readonly #requests = new AsyncLocalStorage<Request>();

  /** Asks the person who uses the calling client for consent; undefined if nobody can be asked. */
  readonly ask: AskPerson = async (request, signal) => {
    const { isReading = true, elicit } = this.#requests.getStore() ?? {};
    return isReading || elicit === undefined ? undefined : askForConsent(elicit, request, signal);
  };

  /** Shows a question from a tool to the person who uses the calling client. @throws if nobody can be asked */
  readonly askQuestion: AskQuestion = async (question, signal) => {
    const { elicit, elicitUrl } = this.#requests.getStore() ?? {};
    const { url } = question;
    if (url === undefined ? elicit === undefined : elicitUrl === undefined)
      throw new ResourceError(
        `${question.tool} asks a question, but this client shows no ${url === undefined ? 'questions' : 'addresses'}.`,
      );
    const { action, content } =
      url === undefined
        ? await elicit!(writeForm(question), signal)
        : await elicitUrl!({ message: describeQuestion(question), url }, signal);
    if (action === 'cancel')
      throw new ResourceError(`${question.tool} asks a question, and the user dismissed it without an answer.`);
    if (action !== 'accept') return undefined;
    const agreed = Object.fromEntries(Object.keys(question.fields).map((name) => [name, true]));
    return url === undefined ? readAnswers(question.fields, Object(content)) : agreed;
  };

  /** Wraps an approver, so that reading requests are refused anything else before it is consulted. */
  wrap(inner: Approver): Approver {
    const refuse = ({ tool, effect, reason }: ApprovalRequest) => {
      if (this.#requests.getStore()?.isReading !== true || effect === 'read') return undefined;
      const why =
        reason === undefined
          ? `${tool} changes something, or leaves this machine`
          : `${tool} needs consent, because ${reason}`;
      return { allow: false, reason: `${why}: use call.`, isUnanswered: true } as const;
    };
    return {
      ...inner,
      ...(inner.decide && { decide: (request: ApprovalRequest) => refuse(request) ?? inner.decide!(request) }),
      approve: (request, signal) => refuse(request) ?? inner.approve(request, signal),
    };
  }

  during<T>(request: Request, work: () => Promise<T>): Promise<T> {
    return this.#requests.run(request, work);
  }
}

async function askForConsent(
  elicit: Elicit,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<AskPerson>>> {
  const message = await describeRequest(request);
  const requestedSchema = {
    type: 'object' as const,
    properties: { decision: { type: 'string' as const, title: 'Allow it?', enum: ['allow', 'deny'] } },
    required: ['decision'],
  };
  const { action, content } = await elicit({ message, requestedSchema }, signal).catch(() => ({
    action: 'cancel' as const,
    content: undefined,
  }));
  if (action === 'accept') return { decision: content?.['decision'] === 'allow' ? 'allow' : 'deny' };
  return action === 'decline' ? { decision: 'deny' } : undefined;
}

/** Describes the whole change, so that exactly the change that is shown is made. */
async function describeRequest(request: ApprovalRequest): Promise<string> {
  const { space, tool, target, reason, preview, args, destructive, cost } = request;
  const change = (await preview?.()) ?? JSON.stringify(args, undefined, 2);
  const why = reason === undefined ? '' : ` because ${reason}`;
  const risk = destructive === true ? '\nIt may delete something that cannot be restored.' : '';
  const price = cost === undefined ? '' : `\nIt costs ${escapeInvisible(cost)}.`;
  return `${space}: ${tool} ${target}${why}${risk}${price}\n\n${escapeInvisible(change)}`;
}

/** Converts a question from a tool to a form. */
function writeForm(question: Parameters<AskQuestion>[0]): Form {
  const { fields, schema } = question;
  if (schema !== undefined)
    return { message: describeQuestion(question), requestedSchema: escapeTexts(schema) as Form['requestedSchema'] };
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, { type, description, oneOf, default: otherwise }]) => [
      name,
      {
        type,
        ...(description !== undefined && { description }),
        ...(oneOf !== undefined && { enum: [...oneOf] }),
        ...(otherwise !== undefined && { default: otherwise }),
      },
    ]),
  );
  const required = Object.keys(fields).filter((name) => fields[name]!.optional !== true);
  const requestedSchema = { type: 'object', properties, required } as Form['requestedSchema'];
  return { message: describeQuestion(question), requestedSchema };
}

/** Fields of a schema that a client shows and that have no other meaning. */
const SHOWN: ReadonlySet<string> = new Set(['title', 'description']);

/** Escapes invisible characters in what a client shows of a schema. */
function escapeTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(escapeTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]: [string, unknown]) => [
      key,
      SHOWN.has(key) && typeof one === 'string' ? escapeInvisible(one) : escapeTexts(one),
    ]),
  );
}

type Fields = Parameters<AskQuestion>[0]['fields'];

/** Reads the answers to the fields that were asked for; undefined if one of them is missing or does not fit. */
function readAnswers(fields: Fields, content: Readonly<Record<string, unknown>>): Answers | undefined {
  const answers: Record<string, Answers[string]> = {};
  for (const [name, field] of Object.entries(fields)) {
    const sent = Object.hasOwn(content, name) ? content[name] : field.default;
    const given = Array.isArray(sent) ? JSON.stringify(sent) : sent;
    if (given === undefined && field.optional === true) continue;
    if (!fits(given, field)) return undefined;
    answers[name] = given;
  }
  return answers;
}

function fits(given: unknown, { type, oneOf }: Fields[string]): given is Answers[string] {
  if (type === 'integer') return Number.isSafeInteger(given);
  if (type === 'number') return Number.isFinite(given);
  if (typeof given !== type) return false;
  return oneOf === undefined || oneOf.includes(given as string);
}

function describeQuestion({ text, space, tool }: Parameters<AskQuestion>[0]): string {
  return `${space} (${tool}) asks: ${escapeInvisible(text)}`;
}

/** Replaces characters that a client might not show with escapes. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char === '\n' || char === '\t' ? char : `\\u{${char.codePointAt(0)!.toString(16)}}`,
  );
}
