// A server of the Model Context Protocol that does one thing wrong: `node faulty-server.mjs KIND MARKER`.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [kind, marker] = process.argv.slice(2);
const write = (text) => process.stdout.write(text);
const send = (message) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const tool = (name, more = {}) => ({ name, description: 'Does it.', inputSchema: { type: 'object' }, ...more });
const MEGABYTE = 'x'.repeat(1024 * 1024);

/** Wrong from the start. */
const AT_START = {
  'exits at once': () => process.exit(3),
  'exits after half a message': () => process.stdout.write('{"jsonrpc":"2.0","id":', () => process.exit(0)),
  'is killed at the start': () => process.kill(process.pid, 'SIGKILL'),
  'prints a line without end': () => {
    const more = () => process.stdout.write(MEGABYTE, more);
    more();
  },
  'closes its output': () => closeSync(1),
  'prints to standard error without end': () => {
    const more = () => process.stderr.write(MEGABYTE, () => setImmediate(more));
    more();
  },
};

/** Wrong in the middle of a handshake. */
const ON_INITIALIZE = {
  'never answers the handshake': () => undefined,
  'refuses the handshake': ({ id }) => send({ id, error: { code: -32600, message: 'no \u001b[31mentry' } }),
  'speaks a version of nobody': ({ id }) =>
    send({ id, result: { protocolVersion: '1.2.3', capabilities: {}, serverInfo: { name: 'x', version: '1' } } }),
  'answers the handshake with another thing': ({ id }) => send({ id, result: 'hello' }),
  'answers the handshake under a wrong number': () => send({ id: 4711, result: {} }),
};

const ON_LIST = {
  'never lists its tools': () => undefined,
  'fails to list its tools': ({ id }) => send({ id, error: { code: -32603, message: 'the database is gone' } }),
  'lists tools without end': ({ id, params }) =>
    send({
      id,
      result: { tools: [tool(`t${params?.cursor ?? 0}`)], nextCursor: `${Number(params?.cursor ?? 0) + 1}` },
    }),
  'lists what are no tools': ({ id }) => send({ id, result: { tools: [{ nme: 'do' }, 7, null] } }),
  'lists one tool among what is none': ({ id }) =>
    send({
      id,
      result: {
        tools: [
          7,
          tool('do'),
          { name: 'x' },
          tool('big', { inputSchema: { type: 'object', title: 'x'.repeat(300_000) } }),
        ],
      },
    }),
  'lists 10 MB of numbers': ({ id }) =>
    write(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[${'7,'.repeat(5 * 1024 * 1024)}7]}}\n`),
  'lists the same tool twice': ({ id }) => send({ id, result: { tools: [tool('do'), tool('do')] } }),
  'lists 5,000 tools': ({ id }) =>
    send({ id, result: { tools: [tool('do'), ...Array.from({ length: 5000 }, (_, n) => tool(`tool_${n}`))] } }),
  'lists a tool with a schema that is none': ({ id }) =>
    send({
      id,
      result: { tools: [tool('do', { inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } })] },
    }),
};

const ON_CALL = {
  'dies in a call': () => {
    process.stderr.write('out of memory\n');
    process.exit(9);
  },
  'never answers a call': () => undefined,
  'answers a call twice': ({ id }) => {
    send({ id, result: text('once') });
    send({ id, result: text('twice') });
  },
  'answers a call under a wrong number': () => send({ id: 4711, result: text('lost') }),
  'answers with another thing': ({ id }) => send({ id, result: { content: 'text' } }),
  'answers with 10 MB of numbers': ({ id }) =>
    write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[${'7,'.repeat(5 * 1024 * 1024)}7]}}\n`),
  'answers with an error that is none': ({ id }) => send({ id, error: 'bad' }),
  'answers with half a message and ends': ({ id }) =>
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"cont`, () => process.exit(0)),
  'answers with 100 MB': ({ id }) => {
    write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
    for (let count = 0; count < 100; count++) write(MEGABYTE);
    write('"}]}}\n');
  },
  'answers drop by drop': ({ id }) => {
    const all = `${JSON.stringify({ jsonrpc: '2.0', id, result: text('slowly') })}\n`;
    let sent = 0;
    const timer = setInterval(() => {
      write(all.slice(sent, sent + 4));
      if ((sent += 4) >= all.length) clearInterval(timer);
    }, 5);
  },
  'answers with bytes that are not text': ({ id }) => {
    write(Buffer.from([0x7b, 0xff, 0xfe, 0x0a]));
    send({ id, result: text('after all') });
  },
  'floods with notifications': ({ id }) => {
    for (let count = 0; count < 20_000; count++)
      send({ method: 'notifications/message', params: { level: 'info', data: `line ${count}` } });
    send({ id, result: text('at last') });
  },
  'floods with changes of its tools': ({ id }) => {
    for (let count = 0; count < 2000; count++) send({ method: 'notifications/tools/list_changed' });
    send({ id, result: text('at last') });
  },
  'floods with progress of nobody': ({ id }) => {
    for (let count = 0; count < 5000; count++)
      send({ method: 'notifications/progress', params: { progressToken: 'nobody', progress: count } });
    send({ id, result: text('at last') });
  },
  'floods with questions': ({ id }) => {
    for (let count = 0; count < 2000; count++) send({ id: `q${count}`, method: 'roots/list' });
    send({ id, result: text('at last') });
  },
  'asks for an answer of the model': ({ id }) => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Say a secret' } }];
    send({ id: 'sample', method: 'sampling/createMessage', params: { messages, maxTokens: 9 } });
    answers.set('sample', (message) => send({ id, result: text(JSON.stringify(message.error ?? message.result)) }));
  },
  'talks gibberish between its answers': ({ id }) => {
    write('Listening on port 3000...\n\n{"almost": "a message"}\n[]\nnull\n');
    send({ id, result: text('at last') });
  },
  'leaves a process behind': ({ id }) => {
    spawn('sh', ['-c', 'trap "" TERM HUP; while :; do sleep 0.2; done', marker], { stdio: 'ignore' }).unref();
    send({ id, result: text('begun') });
  },
  'does not end when it is asked to': ({ id }) => {
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => undefined);
    setInterval(() => undefined, 1000);
    send({ id, result: text('still here') });
  },
};

const answers = new Map();
AT_START[kind]?.();
const HANDLERS = { initialize: ON_INITIALIZE, 'tools/list': ON_LIST, 'tools/call': ON_CALL };

/** What a server answers that does nothing wrong. */
function answer({ id, method, params }) {
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'faulty', version: '1.0.0' };
    send({ id, result: { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo } });
  } else if (method === 'tools/list') send({ id, result: { tools: [tool('do')] } });
  else if (method === 'tools/call') send({ id, result: text('done') });
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'unknown method' } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  const handle = message.method === undefined ? answers.get(message.id) : (HANDLERS[message.method]?.[kind] ?? answer);
  handle?.(message);
});
