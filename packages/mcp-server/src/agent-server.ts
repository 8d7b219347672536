import { AsyncLocalStorage } from 'node:async_hooks';
import {
  asModelText,
  ResourceError,
  type Agent,
  type AgentOptions,
  type AgentEvent,
  type ApprovalPolicy,
  type ApprovalRequest,
  type Approver,
  type BatchReport,
  type ResultStore,
  type ToolResult,
} from '@bae/core';
import { Server, type CallToolResult, type ContentBlock, type ServerContext } from '@modelcontextprotocol/server';
import { ToolIndex } from '@bae/search';
import { z } from 'zod';
import { INSTRUCTIONS, TOOL_LIST } from './tool-list.ts';

type AskPerson = NonNullable<ApprovalPolicy['ask']>;
type AskQuestion = NonNullable<AgentOptions['askPerson']>;
type Answers = NonNullable<Awaited<ReturnType<AskQuestion>>>;
type ElicitSchema = Extract<
  Parameters<ServerContext['mcpReq']['elicitInput']>[0],
  { requestedSchema: unknown }
>['requestedSchema'];

/** Tools that a search shows. */
const MOST_FOUND = 8;

/** What is known about a request while its calls run. */
interface Request {
  /** True when nothing may be changed. */
  readonly isReading: boolean;
  /** Asks the person in front of the client; undefined when the client cannot. */
  readonly ask?: AskPerson | undefined;
  /** Puts a question of a tool to that person; undefined when the client cannot. */
  readonly askQuestion?: AskQuestion | undefined;
}

/**
 * Consent to the calls of clients: what only reads refuses everything else, and what acts asks the person in front of the
 * client. Give `wrap` and `ask` to the agent that is served.
 */
export class ClientConsent {
  readonly #requests = new AsyncLocalStorage<Request>();

  /** Asks the person in front of the client whose call it is; undefined when nobody is there. */
  readonly ask: AskPerson = async (request, signal) => this.#requests.getStore()?.ask?.(request, signal);

  /** Puts a question of a tool to the person in front of the client whose call it is. @throws when nobody is there */
  readonly askQuestion: AskQuestion = async (question, signal) => {
    const ask = this.#requests.getStore()?.askQuestion;
    if (ask === undefined)
      throw new ResourceError(`${question.tool} asks something, and this client shows no questions.`);
    return ask(question, signal);
  };

  /** The approver with what may only read in front of it. */
  wrap(inner: Approver): Approver {
    const refuse = ({ tool }: ApprovalRequest) =>
      this.#requests.getStore()?.isReading === true
        ? ({ allow: false, reason: `${tool} changes something, or leaves this machine: use call.` } as const)
        : undefined;
    const { decide } = inner;
    return {
      ...inner,
      ...(decide && { decide: (request) => refuse(request) ?? decide(request) }),
      approve: (request, signal) => refuse(request) ?? inner.approve(request, signal),
    };
  }

  during<T>(request: Request, work: () => Promise<T>): Promise<T> {
    return this.#requests.run(request, work);
  }
}

export interface ServedAgent {
  readonly agent: Agent;
  readonly consent: ClientConsent;
  readonly version: string;
}

const OPTIONAL_PLACE = z.string().optional();
const CALL = z.object({
  place: OPTIONAL_PLACE,
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
const ARGUMENTS = {
  see: z.object({ place: OPTIONAL_PLACE, tool: z.string().optional() }),
  look_up: CALL,
  call: CALL,
  run: z.object({ code: z.string().min(1) }),
  read_result: z.object({
    result: z.string().regex(/^result:\d+$/, 'expected a handle such as result:3'),
    lines: z
      .string()
      .regex(/^(?:\d+(?:-\d*)?|-\d+)$/, 'expected lines such as 100-140, or -50')
      .optional(),
  }),
  find: z.object({ query: z.string().min(1) }),
} as const;

/**
 * A server of the protocol whose six tools lead to all places of an agent. One server a connection; the agent is shared.
 */
export function makeAgentServer({ agent, consent, version }: ServedAgent): Server {
  const server = new Server({ name: 'bae', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  // What reads does not wait for what acts; handles of cut results mean the same for both.
  const results = keepResults();
  const reader = new Lane(agent.session('mcp-read', { results }));
  const actor = new Lane(agent.session('mcp-act', { results }));

  const runText = (lane: Lane, text: string, context: ServerContext): Promise<BatchReport> => {
    const isReading = lane === reader;
    const asks = canAsk(server)
      ? { askQuestion: putToClient(context), ...(!isReading && { ask: askClient(context) }) }
      : {};
    return lane.do(async (session) => {
      const stop = session.subscribe(reportTo(context));
      try {
        return await consent.during({ isReading, ...asks }, () =>
          session.run(asModelText(text), { signal: context.mcpReq.signal }),
        );
      } finally {
        stop();
      }
    });
  };
  const callTool = async (
    lane: Lane,
    { place, tool, arguments: args }: z.output<typeof CALL>,
    context: ServerContext,
  ) => {
    const name = isHome(place) ? tool : `${place}.${tool}`;
    // Nothing in a text may pass for a tag.
    const call = JSON.stringify({ name, arguments: args }).replaceAll('<', String.raw`\u003c`);
    return toResult(await runText(lane, `<tool_call>${call}</tool_call>`, context), results);
  };
  /** A line for each of the tools that fit best; empty when none does. */
  const findTools = (query: string): string =>
    new ToolIndex(agent.tree)
      .find(query)
      .slice(0, MOST_FOUND)
      .map(
        ({ place, tool: { name, description } }) =>
          `${place}  ${name} -- ${description.trim().split('\n', 1)[0]!.slice(0, 100)}`,
      )
      .join('\n');
  const handlers: {
    readonly [K in keyof typeof ARGUMENTS]: (
      args: z.output<(typeof ARGUMENTS)[K]>,
      context: ServerContext,
    ) => Promise<CallToolResult>;
  } = {
    see: async ({ place = 'home', tool }, context) => {
      const path = isHome(place) ? [] : place.split('.');
      if (tool !== undefined) return toResult(await runText(reader, helpTag(path, tool), context), results);
      if (path.length > 0 && agent.tree.at(path) === undefined)
        return toResult(
          await runText(reader, `@${path.join('.').replaceAll(/[^\p{L}\p{N}_.-]/gu, '')}()`, context),
          results,
        );
      return toContent(await reader.do((session) => session.describe(path)));
    },
    look_up: (args, context) => callTool(reader, args, context),
    call: (args, context) => callTool(actor, args, context),
    run: async ({ code }, context) =>
      toResult(
        await runText(actor, `<run>\n${code.replaceAll('</run>', String.raw`<\/run>`)}\n</run>`, context),
        results,
      ),
    read_result: async ({ result, lines }, context) =>
      toResult(await runText(reader, `<R:${result}${lines === undefined ? '' : `:${lines}`}>`, context), results),
    find: async ({ query }) => toContent(findTools(query) || `Nothing fits ${JSON.stringify(query)}. See home: see().`),
  };

  server.setRequestHandler('tools/list', () => ({ tools: [...TOOL_LIST] }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }, context) => {
    if (!Object.hasOwn(handlers, name))
      return toContent(`There is no tool ${JSON.stringify(name)}. Tools: ${Object.keys(handlers).join(', ')}.`, true);
    const key = name as keyof typeof ARGUMENTS;
    const checked = ARGUMENTS[key].safeParse(given);
    if (!checked.success)
      return toContent(
        checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
        true,
      );
    return handlers[key](checked.data as never, context);
  });
  return server;
}

function isHome(place: string | undefined): boolean {
  return place === undefined || place === '' || place === 'home';
}

function helpTag(path: readonly string[], tool: string): string {
  return `<${[...path, 'help'].join('.')}:${tool.replaceAll(/[^\p{L}\p{N}_-]/gu, '')}>`;
}

/** A session whose calls run one after the other. */
class Lane {
  readonly #session: Agent;
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: Agent) {
    this.#session = session;
  }

  do<T>(work: (session: Agent) => Promise<T>): Promise<T> {
    const next = this.#last.then(() => work(this.#session));
    this.#last = next.catch(() => undefined);
    return next;
  }
}

/** The answer to one call: its result, else what bae says about it. */
function toResult({ calls, feedback }: BatchReport, results: ResultStore): CallToolResult {
  const [call] = calls;
  if (call !== undefined) {
    const { ok, text, media = [] } = call.result;
    const { content, ...rest } = toContent(text, !ok);
    return { content: [...content, ...media.flatMap((one) => toBlock(one, results) ?? [])], ...rest };
  }
  const [, nonce = ''] = /^\[(?:Tool output|Output) (\w+)\]$/m.exec(feedback) ?? [];
  const lines = feedback.split('\n').filter((line) => nonce === '' || !line.endsWith(` ${nonce}]`));
  return toContent(lines.join('\n').trim(), /^\w*Error: |^\[Parse problem\]/m.test(feedback));
}

type Media = NonNullable<ToolResult['media']>[number];

/** An image, a sound or a file as the protocol has it; undefined when it is kept no longer. It is kept as a data URL. */
function toBlock({ type, mediaType, ref, name = ref }: Media, results: ResultStore): ContentBlock | undefined {
  const kept = results.get(ref);
  if (kept === undefined) return undefined;
  const data = kept.slice(kept.indexOf('base64,') + 'base64,'.length);
  if (type !== 'file') return { type, mimeType: mediaType, data };
  const uri = `bae:${ref}/${encodeURIComponent(name)}`;
  return { type: 'resource', resource: { uri, mimeType: mediaType, blob: data } };
}

function toContent(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}

/** Passes the progress of calls on to the client, where it asked for that. */
function reportTo({ mcpReq }: ServerContext): (event: AgentEvent) => void {
  const progressToken = mcpReq._meta?.progressToken;
  let count = 0;
  return (event) => {
    if (progressToken === undefined) return;
    if (event.type === 'call-output') {
      const message = escapeInvisible(event.text.trimEnd().split('\n').at(-1)!);
      const params = { progressToken, progress: ++count, message };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    }
    if (event.type !== 'call-progress') return;
    const { done, total, text } = event;
    // The protocol wants numbers that grow; of several calls each begins anew.
    const progress = total === undefined ? ++count : done;
    const params = { progressToken, progress, ...(total !== undefined && { total }), ...(text && { message: text }) };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

function canAsk(server: Server): boolean {
  return server.getClientCapabilities()?.elicitation !== undefined;
}

/** Passes a question of a tool on to the client. */
function putToClient({ mcpReq }: ServerContext): AskQuestion {
  return async ({ text, fields, space, tool }, signal) => {
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
    const requestedSchema = { type: 'object', properties, required } as ElicitSchema;
    const message = `${space} (${tool}) asks: ${escapeInvisible(text)}`;
    const { action, content } = await mcpReq.elicitInput({ message, requestedSchema }, { signal });
    return action === 'accept' ? (content as Answers) : undefined;
  };
}

/** Asks through the client. */
function askClient({ mcpReq }: ServerContext): AskPerson {
  return async (request, signal) => {
    const message = await describeRequest(request);
    const requestedSchema = {
      type: 'object' as const,
      properties: { decision: { type: 'string' as const, title: 'Allow it?', enum: ['allow', 'deny'] } },
      required: ['decision'],
    };
    // The stateless revision of the protocol has no questions in the middle of a call: then nobody is there.
    const { action, content } = await mcpReq
      .elicitInput({ message, requestedSchema }, { signal })
      .catch(() => ({ action: 'cancel' as const, content: undefined }));
    if (action === 'accept') return { decision: content?.['decision'] === 'allow' ? 'allow' : 'deny' };
    return action === 'decline' ? { decision: 'deny' } : undefined;
  };
}

/** The whole change: what is shown is what is done. */
async function describeRequest({ space, tool, target, reason, preview, args }: ApprovalRequest): Promise<string> {
  const change = (await preview?.()) ?? JSON.stringify(args, undefined, 2);
  const why = reason === undefined ? '' : ` because ${reason}`;
  return `${space}: ${tool} ${target}${why}\n\n${escapeInvisible(change)}`;
}

/** Characters that a client might not show, as escapes. */
function escapeInvisible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char === '\n' || char === '\t' ? char : `\\u{${char.codePointAt(0)!.toString(16)}}`,
  );
}

/** Most kept results, and characters of them: the oldest go first. */
const MOST_RESULTS = 500;
const MOST_CHARACTERS = 64 * 1024 * 1024;

function keepResults(): ResultStore {
  const kept = new Map<string, string>();
  let count = 0;
  let characters = 0;
  return {
    keep: (text) => {
      const ref = `result:${++count}`;
      kept.set(ref, text);
      characters += text.length;
      for (const [old, { length }] of kept) {
        if (kept.size <= MOST_RESULTS && characters <= MOST_CHARACTERS) break;
        if (old === ref) break;
        kept.delete(old);
        characters -= length;
      }
      return ref;
    },
    get: (ref) => kept.get(ref),
    handles: () => [...kept.keys()],
  };
}
