import { createServer, request as send } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** An address that passes everything on to another one with a token, since the suite sends none. */
export async function openWithToken(
  url: string,
  token: string,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const front = createServer((incoming, response) => {
    const { method, headers } = incoming;
    const options = { method, headers: { ...headers, authorization: `Bearer ${token}` } };
    const back = send(url, options, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    response.on('close', () => back.destroy());
    back.on('error', () => response.destroy());
    incoming.pipe(back);
  });
  await once(front.listen(0, '127.0.0.1'), 'listening');
  const close = (): void => {
    front.close();
    front.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`, close };
}
