import { once } from 'node:events';
import { Writable, type Readable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio as serve, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Source and destination of messages, one per line. */
export interface Lines {
  readonly input: Readable;
  readonly write: (text: string) => void;
}

/** Serves messages over lines of input and output, until the input ends or a signal aborts. */
export async function serveStdio(
  makeServer: (client?: object) => Server,
  { input, write }: Lines,
  signal: AbortSignal,
): Promise<void> {
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _, done) => {
      write(String(chunk));
      done();
    },
  });
  // The process has one client, whichever revision of the protocol it begins with.
  const client = {};
  const handle = serve(() => makeServer(client), { transport: new StdioServerTransport(input, output) });
  await once(input, 'end', { signal }).catch(() => undefined);
  await handle.close();
}
