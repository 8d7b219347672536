import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { ProgramTransport } from './program-transport.ts';

/** Starts a program that prints a text when it gets a line, and then does something. */
async function open(text: string, then = '') {
  const script = `process.stdin.once('data', () => process.stdout.write(${JSON.stringify(text)}, () => { ${then} }))`;
  const transport = new ProgramTransport({
    command: process.execPath,
    args: ['-e', script],
    folder: import.meta.dirname,
    inherits: 'basics',
  });
  const order: string[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const onmessage = (message: JSONRPCMessage): void => {
    if ('id' in message) order.push(`answer ${String(message.id)}`);
    // As the SDK does: a moment later.
    else void Promise.resolve().then(() => order.push('notification'));
  };
  Object.assign(transport, { onclose: resolve, onmessage });
  await transport.start();
  await transport.send({ jsonrpc: '2.0', method: 'go' });
  return { transport, order, closed };
}

const NOTICE = '{"jsonrpc":"2.0","method":"n"}\n';
const answer = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`;

describe('a program to talk to', () => {
  it('has its notifications seen before the answer that came with them', async () => {
    const { order, closed } = await open(NOTICE + NOTICE + answer(1), 'process.exit()');
    await closed;
    expect(order).toEqual(['notification', 'notification', 'answer 1']);
  });

  it('has its last answer seen although it ends at once', async () => {
    const { order, closed } = await open(`banner\n${answer(1)}${answer(2)}`, 'process.kill(process.pid, "SIGKILL")');
    await closed;
    expect(order).toEqual(['answer 1', 'answer 2']);
  });

  it('ends when its input is closed, and takes no more messages', async () => {
    const { transport, closed } = await open(answer(1));
    await transport.close();
    await closed;
    await expect(transport.send({ jsonrpc: '2.0', method: 'go' })).rejects.toThrow('the program has ended');
  });
});
