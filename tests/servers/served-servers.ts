import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import type { SpaceDefinition, SpaceFactory } from '@bae/core';
import { mcpServer } from '@bae/mcp';
import type { AnswerCall, Server } from './mounted-servers.ts';

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> };
}

/** Places of servers that are reached by the protocol, as the command `bae` mounts them. */
export interface ServedServers {
  readonly spaces: readonly SpaceFactory[];
  /** Returns the path of the place that has a tool of a server. */
  readonly findPlace: (server: string, tool: string) => string;
  readonly close: () => void;
}

/** Serves tools by the Model Context Protocol in this process, and mounts each server as a place. */
export async function serveServers(
  servers: readonly Server[],
  answer: (server: Server) => AnswerCall,
): Promise<ServedServers> {
  const byName = new Map(servers.map((server) => [server.name, server]));
  const respond = (server: Server, { method, params: { name = '', arguments: args = {} } = {} }: Request): object => {
    if (method === 'tools/list') return { result: { tools: server.tools } };
    if (method === 'tools/call') return { result: { content: [{ type: 'text', text: answer(server)(name, args) }] } };
    const serverInfo = { name: server.name, version: '1.0.0' };
    return method === 'initialize'
      ? { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } }
      : { error: { code: -32_601, message: 'unknown method' } };
  };
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = request.method === 'POST' ? ((await json(request)) as Request) : undefined;
    const server = byName.get(request.url!.slice(1));
    if (message === undefined || server === undefined) response.writeHead(405).end();
    else if (message.id === undefined) response.writeHead(202).end();
    else {
      const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...respond(server, message) });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }
  }
  const http = createServer((request, response) => void receive(request, response));
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.address() as AddressInfo;
  const created = new Map<string, SpaceDefinition>();
  const spaces = servers.map(({ name, tools }): SpaceFactory => {
    const known = { tools: tools as never, pin: '' };
    const factory = mcpServer({
      name,
      settings: { url: `http://127.0.0.1:${port}/${name}`, headers: {} },
      place: { folder: tmpdir(), env: {} },
      memory: { read: () => known, write: () => undefined },
      trusted: true,
    });
    return {
      name,
      create: (session) => {
        const space = factory.create(session) as SpaceDefinition;
        created.set(name, space);
        return space;
      },
    };
  });
  return {
    spaces,
    findPlace: (server, tool) => {
      const space = created.get(server)!;
      if (Object.hasOwn(space.tools, tool)) return server;
      const child = Object.entries(space.children()).find(([, one]) =>
        Object.hasOwn((one as SpaceDefinition).tools, tool),
      );
      return `${server}.${child?.[0]}`;
    },
    close: () => http.close().closeAllConnections(),
  };
}
