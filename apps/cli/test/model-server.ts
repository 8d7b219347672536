import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server answers to one request: a text, or whatever a function does with the response. */
export type ServedResponse = string | ((response: ServerResponse) => void);

/** A tiny model service that speaks the common chat protocol, on a port of this machine. */
export interface ModelServer {
  /** Options that make bae use it. */
  readonly args: readonly string[];
  readonly url: string;
  /** The last message of every request so far. */
  readonly prompts: readonly string[];
  /** The body of every request so far. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts a service that gives these responses, in order, and the last one from then on. */
export async function serveModel(script: readonly ServedResponse[]): Promise<ModelServer> {
  const prompts: string[] = [];
  const requests: string[] = [];
  const ahead = [...script];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    requests.push(body);
    prompts.push(lastMessage(body));
    const served = (ahead.length > 1 ? ahead.shift() : ahead[0]) ?? '';
    if (typeof served === 'string') stream(response, served);
    else served(response);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    args: ['--model', 'openai-compatible/test', '--base-url', url],
    url,
    prompts,
    requests,
    close: () => closed(server),
  };
}

/** Sends a text as a stream of two pieces with a normal end. */
export function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const half = Math.ceil(text.length / 2);
  for (const content of [text.slice(0, half), text.slice(half)]) response.write(event({ delta: { content } }));
  response.write(event({ delta: {}, finish_reason: 'stop' }));
  response.end('data: [DONE]\n\n');
}

/** One event of a stream. */
export function event(choice: object): string {
  const body = {
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'test',
    choices: [{ index: 0, ...choice }],
  };
  return `data: ${JSON.stringify(body)}\n\n`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function lastMessage(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { content: string | { text: string }[] }[] };
  const content = messages.at(-1)?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
