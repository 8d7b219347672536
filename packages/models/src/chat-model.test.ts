import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Message, ModelPart } from '@bae/core';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { chatModel } from './chat-model.ts';

const servers = new Set<ReturnType<typeof createServer>>();
afterEach(() => {
  for (const server of servers) server.close();
  servers.clear();
});

/** A service that sends these pieces, and what it was sent. */
async function serve(pieces: Iterable<Uint8Array>, status = 200) {
  const sent: { readonly url?: string | undefined; readonly headers: object; readonly body: unknown }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      sent.push({ url: request.url, headers: request.headers, body: JSON.parse(String(Buffer.concat(chunks))) });
      response.writeHead(status, { 'content-type': 'text/event-stream' });
      Readable.from(pieces).pipe(response);
    });
  });
  servers.add(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, sent };
}

async function respond(
  pieces: Iterable<Uint8Array>,
  messages: readonly Message[] = [{ role: 'user', text: 'Hi' }],
  accepts: readonly ('image' | 'audio' | 'file')[] = [],
) {
  const { baseUrl, sent } = await serve(pieces);
  const model = chatModel({ name: 'test/m', model: 'm', baseUrl, apiKey: 'secret', accepts });
  const parts: ModelPart[] = [];
  for await (const part of model.respond(messages, { signal: new AbortController().signal })) parts.push(part);
  const text = parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
  return { parts, text, sent };
}

const chunk = (delta: object, reason: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] });
const USAGE = JSON.stringify({
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
});
const END: readonly string[] = [chunk({}, 'stop'), USAGE, '[DONE]'];
const events = (data: readonly string[], end = '\n'): Buffer =>
  Buffer.from(data.map((one) => `data: ${one}${end}${end}`).join(''));

const SETTINGS = {
  temperature: 0.2,
  maxOutputTokens: 99,
  stop: ['END'],
  reasoning: 'low',
  headers: { 'x-a': 'b' },
} as const;

const SEEN: readonly Message[] = [
  {
    role: 'user',
    text: 'See',
    media: [
      { type: 'image', mediaType: 'image/png', ref: 'result:1', bytes: 3, data: 'AAAA' },
      { type: 'image', mediaType: 'image/svg+xml', ref: 'result:2', bytes: 3, data: 'BBBB' },
      { type: 'audio', mediaType: 'audio/wav', ref: 'result:3', bytes: 3, data: 'CCCC' },
      { type: 'audio', mediaType: 'audio/ogg', ref: 'result:4', bytes: 3, data: 'DDDD' },
      { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', ref: 'result:5', bytes: 3, data: 'EEEE' },
      { type: 'image', mediaType: 'image/png', ref: 'result:6', bytes: 3 },
    ],
  },
];

describe('chatModel', () => {
  it('asks with its settings, and with no others', async () => {
    const { baseUrl, sent } = await serve([events(END)]);
    for (const settings of [SETTINGS, {}]) {
      const model = chatModel({ name: 'test/m', model: 'm', baseUrl, ...settings });
      const messages = [{ role: 'user', text: 'Hi' }] as const;
      for await (const _ of model.respond(messages, { signal: new AbortController().signal }));
    }
    const settings = { temperature: 0.2, max_tokens: 99, stop: ['END'], reasoning_effort: 'low' };
    expect(sent[0]).toMatchObject({ body: settings, headers: { 'x-a': 'b' } });
    expect(Object.keys(sent[1]!.body as object)).toEqual(['model', 'messages', 'stream', 'stream_options']);
  });

  it.each([
    ['gpt-4.1', 'max_tokens'],
    ['gpt-oss-120b', 'max_tokens'],
    ['o1-mini', 'max_completion_tokens'],
    ['gpt-6.1-sol', 'max_completion_tokens'],
  ])('limits the answer of %s with %s', async (model, field) => {
    const { baseUrl, sent } = await serve([events(END)]);
    const limited = chatModel({ name: 'test/m', model, baseUrl, maxOutputTokens: 99 });
    const messages = [{ role: 'user', text: 'Hi' }] as const;
    for await (const _ of limited.respond(messages, { signal: new AbortController().signal }));
    const fields = Object.entries(sent[0]!.body as object).filter(([key]) => key.startsWith('max'));
    expect(fields).toEqual([[field, 99]]);
  });

  it('passes on what the model takes in, where the format has a part for it', async () => {
    const { sent } = await respond([events(END)], SEEN, ['image', 'audio', 'file']);
    expect((sent[0]!.body as { messages: unknown }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'input_audio', input_audio: { data: 'CCCC', format: 'wav' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,EEEE' } },
        ],
      },
    ]);
    const { sent: others } = await respond([events(END)], SEEN);
    expect((others[0]!.body as { messages: unknown }).messages).toEqual([{ role: 'user', content: 'See' }]);
  });

  const divideBytes = async (numRuns: number) => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', '😀', 'é', '\n', '\r', ' ', '"', '\u2028') }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(400), { maxLength: 8 }),
        async (deltas, end, cuts) => {
          const bytes = events([...deltas.map((content) => chunk({ content })), ...END], end);
          const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
          const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
          const { text, parts } = await respond(pieces);
          expect(text).toBe(deltas.join(''));
          expect(parts.slice(-2)).toEqual([
            { type: 'usage', usage: { inputTokens: 9, outputTokens: 2, cachedTokens: 4 } },
            { type: 'end', reason: 'stop' },
          ]);
        },
      ),
      { numRuns },
    );
  };

  it('reads text, usage and end, whatever ends a line and wherever the bytes are divided', () => divideBytes(10));
  it(
    'reads text, usage and end, whatever ends a line and wherever the bytes are divided, 60 times',
    { tags: ['long'] },
    () => divideBytes(60),
  );

  it('sends the conversation without blank messages, with the key', async () => {
    const messages: readonly Message[] = [
      { role: 'system', text: 'Rules.' },
      { role: 'user', text: 'One.' },
      { role: 'user', text: 'Two.' },
      { role: 'assistant', text: ' ' },
    ];
    const { sent } = await respond([events(END)], messages);
    expect(sent).toMatchObject([
      {
        url: '/v1/chat/completions',
        headers: { authorization: 'Bearer secret' },
        body: {
          model: 'm',
          stream: true,
          messages: [
            { role: 'system', content: 'Rules.' },
            { role: 'user', content: 'One.\n\nTwo.' },
          ],
        },
      },
    ]);
  });

  it('makes text of function calls that nobody asked for', async () => {
    const call = (index: number, part: object) => chunk({ tool_calls: [{ index, function: part }] });
    const { text, parts } = await respond([
      events([
        call(0, { name: 'read', arguments: '{"target":' }),
        call(0, { arguments: '"a.ts"}' }),
        call(1, { name: 'go', arguments: '{"place":"tasks"}' }),
        chunk({}, 'tool_calls'),
      ]),
    ]);
    expect(text).toBe('\n<tool_call>{"name":"read","arguments":{"target":"a.ts"}}</tool_call>\n\n@tasks()\n');
    expect(parts.at(-1)).toEqual({ type: 'end', reason: 'stop' });
  });

  it.each([
    ['a text in place of an object', '"x"'],
    ['content that is not a text', chunk({ content: 5 })],
    ['choices that are no list', '{"choices": {}}'],
    ['no JSON', '{"choices": ['],
  ])('fails at %s', async (_, data) => {
    const { parts } = await respond([events([chunk({ content: 'a' }), data, ...END])]);
    expect(parts.at(-1)).toMatchObject({ type: 'error', error: { retryable: true } });
  });

  it('passes on what a service says about a refused request', async () => {
    const { baseUrl } = await serve([Buffer.from('{"error": {"message": "No such model: m."}}')], 404);
    const parts: ModelPart[] = [];
    const model = chatModel({ name: 'test/m', model: 'm', baseUrl });
    for await (const part of model.respond([], { signal: new AbortController().signal })) parts.push(part);
    expect(parts).toMatchObject([
      { type: 'error', error: { message: 'test/m was not found (status 404): No such model: m.' } },
    ]);
  });
});

describe('a response that is too long', () => {
  const MEGABYTE = 2 ** 20;
  const CASES: readonly (readonly [string, number, Buffer, string])[] = [
    ['one line', 9, Buffer.alloc(MEGABYTE, 'x'), 'a line of the response is longer than 8 MB'],
    ['one event', 1001, Buffer.from('data: 1\n'), 'an event of the response has more than 1000 lines'],
    ['many lines', 65, Buffer.alloc(MEGABYTE, `: ${'x'.repeat(61)}\n`), 'the response is longer than 64 MB'],
  ];

  it.each(CASES)('breaks off: %s', async (_, count, piece, message) => {
    const { parts } = await respond(Array.from({ length: count }, () => piece));
    expect(parts).toMatchObject([{ type: 'error', error: { message: expect.stringContaining(message) as string } }]);
  });

  it('is not read to its end when it refuses the request', async () => {
    let sent = 0;
    function* write() {
      for (; sent < 100; sent++) yield Buffer.alloc(MEGABYTE, 'x');
    }
    const { baseUrl } = await serve(write(), 500);
    const model = chatModel({ name: 'test/m', model: 'm', baseUrl });
    const { signal } = new AbortController();
    for await (const part of model.respond([{ role: 'user', text: 'Hi' }], { signal })) expect(part.type).toBe('error');
    expect(sent).toBeLessThan(50);
  });
});
