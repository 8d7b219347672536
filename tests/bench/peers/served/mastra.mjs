// Mastra's server, as `mastra build` and `mastra start` make it, with the storage and memory of its template.
import { post, readServerSentEvents } from './client.mjs';

export const title = 'Mastra';
export const packages = ['@mastra/core', 'mastra', '@mastra/libsql', '@mastra/memory', 'zod'];

export const files = ({ model }) => ({
  'src/mastra/index.ts': `
import { Mastra } from '@mastra/core/mastra';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { z } from 'zod';
const tool0 = createTool({
  id: 'tool0',
  description: 'Reads one item, by its name.',
  inputSchema: z.object({ item: z.string() }),
  execute: async ({ item }) => \`This is \${item}.\`,
});
const bench = new Agent({
  id: 'bench',
  name: 'bench',
  instructions: 'Use the tools.',
  model: { id: 'bench/bench', url: '${model}', apiKey: 'none' },
  tools: { tool0 },
  memory: new Memory(),
});
export const mastra = new Mastra({ agents: { bench }, storage: new LibSQLStore({ id: 'bench', url: 'file:./bench.db' }) });
`,
});

export const build = ['mastra', 'build'];

export function start({ port }) {
  const env = { PORT: String(port), MASTRA_TELEMETRY_DISABLED: '1' };
  return { command: ['mastra', 'start'], env, ready: '/api/agents', headers: {} };
}

let threads = 0;

export async function ask({ url, headers, seen }) {
  const memory = { thread: `thread-${++threads}`, resource: 'bench' };
  const body = { messages: [{ role: 'user', content: 'Begin.' }], maxSteps: 100, memory };
  const stream = await post(`${url}/api/agents/bench/stream`, body, headers);
  let answer = '';
  for await (const event of readServerSentEvents(stream)) {
    seen();
    if (event.type === 'text-delta') answer += event.payload.text;
  }
  return answer;
}
