import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  client as makeClient,
  methods,
  ndJsonStream,
  type ClientConnection,
  type NewSessionResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveModel, type ModelServer } from './model-server.ts';
import { LAUNCHER } from './run-bae.ts';
import { put, scratchFolder } from './scratch-folder.ts';

let cwd: string;
const closing = new Set<() => Promise<void> | void>();
beforeEach(() => {
  cwd = scratchFolder().path;
});
afterEach(async () => {
  for (const close of closing) await close();
  closing.clear();
});

interface Editor {
  readonly connection: ClientConnection;
  readonly child: ChildProcess;
  readonly model: ModelServer;
  readonly updates: SessionUpdate[];
  readonly asked: RequestPermissionRequest[];
}

/** An editor with bae as its agent, and a model that says these things. */
async function open(script: Parameters<typeof serveModel>[0], answer = 'allow'): Promise<Editor> {
  const model = await serveModel(script);
  const child = spawn(process.execPath, [LAUNCHER, 'acp', ...model.args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, OLLAMA_HOST: 'http://127.0.0.1:9' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const connection = makeClient({ name: 'editor' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      return { outcome: { outcome: 'selected', optionId: answer } };
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  closing.add(async () => {
    connection.close();
    child.kill();
    await model.close();
  });
  return { connection, child, model, updates, asked };
}

async function startSession({ connection }: Editor) {
  const { protocolVersion } = await connection.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: {},
  });
  expect(protocolVersion).toBe(1);
  return connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
}

const prompt = ({ connection }: Editor, sessionId: string, text: string) =>
  connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });

describe('bae acp', () => {
  it('shows what is called as it happens, and the answer', async () => {
    put(cwd, 'a.txt', 'one\n');
    const editor = await open(['Let me look.\n<R:a.txt>', 'It says **one**.']);
    const { sessionId, modes } = await startSession(editor);
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(['ask', 'edit', 'plan']);
    expect(await prompt(editor, sessionId, 'What is in a.txt?')).toEqual({ stopReason: 'end_turn' });
    expect(editor.model.prompts[0]).toContain('What is in a.txt?');
    expect(editor.updates).toMatchObject([
      { sessionUpdate: 'agent_thought_chunk', content: { text: 'Let me look.\n' } },
      {
        sessionUpdate: 'tool_call',
        title: '<R:a.txt>',
        kind: 'read',
        status: 'in_progress',
        locations: [{ path: join(cwd, 'a.txt') }],
      },
      { sessionUpdate: 'tool_call_update', status: 'completed', content: [{ content: { text: '```\none\n\n```' } }] },
      { sessionUpdate: 'agent_message_chunk', content: { text: 'It says **one**.' } },
    ]);
  });

  it('asks with the whole change, about the call that is shown', async () => {
    const editor = await open(['<W:b.txt>\nnew\n</W>', 'Done.']);
    const { sessionId } = await startSession(editor);
    await prompt(editor, sessionId, 'Write it.');
    expect(editor.asked).toHaveLength(1);
    const { toolCall, options } = editor.asked[0]!;
    expect(JSON.stringify(toolCall.content)).toContain('+new');
    expect(options.map(({ kind }) => kind)).toEqual(['allow_once', 'allow_always', 'reject_once']);
    const shown = editor.updates.find((update) => update.sessionUpdate === 'tool_call');
    expect(shown).toMatchObject({ toolCallId: toolCall.toolCallId, kind: 'edit' });
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('new\n');
  });

  it('changes nothing that is refused, nor in the mode that only reads', async () => {
    const editor = await open(['<W:b.txt>\nnew\n</W>', 'Refused.'], 'deny');
    const { sessionId } = await startSession(editor);
    await prompt(editor, sessionId, 'Write it.');
    expect(editor.updates).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed' }),
    );
    const other = await open(['<W:b.txt>\nnew\n</W>', 'A plan.']);
    const second = await startSession(other);
    await other.connection.agent.request(methods.agent.session.setMode, {
      sessionId: second.sessionId,
      modeId: 'plan',
    });
    await prompt(other, second.sessionId, 'Write it.');
    expect(other.asked).toEqual([]);
    expect(other.model.prompts[1]).toContain('the mode is plan, which only reads');
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false);
  });

  it('accepts edits without a question in the mode for that, but asks before anything else', async () => {
    const editor = await open(['<W:b.txt>\nnew\n</W>\n<scripts.run_script:go>', 'Done.']);
    put(cwd, 'package.json', '{"scripts": {"go": "echo gone"}}');
    const { sessionId } = await startSession(editor);
    await editor.connection.agent.request(methods.agent.session.setMode, { sessionId, modeId: 'edit' });
    await prompt(editor, sessionId, 'Go.');
    expect(editor.asked.map(({ toolCall }) => toolCall.title)).toEqual([
      expect.stringMatching(/^scripts: run_script command:npm run go -- #/),
    ]);
    expect(existsSync(join(cwd, 'b.txt'))).toBe(true);
  });

  it('cancels a turn, and goes on with the next', async () => {
    const editor = await open([
      (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }),
      'Back again.',
    ]);
    const { sessionId } = await startSession(editor);
    const turn = prompt(editor, sessionId, 'Wait.');
    while (editor.model.requests.length === 0) await new Promise(setImmediate);
    await editor.connection.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await turn).toEqual({ stopReason: 'cancelled' });
    expect(await prompt(editor, sessionId, 'And now?')).toEqual({ stopReason: 'end_turn' });
  });

  it('mounts the servers that the editor brings, and explains what is wrong', async () => {
    const fixture = join(import.meta.dirname, '../../../packages/resourcespaces/mcp/test/fixture-server.mjs');
    const editor = await open(['@box()\n<box.R:>', 'I see box.']);
    await editor.connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const server = { name: 'box', command: process.execPath, args: [fixture], env: [] };
    const { sessionId } = await editor.connection.agent.request<NewSessionResponse>(methods.agent.session.new, {
      cwd,
      mcpServers: [server],
    });
    await prompt(editor, sessionId, 'Look.');
    expect(editor.model.prompts[1]).toContain('11 tools of fixture 1.0.0');
    await expect(prompt(editor, 'nobody', 'Hi')).rejects.toThrow('there is no session nobody');
  });
});
