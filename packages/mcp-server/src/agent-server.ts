import { randomUUID } from 'node:crypto';
import { asModelText, type Agent, type AgentEvent, type BatchReport, findNearestName } from '@bae/core';
import { Server, type CallToolResult, type ClientCapabilities } from '@modelcontextprotocol/server';
import { ToolIndex } from '@bae/search';
import { z } from 'zod';
import { listFound, nameSession, toAnswer, toErrorAnswer, toResult } from './call-answer.ts';
import { escapeInvisible, type ClientConsent } from './client-consent.ts';
import { HeldCalls, type QuestionModes, type RunningCall } from './held-calls.ts';
import { Clients, type Lanes, type ClientSessions } from './clients.ts';
import { INSTRUCTIONS, TOOL_LIST } from './tool-list.ts';

/** Key under which a stateless request lists the capabilities of its client. */
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Maximum number of tools that a search shows. */
const MOST_FOUND = 8;

export interface ServedAgent {
  readonly agent: Agent;
  readonly consent: ClientConsent;
  readonly version: string;
  /** Time that a call which may change something keeps later ones waiting at most, in milliseconds. Default: 2000. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 2000;

/** A running call, and the sessions of its client. */
type ClientCall = RunningCall & { readonly sessions: ClientSessions };

/** How the calls of a request are made. */
interface Way {
  readonly lane: Lanes;
  /** True if nothing may be changed. */
  readonly isReading: boolean;
}

/** Arguments that matter for requests without a connection. */
interface StatelessArguments {
  /** Handle of the sessions to use. */
  readonly session?: string | undefined;
  readonly tool?: string | undefined;
}

interface ChosenSessions {
  readonly sessions: ClientSessions;
  /** The handle that the client has to send to use them again. */
  readonly handle?: string;
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
  call: CALL.extend({ session: z.string().optional() }),
  run: z.object({ code: z.string().min(1), session: z.string().optional() }),
  read_result: z.object({
    result: z.string().regex(/^result:\d+$/, 'expected a handle such as result:3'),
    // Some clients send a string that looks like a number as a number.
    lines: z.coerce
      .string()
      .regex(/^(?:\d+(?:-\d*)?|-\d+)$/, 'expected lines such as 100-140, or -50')
      .optional(),
  }),
  find: z.object({ query: z.string().min(1) }),
} as const;

/**
 * Creates MCP servers whose six tools give access to all places of an agent: one server per connection or request. Each
 * client has its own variables, changes to undo, and kept results.
 *
 * @returns a function that creates a server. Its argument is any object that stands for a client with several servers,
 *   such as the one of a process. Default: the server itself in revisions with connections; in the stateless revision,
 *   what a request says
 */
export function serveAgent(served: ServedAgent): (client?: object) => Server {
  const { agent, consent, version, patienceMs = PATIENCE_MS } = served;
  const clients = new Clients({ agent, patienceMs });
  const held = new HeldCalls();

  /** Runs a text; `isReading` if nothing may be changed. */
  const runText = (text: string, call: ClientCall, { lane, isReading }: Way): Promise<BatchReport> =>
    lane.do(call, async (session) => {
      const stop = session.subscribe(reportTo(call));
      try {
        return await consent.during({ isReading, elicit: call.elicit, elicitUrl: call.elicitUrl }, () =>
          session.run(asModelText(text), { signal: call.signal }),
        );
      } finally {
        stop();
      }
    });
  /** A mounted server may have a state, such as an open page: what reads it uses the same program as what changes it. */
  const read = ({ sessions: { readers, actors } }: ClientCall, path: readonly string[] = []): Way => {
    const isMounted = path.length > 0 && agent.tree.at(path.slice(0, 1))?.isForeign === true;
    return { lane: isMounted ? actors : readers, isReading: true };
  };
  const callTool = async (
    { place, tool, arguments: args }: z.output<typeof CALL>,
    running: ClientCall,
    way: Way,
  ): Promise<CallToolResult> => {
    const name = [...parsePlace(place), tool].join('.');
    // Text in the arguments must not be taken for a tag.
    const call = JSON.stringify({ name, arguments: args }).replaceAll('<', String.raw`\u003c`);
    const report = await runText(`<tool_call>${call}</tool_call>`, running, way);
    // The call was read as text: its address is wrong.
    if (report.calls.length === 0) return toErrorAnswer(explainWrongPlace(agent.tree, place, tool));
    const { results } = running.sessions;
    return toResult(report, { results, tool: way.isReading ? 'look_up' : 'call' });
  };
  let index: ToolIndex | undefined;
  const findTools = (query: string): CallToolResult => {
    index = index?.renew(agent.tree) ?? new ToolIndex(agent.tree);
    const found = index.find(query).slice(0, MOST_FOUND);
    return listFound(found, query);
  };
  const handlers: {
    readonly [K in keyof typeof ARGUMENTS]: (
      args: z.output<(typeof ARGUMENTS)[K]>,
      call: ClientCall,
    ) => Promise<CallToolResult>;
  } = {
    see: async ({ place, tool }, call) => {
      const { results } = call.sessions;
      const path = parsePlace(place);
      const way = read(call, path);
      if (path.length > 0 && agent.tree.at(path.slice(0, 1)) === undefined)
        return toErrorAnswer(explainWrongPlace(agent.tree, place, tool ?? ''));
      if (tool !== undefined) return toResult(await runText(helpTag(path, tool), call, way), { results });
      if (path.length > 0 && agent.tree.at(path) === undefined) {
        const entering = `@${path.join('.').replaceAll(/[^\p{L}\p{N}_.-]/gu, '')}()`;
        return toResult(await runText(entering, call, way), { results });
      }
      return toAnswer(await way.lane.do(call, (session) => session.describe(path)));
    },
    look_up: (args, call) => callTool(args, call, read(call, parsePlace(args.place))),
    call: (args, call) => callTool(args, call, useActors(call)),
    run: async ({ code }, call) => {
      const block = `<run>\n${code.replaceAll('</run>', String.raw`<\/run>`)}\n</run>`;
      return toResult(await runText(block, call, useActors(call)), { results: call.sessions.results });
    },
    read_result: async ({ result, lines }, call) => {
      const tag = `<R:${result}${lines === undefined ? '' : `:${lines}`}>`;
      return toResult(await runText(tag, call, read(call)), { results: call.sessions.results });
    },
    find: async ({ query }) => findTools(query),
  };

  /** Says why a request without a connection cannot be made; undefined if it can. */
  const refuse = (key: string, { session, tool }: StatelessArguments): string | undefined => {
    if (session !== undefined && clients.find(session) === undefined)
      return `There is no session ${JSON.stringify(session)} any more. Leave it out: run opens another.`;
    return session === undefined && key === 'call' && tool === 'undo'
      ? 'undo is for the changes of a session: send the session that run has named.'
      : undefined;
  };
  /** Chooses the sessions of a request without a connection; a run that names none gets its own. */
  const choose = (key: string, { session = '' }: StatelessArguments): ChosenSessions => {
    const known = clients.find(session);
    if (known !== undefined) return { sessions: known, handle: session };
    if (key !== 'run') return { sessions: clients.common };
    const [handle, sessions] = clients.open();
    return { sessions, handle };
  };

  return (client) => {
    const server = new Server({ name: 'bae', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
    server.setRequestHandler('tools/list', () => ({ tools: [...TOOL_LIST] }));
    server.setRequestHandler('tools/call', ({ params: { name, arguments: given = {} } }, context) => {
      if (!Object.hasOwn(handlers, name))
        return toErrorAnswer(`There is no tool ${JSON.stringify(name)}. Tools: ${Object.keys(handlers).join(', ')}.`);
      const key = name as keyof typeof ARGUMENTS;
      const checked = ARGUMENTS[key].safeParse(given);
      if (!checked.success)
        return toErrorAnswer(
          checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
        );
      const { mcpReq } = context;
      const { envelope } = mcpReq;
      const connection = client ?? (envelope === undefined ? server : undefined);
      const args = checked.data as StatelessArguments;
      const refusal = connection === undefined ? refuse(key, args) : undefined;
      if (refusal !== undefined) return toErrorAnswer(refusal);
      const work = async (call: RunningCall) => {
        const { sessions, handle }: ChosenSessions =
          connection === undefined ? choose(key, args) : { sessions: clients.ofConnection(connection) };
        const answer = await handlers[key](checked.data as never, Object.assign(call, { sessions }));
        return handle === undefined ? answer : nameSession(answer, handle);
      };
      // The SDK's types do not describe its content.
      const { [CAPABILITIES]: declared }: { readonly [CAPABILITIES]?: ClientCapabilities } = envelope ?? {};
      const modes = listModes((declared ?? server.getClientCapabilities())?.elicitation);
      if (envelope !== undefined) return held.proceed(context, modes, work);
      const elicit: RunningCall['elicit'] = (form, signal) => mcpReq.elicitInput(form, { signal });
      const elicitUrl: RunningCall['elicitUrl'] = (page, signal) =>
        mcpReq.elicitInput({ ...page, mode: 'url', elicitationId: randomUUID() }, { signal });
      return work({
        context,
        signal: mcpReq.signal,
        elicit: modes.form ? elicit : undefined,
        elicitUrl: modes.url ? elicitUrl : undefined,
      });
    });
    // Server has no other way to tell.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    server.onclose = () => void clients.end(server);
    return server;
  };
}

function useActors({ sessions: { actors } }: ClientCall): Way {
  return { lane: actors, isReading: false };
}

/** Reads how a client can ask its user. One that names no way shows forms. */
function listModes(given: ClientCapabilities['elicitation']): QuestionModes {
  const url = given?.url !== undefined;
  return { form: given?.form !== undefined || (given !== undefined && !url), url };
}

function helpTag(path: readonly string[], tool: string): string {
  return `<${[...path, 'help'].join('.')}:${tool.replaceAll(/[^\p{L}\p{N}_-]/gu, '')}>`;
}

/** Passes the progress of calls on to the client, if it requested that. */
function reportTo(call: RunningCall): (event: AgentEvent) => void {
  let count = 0;
  return (event) => {
    const { mcpReq } = call.context;
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    if (event.type === 'call-output') {
      const message = escapeInvisible(event.text.trimEnd().split('\n').at(-1)!);
      const params = { progressToken, progress: ++count, message };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    }
    if (event.type !== 'call-progress') return;
    const { done, total, text } = event;
    // The protocol requires increasing numbers, but each of several calls starts from the beginning.
    const progress = total === undefined ? ++count : done;
    const params = { progressToken, progress, ...(total !== undefined && { total }), ...(text && { message: text }) };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

type SpaceTree = Agent['tree'];

/** Maximum number of names that an error lists. */
const MOST_NAMES = 12;

/** Returns the path of a place as a client writes it: `tasks`, `github.issues()`, or nothing for home. */
function parsePlace(place = ''): readonly string[] {
  const path = place
    .replaceAll('()', '')
    .split('.')
    .filter((name) => name !== '');
  return path[0] === 'home' ? path.slice(1) : path;
}

/** Says which part of an address does not exist, what is there instead, and what to call next. */
function explainWrongPlace(tree: SpaceTree, place: string | undefined, tool: string): string {
  const path = parsePlace(place);
  const known = path.findIndex((_, index) => tree.at(path.slice(0, index + 1)) === undefined);
  const parent = path.slice(0, known === -1 ? path.length : known);
  const space = tree.at(parent)!;
  const where = parent.length === 0 ? 'home' : parent.join('.');
  if (known !== -1) {
    const names = tree.below(parent).map(({ name }) => name);
    const full = (name: string): string => [...parent, name].join('.');
    return `There is no place ${JSON.stringify(path.join('.'))}.${listNear(path[known]!, names, full)} See what is there: see(${JSON.stringify({ place: where })}).`;
  }
  const names = Object.keys(space.tools);
  return `${where} has no tool ${JSON.stringify(tool)}.${listNear(tool, names)} See what is there: see(${JSON.stringify({ place: where })}).`;
}

function listNear(wrong: string, names: readonly string[], write = (name: string): string => name): string {
  const nearest = findNearestName(wrong, names);
  if (nearest !== undefined) return ` Did you mean ${JSON.stringify(write(nearest))}?`;
  if (names.length === 0) return '';
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  return ` There are ${names.slice(0, MOST_NAMES).map(write).join(', ')}${more}.`;
}
