import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readBody } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** The response to one request: a text, or a function that writes it. */
export type ServedResponse = string | ((response: ServerResponse) => void);

export type ModelServer = Awaited<ReturnType<typeof serveModel>>;

/** Starts a model service that sends these responses in order, and the last one from then on. */
export async function serveModel(script: readonly ServedResponse[]) {
  /** The last message of every request, and its whole body. */
  const prompts: string[] = [];
  const requests: string[] = [];
  const ahead = [...script];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    requests.push(body);
    prompts.push(getLastMessage(body));
    const served = (ahead.length > 1 ? ahead.shift() : ahead[0]) ?? '';
    if (typeof served === 'string') stream(response, served);
    else served(response);
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await promisify(server.close.bind(server))();
  };
  /** What is sent from now on. */
  const willSay = (...next: readonly ServedResponse[]): void => void ahead.splice(0, Infinity, ...next);
  /** `args` are the options that make bae use it. */
  return { willSay, args: ['--model', 'openai-compatible/test', '--base-url', url], url, prompts, requests, close };
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

function getLastMessage(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { content: string | { text: string }[] }[] };
  const content = messages.at(-1)?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}
