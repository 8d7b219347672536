import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { deliverReply } from './deliver-reply.ts';
import type { WireFormat, WireMessage } from './wire-format.ts';
import type { WireReply } from './wire-reply.ts';

/** A request as the server got it. */
export interface WireRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, parsed. */
  readonly body: unknown;
  /** System prompt and messages in the body. */
  readonly messages: readonly WireMessage[];
}

/** A model service on this machine that says what it was told to. */
export class WireServer {
  /** Every request so far. */
  readonly requests: WireRequest[] = [];
  /** Connections that the client closed before their reply was over. */
  abandoned = 0;

  private constructor(
    private readonly server: Server,
    private readonly format: WireFormat,
    private readonly script: WireReply[],
  ) {
    server.on('request', (request, response) => void this.handle(request, response));
  }

  /** Starts a server at a free port. A text in the script is a reply without faults. */
  static async start(format: WireFormat, script: readonly (string | WireReply)[]): Promise<WireServer> {
    const server = createServer();
    const replies = script.map((reply) => (typeof reply === 'string' ? { text: reply } : reply));
    const wire = new WireServer(server, format, replies);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  /** Base URL for a client: `http://127.0.0.1:PORT/v1`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Open connections right now. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!response.writableFinished) this.abandoned++;
    });
    const body = await readJson(request);
    const path = request.url ?? '';
    if (path !== this.format.path) {
      response.writeHead(404, { 'content-type': 'application/json' }).end(this.format.errorBody(`no ${path} here`));
      return;
    }
    this.requests.push({ path, headers: request.headers, body, messages: this.format.messages(body) });
    const reply = this.script[this.requests.length - 1];
    if (reply !== undefined) {
      await deliverReply(response, this.format, reply);
      return;
    }
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(this.format.errorBody(`the script has no reply for request ${this.requests.length}`));
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}');
}
