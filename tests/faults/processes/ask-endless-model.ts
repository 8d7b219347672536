// `serve` is a service that answers without end; `ask` asks it, and prints what became of it and the most memory it took.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { createAgent } from '@bae/core';
import { readPeakMemory } from './peak-memory.ts';
import { anthropicModel, openaiCompatibleModel, openaiModel } from '@bae/models';

const [, , role = '', wire = '', kind = '', port = ''] = process.argv;
const PIECE = 'x'.repeat(64 * 1024);

const openAi = (text: string) =>
  `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: { content: text } }] })}\n\n`;
const anthropic = (text: string) =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}\n\n`;
const begin =
  wire === 'anthropic'
    ? 'event: message_start\ndata: {"type":"message_start","message":{"id":"1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n'
    : openAi('');
const delta = wire === 'anthropic' ? anthropic : openAi;

function* repeat(first: string, piece: string): Generator<string> {
  yield first;
  for (;;) yield piece;
}

/** One function call after the other, without arguments. */
function* repeatCalls(name: string): Generator<string> {
  yield begin;
  const openCall = (index: number): string =>
    wire === 'anthropic'
      ? `event: content_block_start\ndata: ${JSON.stringify({ type: 'content_block_start', index, content_block: { type: 'tool_use', id: `c${index}`, name, input: {} } })}\n\nevent: content_block_stop\ndata: ${JSON.stringify({ type: 'content_block_stop', index })}\n\n`
      : `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: index - 1, id: `c${index}`, type: 'function', function: { name, arguments: '' } }] } }] })}\n\n`;
  for (let index = 1; ; index += 100)
    yield Array.from({ length: 100 }, (_, offset) => openCall(index + offset)).join('');
}

/** Bodies without an end. */
const BODIES: Readonly<Record<string, () => Iterable<string>>> = {
  line: () => repeat(`${begin}data: `, PIECE),
  text: () => repeat(begin, delta(PIECE)),
  'small-texts': () => repeat(begin, delta('a b ').repeat(100)),
  tags: () => repeat(begin, delta('<R:a.txt>\n'.repeat(1000))),
  'lines-of-data': () => repeat(begin, 'data: x\n'.repeat(8000)),
  comments: () => repeat(begin, ': ping\n'.repeat(5000)),
  'empty-lines': () => repeat(begin, '\n'.repeat(64 * 1024)),
  json: () => repeat('{"error":{"message":"', PIECE),
  nested: () => repeat(`${begin}data: `, '['.repeat(64 * 1024)),
  calls: () => repeatCalls('call'),
  'nameless-calls': () => repeatCalls(''),
  names: () => repeat(begin, `event: ${PIECE}\n`),
};

function serve(): void {
  const server = createServer((request, response) => {
    request.resume();
    const [name = '', how] = kind.split('+');
    const headers = { 'content-type': name === 'json' ? 'application/json' : 'text/event-stream' };
    const body = Readable.from(BODIES[name]!());
    response.on('close', () => body.destroy());
    response.on('error', () => undefined);
    body.on('error', () => undefined);
    if (how === 'gzip') {
      response.writeHead(200, { ...headers, 'content-encoding': 'gzip' });
      body.pipe(createGzip()).pipe(response);
    } else {
      response.writeHead(how === 'refused' ? 400 : 200, headers);
      body.pipe(response);
    }
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
}

async function ask(): Promise<void> {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const make = { openai: openaiModel, anthropic: anthropicModel }[wire] ?? openaiCompatibleModel;
  const protocol = kind.includes('calls') ? 'tools' : 'tags';
  const agent = createAgent({ model: make('m', { baseUrl, apiKey: 'secret', protocol }), tries: 1 });
  const outcome = await agent.ask('x').then(
    (answer) => `answered ${answer.length}`,
    (error: Error) => `${error.name}: ${error.message.slice(0, 60)}`,
  );
  process.stdout.write(JSON.stringify({ outcome, most: Math.round(readPeakMemory()) }));
  process.exit(0);
}

await (role === 'serve' ? serve() : ask());
