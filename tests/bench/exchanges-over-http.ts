import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message, Model } from '@bae/core';

/** A model behind a real connection that answers by a script, and the bare exchanges it consists of. */
export interface ModelOverHttp {
  readonly model: Model;
  /** Every list of messages that was sent since the last call of this. */
  takeSent(): readonly (readonly Message[])[];
  /** The same exchange without an agent around it. */
  exchange(messages: readonly Message[]): Promise<string>;
  close(): Promise<void>;
}

const USAGE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** @param script what the model says, from the first answer on, over and over */
export async function modelOverHttp(script: readonly string[]): Promise<ModelOverHttp> {
  let answers = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(script[answers++ % script.length]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let sent: (readonly Message[])[] = [];

  const exchange = async (messages: readonly Message[]): Promise<string> => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(messages) });
    return answer.text();
  };
  const model: Model = {
    name: 'bench/script',
    async *respond(messages) {
      sent.push([...messages]);
      yield { type: 'text-delta', text: await exchange(messages) };
      yield { type: 'usage', usage: USAGE };
      yield { type: 'end', reason: 'stop' };
    },
  };
  return {
    model,
    exchange,
    takeSent: () => {
      const taken = sent;
      sent = [];
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
