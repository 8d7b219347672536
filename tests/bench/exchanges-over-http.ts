import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from '@bae/core';

/** The exchanges with a model behind a real connection, without an agent around them. */
export interface Exchanges {
  /** Sends messages. @returns the answer */
  exchange(messages: readonly Message[]): Promise<string>;
  close(): Promise<void>;
}

/** @param script what the model says, from the first answer on, over and over */
export async function exchangesOverHttp(script: readonly string[]): Promise<Exchanges> {
  let answers = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(script[answers++ % script.length]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    exchange: async (messages) => {
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify(messages) });
      return answer.text();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
