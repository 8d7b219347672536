import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What a service does with one request. */
export interface Delivery {
  /** Everything it sends, head included. */
  readonly bytes: Uint8Array;
  /** What becomes of the connection then; a dripping one goes on with the drop again and again. */
  readonly ending: 'close' | 'reset' | 'hang' | { readonly drop: Uint8Array };
  /** Every byte in a packet of its own. */
  readonly oneByOne?: boolean;
}

/** How a client waits in vain. */
export type Wait = 'silence' | 'drip';

/** What one client is told. */
export interface Service {
  /** @param body of the request @param before requests of this client before it */
  readonly answer: (body: string, before: number) => Delivery;
  /** Called when the client waits in vain. */
  readonly onWait?: (wait: Wait) => void;
}

const DROPS = 20;

/** A model service of bare sockets: it sends what it is told to send, be it HTTP or not. */
export class RawModelServer {
  private readonly services = new Map<string, Service>();
  private readonly counts = new Map<string, number>();
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.connected(socket));
  }

  static async start(): Promise<RawModelServer> {
    const server = createServer();
    const raw = new RawModelServer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return raw;
  }

  /** Connections that are open right now. */
  get connections(): number {
    return this.sockets.size;
  }

  /** Opens a service for one client, and returns its base URL. */
  serve(service: Service): string {
    const { port } = this.server.address() as AddressInfo;
    const key = String(this.services.size + 1);
    this.services.set(key, service);
    return `http://127.0.0.1:${port}/${key}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private connected(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    // A client that gives up resets the connection: that is what is tried here.
    socket.on('error', () => undefined);
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      const request = wholeRequest(received);
      if (request === undefined) return;
      received = '';
      void this.answer(socket, request);
    });
  }

  private async answer(socket: Socket, { key, body }: Request): Promise<void> {
    const service = this.services.get(key);
    if (service === undefined) throw new Error(`nobody opened a service ${key}`);
    const before = this.counts.get(key) ?? 0;
    this.counts.set(key, before + 1);
    const delivery = service.answer(body, before);
    await send(socket, delivery);
    await end(socket, delivery.ending, (wait) => service.onWait?.(wait));
  }
}

interface Request {
  readonly key: string;
  readonly body: string;
}

function wholeRequest(received: string): Request | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.slice(0, end);
  const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  const body = received.slice(end + 4);
  if (body.length < length) return undefined;
  return { key: /^\S+ \/(\d+)\//.exec(head)?.[1] ?? '', body: Buffer.from(body, 'latin1').toString() };
}

async function send(socket: Socket, { bytes, oneByOne }: Delivery): Promise<void> {
  if (oneByOne !== true) return write(socket, bytes);
  socket.setNoDelay(true);
  for (const byte of bytes) {
    await write(socket, Buffer.of(byte));
    // A macrotask in between, or the bytes would travel together.
    await new Promise(setImmediate);
  }
}

async function end(socket: Socket, ending: Delivery['ending'], onWait: (wait: Wait) => void): Promise<void> {
  if (ending === 'close') socket.end();
  else if (ending === 'reset') socket.resetAndDestroy();
  else if (ending === 'hang') setTimeout(() => onWait('silence'), 1);
  else
    for (let drops = 1; !socket.destroyed; drops++) {
      await write(socket, ending.drop);
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (drops === DROPS) onWait('drip');
    }
}

function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (bytes.length === 0 || socket.destroyed) resolve();
    else socket.write(bytes, () => resolve());
  });
}
