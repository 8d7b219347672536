// A model endpoint of its own process: chat completions, streamed. It asks for one call after the other, as a function
// call where the request declares functions and as a tag elsewhere, and measures its own time.
import { createServer } from 'node:http';

/** Size of a piece of text in the stream, in characters: about a token. */
const PIECE = 4;
let own = 0;
let bytes = 0;

const server = createServer((request, response) => {
  if (request.url === '/figures') {
    response.end(JSON.stringify({ own, bytes }));
    own = bytes = 0;
    return;
  }
  // The number of calls of a session is part of the address: http://127.0.0.1:1234/20/v1
  const calls = Number(request.url.split('/')[1]);
  const body = [];
  request.on('data', (chunk) => body.push(chunk));
  request.on('end', () => {
    const begun = performance.now();
    const text = Buffer.concat(body);
    bytes += text.length;
    const { messages, tools } = JSON.parse(text.toString());
    const done = messages.filter(({ role }) => role === 'assistant').length;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta, finish = null, more = {}) =>
      response.write(
        `data: ${JSON.stringify({ id: `c${done}`, object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`,
      );
    const stream = (content, wrap) => {
      for (let at = 0; at < content.length; at += PIECE) send(wrap(content.slice(at, at + PIECE)));
    };
    send({ role: 'assistant', content: '' });
    const isCall = done < calls;
    if (!isCall) stream('Done.', (content) => ({ content }));
    else if (tools?.length > 0) {
      stream(`Step ${done}.`, (content) => ({ content }));
      // Servers have tools of their own, too.
      const { name } = (tools.find((one) => one.function.name === 'tool0') ?? tools[0]).function;
      send({ tool_calls: [{ index: 0, id: `call_${done}`, type: 'function', function: { name, arguments: '' } }] });
      stream(JSON.stringify({ item: `item ${done}` }), (piece) => ({
        tool_calls: [{ index: 0, function: { arguments: piece } }],
      }));
    } else stream(`Step ${done}.\n<space0.tool0:item ${done}>`, (content) => ({ content }));
    send({}, isCall && tools?.length > 0 ? 'tool_calls' : 'stop');
    const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
    response.write(
      `data: ${JSON.stringify({ id: `c${done}`, object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [], usage })}\n\n`,
    );
    response.end('data: [DONE]\n\n');
    own += performance.now() - begun;
  });
});
// A thousand sessions at once keep connections waiting for longer than the five seconds of the default.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
