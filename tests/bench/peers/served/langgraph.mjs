// LangGraph's server for development: its server for production needs Docker and a licence.
import { post, postJson, readServerSentEvents } from './client.mjs';

export const title = 'LangGraph (dev server)';
export const packages = [
  '@langchain/langgraph',
  '@langchain/langgraph-cli',
  '@langchain/core',
  '@langchain/openai',
  'langchain',
  'zod',
];

export const files = ({ model }) => ({
  'langgraph.json': JSON.stringify({ node_version: '24', graphs: { bench: './graph.mjs:agent' }, env: {} }),
  'graph.mjs': `
import { createAgent, tool } from 'langchain';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
const tool0 = tool(({ item }) => \`This is \${item}.\`, {
  name: 'tool0',
  description: 'Reads one item, by its name.',
  schema: z.object({ item: z.string() }),
});
const configuration = { baseURL: '${model}' };
const model = new ChatOpenAI({ model: 'bench', apiKey: 'none', configuration, streaming: true });
export const agent = createAgent({ model, tools: [tool0], systemPrompt: 'Use the tools.' });
`,
});

export function start({ port }) {
  const options = ['--port', String(port), '--host', '127.0.0.1', '--no-browser', '--no-reload'];
  // As many at once as the others work on.
  const command = ['langgraphjs', 'dev', ...options, '--n-jobs-per-worker', '64'];
  return { command, env: { LANGSMITH_TRACING: 'false' }, ready: '/ok', headers: {} };
}

export async function ask({ url, headers, seen }) {
  const { thread_id: thread } = await postJson(`${url}/threads`, {}, headers);
  const input = { messages: [{ role: 'user', content: 'Begin.' }] };
  const body = { assistant_id: 'bench', input, stream_mode: ['messages-tuple', 'values'] };
  const stream = await post(`${url}/threads/${thread}/runs/stream`, body, headers);
  let answer = '';
  for await (const event of readServerSentEvents(stream)) {
    seen();
    if (Array.isArray(event?.messages)) answer = event.messages.at(-1).content;
  }
  return answer;
}
