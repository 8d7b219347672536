import { Client, InMemoryTransport, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { expect, it, describe, onTestFinished } from 'vitest';
import { MessageLimits } from './message-limits.ts';

type Answer = (method: string, params: { readonly cursor?: string }) => unknown;

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const SERVER = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: 'x', version: '1' },
};

function nest(depth: number): object {
  let value: object = {};
  for (let count = 0; count < depth; count++) value = { a: value };
  return value;
}

/** Opens the client of the SDK, with limits, at a server that gives these answers. */
async function open(answer: Answer) {
  const [near, far] = InMemoryTransport.createLinkedPair() as [Transport, Transport];
  const received: JSONRPCMessage[] = [];
  const limits = new MessageLimits();
  limits.attach(near);
  // The transport is not an event target.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  far.onmessage = (message) => {
    received.push(message);
    if (!('method' in message && 'id' in message)) return;
    const { id, method, params = {} } = message;
    const result = answer(method, params as { readonly cursor?: string }) ?? SERVER;
    // As from a wire: no values are shared with the server.
    void far.send(JSON.parse(JSON.stringify({ jsonrpc: '2.0', id, result })) as JSONRPCMessage);
  };
  await far.start();
  const client = new Client({ name: 'a', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  onTestFinished(() => client.close());
  const connected = client.connect(near);
  await connected.catch(() => undefined);
  return { client, limits, far, received, connected };
}

describe('a list of a server', () => {
  it('loses what is wrong before the SDK sees it', async () => {
    const tools = [tool('a'), 7, tool('b'), { name: 'c' }];
    const { client, limits } = await open((method) => (method === 'tools/list' ? { tools } : undefined));
    expect((await client.listTools()).tools).toEqual([tool('a'), tool('b')]);
    expect(limits.describeLeftOut('tools', 'prompts')).toBe(
      '2 of its tools were left out: no. 2 (no name), c (no inputSchema).',
    );
    tools.splice(1, 1);
    await client.listTools(undefined, { cacheMode: 'refresh' });
    expect(limits.describeLeftOut('tools', 'prompts')).toBe('1 of its tools was left out: c (no inputSchema).');
  });

  it('is accepted by the SDK, whatever a server sends', async () => {
    let list: unknown;
    const { client } = await open((method) =>
      method === 'initialize' ? undefined : { tools: list, prompts: list, resources: list, resourceTemplates: list },
    );
    const names = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'arguments', 'uri'];
    const more = ['uriTemplate', 'mimeType', 'icons', 'type', 'properties', 'required', '$schema', 'readOnlyHint'];
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>('object', 'a', '', 7, true, null, [], ['a'], { type: 'object' }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names, ...more), tie('value'), { maxKeys: 6 }),
      ),
    }));
    const entry = fc.record(
      {
        name: fc.oneof(fc.constant('a'), value),
        uri: fc.oneof(fc.constant('memo://a'), value),
        uriTemplate: fc.oneof(fc.constant('memo://a'), value),
        inputSchema: fc.oneof(fc.record({ type: fc.constant('object'), required: value, properties: value }), value),
        title: value,
        outputSchema: value,
        annotations: value,
        arguments: value,
        icons: value,
        mimeType: value,
        execution: value,
        _meta: value,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(entry, value), { maxLength: 4 }), async (entries) => {
        list = entries;
        await client.listTools(undefined, { cacheMode: 'refresh' });
        await client.listPrompts(undefined, { cacheMode: 'refresh' });
        await client.listResources(undefined, { cacheMode: 'refresh' });
        await client.listResourceTemplates(undefined, { cacheMode: 'refresh' });
      }),
      { numRuns: 200 },
    );
  });

  it('has no other page if the server says null', async () => {
    const { client } = await open((method) =>
      method === 'tools/list' ? { tools: [tool('a')], nextCursor: null } : undefined,
    );
    expect((await client.listTools()).tools).toEqual([tool('a')]);
  });

  it('ends after so many pages or entries, and is read from the start the next time', async () => {
    let [size, asked] = [1, 0];
    const { client, limits } = await open((method, { cursor = '0' }) => {
      if (method !== 'tools/list') return undefined;
      asked++;
      const tools = Array.from({ length: size }, (_, index) => tool(`t${cursor}_${index}`));
      return { tools, nextCursor: String(Number(cursor) + 1) };
    });
    expect((await client.listTools()).tools).toHaveLength(64);
    expect(limits.describeLeftOut('tools')).toBe('Its tools after the first 64 were left out.');
    [size, asked] = [300, 0];
    const both = [1, 2].map(() => client.listTools(undefined, { cacheMode: 'refresh' }));
    for (const { tools } of await Promise.all(both)) expect(tools).toHaveLength(2000);
    expect(asked).toBe(14);
    expect(limits.describeLeftOut('tools')).toBe('Its tools after the first 2000 were left out.');
  });
});

describe('another message of a server', () => {
  const TOO_MUCH =
    'it sent an answer of more than 20000 parts, or nested too deep. Ask it for less: a part, a page, a filter';

  it.each([
    ['blocks that are none', { content: Array.from({ length: 20_000 }, () => 7) }],
    ['values that are no answer', Array.from({ length: 20_000 }, () => 7)],
    ['nested values', { content: [], other: nest(200) }],
  ])('is refused with too many of %s', async (_, result) => {
    const { client } = await open((method) => (method === 'tools/call' ? result : undefined));
    await expect(client.callTool({ name: 'a', arguments: {} })).rejects.toThrow(TOO_MUCH);
  });

  it('is refused in a handshake', async () => {
    const icons = Array.from({ length: 20_000 }, () => 7);
    const { connected } = await open(() => ({ ...SERVER, serverInfo: { ...SERVER.serverInfo, icons } }));
    await expect(connected).rejects.toThrow(TOO_MUCH);
  });

  it('may have any data of its own, and is read without what a server says of itself if that is too much', async () => {
    const data = Array.from({ length: 30_000 }, (_, index) => index);
    const result = { content: [{ type: 'text', text: 'a' }], structuredContent: { data }, _meta: { data } };
    const { client } = await open((method) => (method === 'tools/call' ? result : undefined));
    const { _meta, ...others } = result;
    expect(await client.callTool({ name: 'a', arguments: {} })).toEqual(others);
  });

  it('is a question without a subject if it asks for too much', async () => {
    const { client, far, received } = await open(() => undefined);
    client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
    const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f${index}`, 7]));
    const params = { message: 'a', requestedSchema: { type: 'object', properties } };
    await far.send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params });
    await expect.poll(() => received.at(-1)).toMatchObject({ id: 'q', error: { code: -32_602 } });
    expect(JSON.stringify(received.at(-1)).length).toBeLessThan(1000);
  });
});
