import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, approvalPolicy, defineResourcespace, tool, type Message } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startServer, type RunningServer, type ServerOptions } from '../src/http/start-server.ts';
import type { ServerStore, Token } from '../src/ports.ts';
import { openFileStore } from '../src/store/server-store.ts';
import { makeToken } from '../src/tokens/token.ts';
import { LocalNotifier, LocalWork } from '../src/work/local-work.ts';
import { Workspaces } from '../src/workspaces/workspaces.ts';
import type { OpenAgent } from '../src/work/work-on.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bae-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What the model says to a conversation. */
export type Script = (messages: readonly Message[]) => string | Promise<string>;

/** A server over a notebook, whose model follows a script. */
export interface ServedNotes {
  readonly server: RunningServer;
  readonly store: ServerStore;
  readonly work: LocalWork;
  readonly notifier: LocalNotifier;
  readonly notes: string[];
  /** Errors that should not have happened. */
  readonly unexpected: unknown[];
  addToken(name: string, properties?: Partial<Token>): Promise<string>;
  /** A request with a token. */
  send(
    token: string,
    path: string,
    ...[body, headers]: readonly [body?: unknown, headers?: Readonly<Record<string, string>>]
  ): Promise<Response>;
  /** Asks something in a new session, and waits until the prompt is done. Returns the id of the session. */
  ask(token: string, text: string, session?: object): Promise<string>;
}

interface NotesOptions extends Partial<ServerOptions> {
  readonly script: Script;
  readonly folder?: string;
  readonly replyMs?: number;
  readonly most?: number;
  /** Characters of one part of a response. */
  readonly chunk?: number;
}

export function makeNotesSpace(notes: string[]) {
  return defineResourcespace({
    name: 'notes',
    description: 'Notes.',
    tools: {
      read: tool('All notes.', { target: z.string().default('') }, ({ target }) => {
        if (target === 'broken') throw new TypeError('this note is broken');
        return notes.join('\n') || '(none)';
      }),
      add: tool(
        'Adds a note.',
        { text: z.string() },
        ({ text }) => {
          notes.push(text);
          return `noted ${text}`;
        },
        { effect: 'write' },
      ),
    },
  });
}

/** In dollars per million tokens. */
const PRICES = { input: 1, output: 5 };

/** Starts it in a temporary folder; all of it ends with the test. */
export async function serveNotes({
  script,
  folder,
  replyMs,
  most = 8,
  chunk = 4,
  ...options
}: NotesOptions): Promise<ServedNotes> {
  const store = openFileStore(folder ?? temporaryFolder());
  const notifier = new LocalNotifier();
  const notes: string[] = [];
  const unexpected: unknown[] = [];
  const openAgent: OpenAgent = async (_session, { ask, wrapApprover, memory: _memory, ...parts }) => {
    const agent = createAgent({
      home: makeNotesSpace(notes),
      model: Object.assign(
        new ScriptedModel(
          Array.from({ length: 100 }, () => script),
          { chunk },
        ),
        { prices: PRICES },
      ),
      approver: wrapApprover(approvalPolicy({ ask })),
      ...parts,
    });
    return { agent, close: () => agent.close() };
  };
  const data = temporaryFolder();
  const workspaces = new Workspaces({ folders: new Map(), gitHosts: [], data, env: process.env });
  const report = (error: unknown): void => void unexpected.push(error);
  const work = new LocalWork({ store, notifier, openAgent, most, report, ...(replyMs !== undefined && { replyMs }) });
  const server = await startServer({
    store,
    notifier,
    dispatcher: work,
    version: '0.0.0',
    report,
    workspaces,
    listSpaces: async () => ['notes', 'source', 'tasks'],
    ...options,
  });
  onTestFinished(async () => {
    await server.close();
    await work.drain(AbortSignal.abort());
    await store.close();
    expect(unexpected).toEqual([]);
  });
  const send: ServedNotes['send'] = (token, path, ...[body, headers = {}]) =>
    fetch(server.url + path, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
  return {
    server,
    store,
    work,
    notifier,
    notes,
    unexpected,
    send,
    async addToken(name, properties = {}) {
      const made = makeToken({
        name,
        created: new Date(),
        may: ['read', 'write'],
        spaces: ['*'],
        folders: ['*'],
        sessionsOf: [],
        budget: {},
        ...properties,
      });
      await store.addToken(made.token);
      return made.text;
    },
    async ask(token, text, session = {}) {
      const { id } = (await (await send(token, '/v1/sessions', session)).json()) as {
        id: string;
      };
      await send(token, `/v1/sessions/${id}/prompts`, { text });
      await readEvents(await send(token, `/v1/sessions/${id}/events`), (event) => event.type === 'prompt-end');
      return id;
    },
  };
}

/** An event as it came over the wire. */
export interface ReadEvent {
  readonly id?: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads a stream until an event is the one, and leaves it. */
export async function readEvents(response: Response, isLast: (event: ReadEvent) => boolean): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body!) {
    text += decoder.decode(piece, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
      if (fields['data'] === undefined) continue;
      const event = {
        ...(fields['id'] !== undefined && { id: fields['id'] }),
        type: fields['event']!,
        data: JSON.parse(fields['data']) as ReadEvent['data'],
      };
      events.push(event);
      if (isLast(event)) return events;
    }
  }
  return events;
}
