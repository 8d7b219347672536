import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@bae/client';
import { approvalPolicy, createAgent, defineResourcespace, tool, type Message } from '@bae/core';
import {
  LocalNotifier,
  LocalWork,
  makeToken,
  openFileStore,
  SERVER_TABLES,
  SqlServerStore,
  startServer,
  Workspaces,
  type OpenAgent,
  type RunningServer,
  type ServerOptions,
  type ServerStore,
  type Token,
} from '@bae/server';
import { openPostgres } from '@bae/store-postgres';
import { ScriptedModel } from '@bae/testing';
import { z } from 'zod';

interface ServedAgentsOptions extends Partial<ServerOptions> {
  readonly script: (messages: readonly Message[]) => string | Promise<string>;
  readonly gitHosts?: readonly string[];
  readonly gitConfig?: string;
  /** Gets the folder of each session that is opened. */
  readonly onOpen?: (folder: string) => void;
  /** Sessions that are worked on at the same time. */
  readonly most?: number;
  /** Address of a PostgreSQL database. Default: files. */
  readonly database?: string;
}

/** A server whose agents have a counter and a scripted model. */
export interface ServedAgents {
  readonly server: RunningServer;
  readonly store: ServerStore;
  /** Errors that should not have happened. */
  readonly unexpected: unknown[];
  addToken(name: string, properties?: Partial<Token>): Promise<{ readonly text: string; readonly client: Client }>;
  close(): Promise<void>;
}

const counter = defineResourcespace({
  name: 'counter',
  description: 'A counter.',
  tools: {
    read: tool('What was counted.', { target: z.string().default('') }, ({ target }) => `counted ${target}`),
    add: tool('Adds one.', { what: z.string() }, ({ what }) => `added ${what}`, { effect: 'write' }),
  },
});

async function openSharedStore(url: string): Promise<ServerStore> {
  const postgres = await openPostgres({ url });
  const database = await postgres.openTables({ name: 'server', steps: SERVER_TABLES });
  const store = new SqlServerStore({ sessions: postgres.sessions, database });
  return Object.assign(store, { close: () => postgres.close() });
}

export async function serveAgents(options: ServedAgentsOptions): Promise<ServedAgents> {
  const { script, gitHosts = [], gitConfig, onOpen, most = 200, database, ...serverOptions } = options;
  const folder = mkdtempSync(join(tmpdir(), 'bae-served-'));
  const store = database === undefined ? openFileStore(folder) : await openSharedStore(database);
  const notifier = new LocalNotifier();
  const unexpected: unknown[] = [];
  const workspaces = new Workspaces({
    folders: new Map([['here', folder]]),
    gitHosts,
    gitConfig,
    data: folder,
    env: {},
  });
  const openAgent: OpenAgent = async (session, { ask, wrapApprover, memory: _memory, ...parts }) => {
    onOpen?.(await workspaces.open(session));
    const model = new ScriptedModel(Array.from({ length: 50 }, () => script));
    const agent = createAgent({ home: counter, model, approver: wrapApprover(approvalPolicy({ ask })), ...parts });
    return { agent, close: () => agent.close() };
  };
  const report = (error: unknown): void => void unexpected.push(error);
  const work = new LocalWork({ store, notifier, openAgent, most, report });
  const server = await startServer({
    store,
    notifier,
    dispatcher: work,
    workspaces,
    listSpaces: async () => ['counter'],
    version: '0.0.0',
    report,
    ...serverOptions,
  });
  return {
    server,
    store,
    unexpected,
    async addToken(name, properties = {}) {
      const { token, text } = makeToken({
        name,
        created: new Date(),
        may: ['read', 'write', 'external', 'approve'],
        budget: {},
        spaces: ['*'],
        folders: ['*'],
        sessionsOf: [],
        ...properties,
      });
      await store.addToken(token);
      return {
        text,
        client: new Client({
          url: server.url,
          token: text,
        }),
      };
    },
    async close() {
      await server.close();
      await work.drain(AbortSignal.abort());
      await store.close();
      rmSync(folder, {
        recursive: true,
        force: true,
      });
    },
  };
}
