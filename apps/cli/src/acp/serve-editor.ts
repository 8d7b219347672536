import {
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type AgentContext,
  type ClientCapabilities,
  type ListSessionsResponse,
  type McpServer,
} from '@agentclientprotocol/sdk';
import { isAbsolute } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError, readErrorText } from '../command-line/errors.ts';
import { MODES, type Mode } from '../consent/modes.ts';
import { openKeptStore } from '../kept-session.ts';
import { readVersion } from '../package-folder.ts';
import { EditorSession } from './editor-session.ts';

interface Streams {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

/** Runs `bae acp`: the agent of an editor, over standard input and output, until the editor ends. */
export async function runAcp(context: CommandContext): Promise<number> {
  const { positionals, terminal, signal } = context;
  if (positionals.length > 0) throw new UsageError('bae acp takes no arguments; an editor starts it.');
  const output = new Writable({
    write: (bytes: Buffer, _, done) => {
      terminal.out.write(String(bytes));
      done();
    },
  });
  const input = Readable.toWeb(terminal.input) as ReadableStream<Uint8Array>;
  await serveEditor(context, { input, output: Writable.toWeb(output) as WritableStream<Uint8Array> }, signal);
  return 0;
}

/**
 * Serves the Agent Client Protocol (https://agentclientprotocol.com), version 1: sessions, including earlier ones,
 * prompts with their calls as they happen, questions for consent, modes, tasks, commands and cancellation. Ends when
 * the editor closes the connection.
 */
async function serveEditor(context: CommandContext, { input, output }: Streams, signal: AbortSignal): Promise<void> {
  const sessions = new Map<string, EditorSession>();
  const find = (id: string): EditorSession => {
    const session = sessions.get(id);
    if (session === undefined) throw RequestError.invalidParams({ sessionId: id }, `there is no session ${id}`);
    return session;
  };
  let capabilities: ClientCapabilities = {};
  const open = async ({ params, client }: SessionRequest, resume?: string): Promise<EditorSession> => {
    const { cwd, mcpServers } = params;
    if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, `cwd: expected an absolute path; got ${cwd}`);
    // Each session has only one writer in this process.
    if (resume !== undefined) {
      await sessions.get(resume)?.close();
      sessions.delete(resume);
    }
    const servers = (mcpServers ?? []).map(toSettings);
    const asked = { context, client, capabilities, cwd, servers, ...(resume !== undefined && { resume }) };
    const session = await EditorSession.open(asked).catch((error: unknown) => {
      if (error instanceof RequestError) throw error;
      throw RequestError.internalError(undefined, readErrorText(error));
    });
    sessions.set(session.id, session);
    // Sent after the response, which contains the id.
    setImmediate(() => void session.announce());
    return session;
  };
  const app = agent({ name: 'bae' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      capabilities = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'bae', version: readVersion() },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { embeddedContext: true, image: true },
          mcpCapabilities: { http: true, sse: true },
          sessionCapabilities: { list: {}, resume: {}, close: {} },
        },
        authMethods: [],
      };
    })
    .onRequest(methods.agent.session.new, async (request) => {
      const session = await open(request);
      return { sessionId: session.id, ...describeModes(session) };
    })
    .onRequest(methods.agent.session.load, async (request) => {
      const session = await open(request, request.params.sessionId);
      await session.replay();
      return describeModes(session);
    })
    .onRequest(methods.agent.session.resume, async (request) =>
      describeModes(await open(request, request.params.sessionId)),
    )
    .onRequest(methods.agent.session.list, ({ params }) => listSessions(context, params.cwd ?? context.root))
    .onRequest(methods.agent.session.close, async ({ params }) => {
      await find(params.sessionId).close();
      sessions.delete(params.sessionId);
      return {};
    })
    .onRequest(methods.agent.session.setMode, ({ params }) => {
      if (!MODES.some(({ id }) => id === params.modeId)) throw RequestError.invalidParams({ modeId: params.modeId });
      find(params.sessionId).mode = params.modeId as Mode;
      return {};
    })
    .onRequest(methods.agent.session.prompt, ({ params }) => find(params.sessionId).prompt(params.prompt))
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel());
  const connection = app.connect(ndJsonStream(output, input));
  signal.addEventListener('abort', () => connection.close(), { once: true });
  try {
    await connection.closed;
  } finally {
    await Promise.all(Array.from(sessions.values(), (session) => session.close()));
  }
}

function describeModes({ mode }: EditorSession) {
  return { modes: { currentModeId: mode, availableModes: [...MODES] } };
}

interface SessionRequest {
  readonly params: { readonly cwd: string; readonly mcpServers?: readonly McpServer[] | null };
  readonly client: AgentContext;
}

/** Maximum number of sessions that are listed for an editor. */
const MOST_SESSIONS = 200;

/** Lists the sessions of a folder that have a prompt, newest first. */
async function listSessions({ options, terminal }: CommandContext, cwd: string): Promise<ListSessionsResponse> {
  const store = await openKeptStore(cwd, { options, terminal });
  try {
    const asked = store?.sessions(MOST_SESSIONS).filter(({ prompt }) => prompt !== undefined) ?? [];
    const toInfo = ({ id, cwd: folder, prompt, started }: (typeof asked)[number]) => ({
      sessionId: id,
      cwd: folder,
      title: prompt!.split('\n', 1)[0]!.slice(0, 80),
      updatedAt: started.toISOString(),
    });
    return { sessions: asked.map(toInfo) };
  } finally {
    store?.close();
  }
}

/** Converts a server of the editor to the format of `.mcp.json`. */
function toSettings(server: McpServer): readonly [name: string, settings: object] {
  if ('command' in server) {
    const { name, command, args, env } = server;
    return [name, { command, args, env: toRecord(env) }];
  }
  const { name, type, url, headers } = server;
  return [name, { type, url, headers: toRecord(headers) }];
}

function toRecord(
  pairs: readonly { readonly name: string; readonly value: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
