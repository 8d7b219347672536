import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { Message, ModelPart } from '@bae/core';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { messagesModel } from './messages-model.ts';
import type { ModelSettings } from './provider-settings.ts';

const servers = new Set<ReturnType<typeof createServer>>();
afterEach(() => {
  for (const server of servers) server.close();
  servers.clear();
});

interface Asked {
  readonly model?: string;
  readonly messages?: readonly Message[];
  readonly status?: number;
  readonly settings?: ModelSettings;
}

/** Asks a service that sends these pieces. Returns what came of it, and what the service was sent. */
async function ask(
  pieces: readonly (string | Uint8Array)[],
  { model = 'claude-sonnet-5-5', messages, status, settings }: Asked = {},
) {
  let sent: { headers: Record<string, unknown>; body: Record<string, unknown>; url: string | undefined } | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await readText(request)) as Record<string, unknown>;
    sent = { headers: request.headers, body, url: request.url };
    response.writeHead(status ?? 200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response));
  servers.add(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const asked = messagesModel({
    name: 'anthropic/m',
    model,
    baseUrl,
    apiKey: 'secret',
    keyVariable: 'KEY',
    accepts: ['image', 'file'],
    ...settings,
  });
  const parts: ModelPart[] = [];
  const question: readonly Message[] = messages ?? [{ role: 'user', text: 'Hi' }];
  for await (const part of asked.respond(question, { signal: new AbortController().signal })) parts.push(part);
  const text = parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
  const last = parts.at(-1);
  return { parts, text, sent: sent!, problem: last?.type === 'error' ? last.error.message : undefined };
}

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const start = (index: number, block: object) => event('content_block_start', { index, content_block: block });
const delta = (index: number, data: object) => event('content_block_delta', { index, delta: data });
const TEXT = { type: 'text', text: '' };
const say = (text: string, index = 0) => delta(index, { type: 'text_delta', text });
const BEGIN = event('message_start', {
  message: {
    usage: { input_tokens: 5, cache_read_input_tokens: 40, cache_creation_input_tokens: 3, output_tokens: 1 },
  },
});
const finish = (reason: string) =>
  event('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 7 } }) + event('message_stop', {});

describe('messagesModel', () => {
  it('asks with its settings', async () => {
    const settings = { temperature: 0.2, maxOutputTokens: 99, stop: ['END'], headers: { 'x-a': 'b' } };
    const { sent } = await ask([BEGIN, finish('end_turn')], { settings: { ...settings, reasoning: 'low' } });
    expect(sent.body).toMatchObject({ temperature: 0.2, max_tokens: 99, stop_sequences: ['END'] });
    expect(sent.body).toMatchObject({ output_config: { effort: 'low' } });
    expect(sent.headers).toMatchObject({ 'x-a': 'b', 'x-api-key': 'secret' });
    const { sent: without } = await ask([BEGIN, finish('end_turn')], { settings: { reasoning: 'none' } });
    expect(without.body).toMatchObject({ thinking: { type: 'disabled' } });
  });

  it('passes on images and documents, before the text that is about them', async () => {
    const media = [
      { type: 'image', mediaType: 'image/png', ref: 'result:1', bytes: 3, data: 'AAAA' },
      { type: 'audio', mediaType: 'audio/wav', ref: 'result:2', bytes: 3, data: 'BBBB' },
      { type: 'file', mediaType: 'application/pdf', ref: 'result:3', bytes: 3, data: 'CCCC' },
    ] as const;
    const messages: Message[] = [
      { role: 'user', text: 'See', media },
      { role: 'user', text: 'Well?' },
    ];
    const { sent } = await ask([BEGIN, finish('end_turn')], { messages });
    expect(sent.body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'CCCC' } },
          { type: 'text', text: 'See\n\nWell?' },
        ],
      },
    ]);
  });

  it('asks as the service wants it, with the conversation marked for its cache', async () => {
    const messages: Message[] = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'One' },
      { role: 'user', text: 'Two' },
      { role: 'assistant', text: ' ' },
    ];
    const { sent } = await ask([BEGIN, start(0, TEXT), say('Hello'), finish('end_turn')], { messages });
    expect(sent.url).toBe('/v1/messages');
    expect(sent.headers).toMatchObject({ 'x-api-key': 'secret', 'anthropic-version': '2023-06-01' });
    expect(sent.body).toEqual({
      model: 'claude-sonnet-5-5',
      max_tokens: 128_000,
      stream: true,
      cache_control: { type: 'ephemeral' },
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: 'One\n\nTwo' }],
    });
  });

  it.each([
    ['claude-opus-5', 128_000],
    ['claude-sonnet-4-6', 128_000],
    ['claude-haiku-4-5-20251001', 64_000],
    ['claude-sonnet-4-20250514', 64_000],
    ['claude-opus-4-1', 32_000],
    ['claude-3-5-haiku-latest', 8192],
    ['something-else', 4096],
  ])('lets %s answer with %i tokens', async (model, tokens) => {
    const { sent } = await ask([BEGIN, finish('end_turn')], { model });
    expect(sent.body['max_tokens']).toBe(tokens);
  });

  const divideBytes = async (numRuns: number) => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', '😀', '\n', '\r', '"', '<R:a.ts>') }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(), { maxLength: 8 }), async (said, cuts) => {
        const all = Buffer.from(
          [
            BEGIN,
            start(0, { type: 'thinking', thinking: '' }),
            delta(0, { type: 'thinking_delta', thinking: '<W:a.ts>never</W>' }),
            delta(0, { type: 'signature_delta', signature: 'x' }),
            event('content_block_stop', { index: 0 }),
            start(1, TEXT),
            event('ping', {}),
            ...said.map((one) => say(one, 1)),
            finish('end_turn'),
          ].join(''),
        );
        const places = [0, ...cuts.map((cut) => cut % all.length).toSorted((a, b) => a - b), all.length];
        const pieces = places.slice(1).map((end, index) => all.subarray(places[index], end));
        const { text, parts } = await ask(pieces);
        expect(text).toBe(said.join(''));
        expect(parts.slice(-2)).toEqual([
          { type: 'usage', usage: { inputTokens: 48, outputTokens: 7, cachedTokens: 40 } },
          { type: 'end', reason: 'stop' },
        ]);
      }),
      { numRuns },
    );
  };

  it('reads text, usage and end, wherever the bytes are divided; thoughts are not text', () => divideBytes(10));
  it(
    'reads text, usage and end, wherever the bytes are divided; thoughts are not text, 40 times',
    { tags: ['long'] },
    () => divideBytes(40),
  );

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'other'],
    ['tool_use', 'other'],
    ['something_new', 'other'],
  ])('takes %s for %s', async (reason, end) => {
    const { parts } = await ask([BEGIN, start(0, TEXT), say('x'), finish(reason)]);
    expect(parts.at(-1)).toEqual({ type: 'end', reason: end });
  });

  it('passes function calls on as the text that means the same', async () => {
    const { text, parts } = await ask([
      BEGIN,
      start(0, TEXT),
      say('I look.'),
      start(1, { type: 'tool_use', id: 'a', name: 'call', input: {} }),
      delta(1, { type: 'input_json_delta', partial_json: '{"tool":"read","argu' }),
      delta(1, { type: 'input_json_delta', partial_json: 'ments":{"target":"a.ts"}}' }),
      finish('tool_use'),
    ]);
    expect(text).toBe('I look.\n<tool_call>{"name":"read","arguments":{"target":"a.ts"}}</tool_call>\n');
    expect(parts.at(-1)).toEqual({ type: 'end', reason: 'stop' });
  });

  it.each([
    ['no end', [BEGIN, start(0, TEXT), say('x')], 'broke off before its end'],
    [
      'an error',
      [BEGIN, event('error', { error: { type: 'overloaded_error', message: 'Busy' } })],
      'is overloaded: Busy',
    ],
    ['text after its end', [BEGIN, start(0, TEXT), finish('end_turn'), say('x')], 'said more after the end'],
    ['two ends', [BEGIN, finish('max_tokens'), finish('end_turn')], 'ended its response in two ways'],
    [
      'text in its thoughts',
      [BEGIN, start(0, { type: 'thinking' }), say('x')],
      'does not have the shape of a response',
    ],
    ['text of no block', [BEGIN, say('x')], 'does not have the shape of a response'],
    ['a block of no kind', [BEGIN, event('content_block_start', { index: 0 })], 'does not have the shape'],
    [
      'a number for a text',
      [BEGIN, start(0, TEXT), delta(0, { type: 'text_delta', text: 1 })],
      'does not have the shape',
    ],
    ['no JSON', ['data: {\n\n'], 'cannot be read'],
  ])('executes nothing of a response with %s', async (_, pieces, problem) => {
    expect((await ask(pieces)).problem).toContain(problem);
  });

  it.each([
    [401, 'invalid x-api-key', 'anthropic/m refused the key (status 401): invalid x-api-key.'],
    [529, 'Overloaded', 'anthropic/m is overloaded (status 529): Overloaded.'],
  ])('explains status %i', async (status, message, problem) => {
    const refusal = JSON.stringify({ type: 'error', error: { type: 'x', message } });
    expect((await ask([refusal], { status })).problem).toBe(problem);
  });
});
