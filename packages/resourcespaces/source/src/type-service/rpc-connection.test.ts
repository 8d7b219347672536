import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { encodeMessage, MessageDecoder } from './message-decoder.ts';
import { RpcConnection } from './rpc-connection.ts';

const NEVER = new AbortController().signal;

describe('RpcConnection', () => {
  it('gives each question its answer, in whatever order they come', async () => {
    const { connection, sent, receive } = connect();
    const answers = Promise.all([connection.request('one', { a: 1 }, NEVER), connection.request('two', null, NEVER)]);
    expect(sent()).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'one', params: { a: 1 } },
      { jsonrpc: '2.0', id: 2, method: 'two', params: null },
    ]);
    receive({ id: 2, result: 'second' });
    receive({ id: 1, result: 'first' });
    expect(await answers).toEqual(['first', 'second']);
  });

  it('fails a question that is answered with an error', async () => {
    const { connection, receive } = connect();
    const answer = connection.request('one', null, NEVER);
    receive({ id: 1, error: { code: -1, message: 'no project' } });
    await expect(answer).rejects.toMatchObject({ name: 'RpcError', message: 'no project' });
  });

  it('answers the questions of the other side, and takes its news without a word', () => {
    const { sent, receive } = connect();
    receive({ method: 'window/logMessage', params: {} });
    receive({ id: 7, method: 'workspace/configuration', params: 1 });
    receive({ id: 8, method: 'client/registerCapability', params: undefined });
    receive({ id: 99, result: 'to nothing' });
    expect(sent()).toEqual([
      { jsonrpc: '2.0', id: 7, result: 'workspace/configuration 1' },
      { jsonrpc: '2.0', id: 8, result: null },
    ]);
  });

  it('tells the other side to stop, and waits no longer, when the signal fires', async () => {
    const { connection, sent, receive } = connect();
    const stop = new AbortController();
    const answer = connection.request('one', null, stop.signal);
    sent();
    stop.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    expect(sent()).toEqual([{ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 1 } }]);
    receive({ id: 1, result: 'too late' });
    await expect(connection.request('two', null, stop.signal)).rejects.toThrow('enough');
    expect(sent()).toEqual([]);
  });

  it('fails what waits, and what comes, once it is closed', async () => {
    const { connection, sent } = connect();
    const answer = connection.request('one', null, NEVER);
    sent();
    connection.close(new Error('died'));
    connection.close(new Error('later'));
    await expect(answer).rejects.toThrow('died');
    await expect(connection.request('two', null, NEVER)).rejects.toThrow('died');
    connection.notify('three', null);
    expect(sent()).toEqual([]);
  });

  it('closes when the other side writes something else, or reads no more', async () => {
    const one = connect();
    const answer = one.connection.request('one', null, NEVER);
    one.input.write('panic: out of memory\r\n\r\n');
    await expect(answer).rejects.toThrow('a message without a length');
    const two = connect();
    const failed = two.connection.request('one', null, NEVER);
    two.output.destroy(new Error('EPIPE'));
    await expect(failed).rejects.toThrow('EPIPE');
  });

  it('says when it begins to wait, and when it waits for nothing more', async () => {
    const { connection, busy, receive } = connect();
    const answers = [connection.request('one', null, NEVER), connection.request('two', null, NEVER)];
    receive({ id: 1, result: null });
    await answers[0];
    expect(busy).toEqual([true]);
    receive({ id: 2, result: null });
    await answers[1];
    expect(busy).toEqual([true, false]);
  });
});

function connect() {
  const input = new PassThrough();
  const output = new PassThrough();
  const busy: boolean[] = [];
  const connection: RpcConnection = new RpcConnection({
    input,
    output,
    answer: (method, params) => (params === undefined ? undefined : `${method} ${JSON.stringify(params)}`),
    unreachable: (error) => connection.close(error),
    busy: (isBusy) => busy.push(isBusy),
  });
  const decoder = new MessageDecoder();
  return {
    connection,
    input,
    output,
    busy,
    sent: () => decoder.push((output.read() as Buffer | null) ?? Buffer.alloc(0)),
    // Handed over at once: a stream would wait for the next turn.
    receive: (message: object) => input.emit('data', encodeMessage({ jsonrpc: '2.0', ...message })),
  };
}
