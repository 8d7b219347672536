import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError, type McpServer } from '@agentclientprotocol/sdk';
import { Readable, Writable } from 'node:stream';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { MODES, type Mode } from '../consent/modes.ts';
import { EditorSession } from './editor-session.ts';

interface Streams {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

/** `bae acp`: the agent of an editor, over input and output, until the editor ends. */
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
 * Serves the Agent Client Protocol (https://agentclientprotocol.com), version 1: sessions, prompts, their calls as they
 * happen, questions for consent, modes and cancellation. Ends when the editor closes the connection.
 */
async function serveEditor(context: CommandContext, { input, output }: Streams, signal: AbortSignal): Promise<void> {
  const sessions = new Map<string, EditorSession>();
  const find = (id: string): EditorSession => {
    const session = sessions.get(id);
    if (session === undefined) throw RequestError.invalidParams({ sessionId: id }, `there is no session ${id}`);
    return session;
  };
  const app = agent({ name: 'bae' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'bae', version: '0.1.0' },
      agentCapabilities: {
        promptCapabilities: { embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
      },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, async ({ params, client }) => {
      const session = await EditorSession.open({
        context,
        client,
        cwd: params.cwd,
        servers: params.mcpServers.map(toSettings),
      });
      sessions.set(session.id, session);
      return { sessionId: session.id, modes: { currentModeId: session.mode, availableModes: [...MODES] } };
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

/** A server of the editor in the form of `.mcp.json`. */
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
