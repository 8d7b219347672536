// eve's server, as `eve build` and `eve start` make it, with its own workflow storage in files.
import { postJson, readLines } from './client.mjs';

export const title = 'eve';
export const packages = ['eve', '@ai-sdk/openai-compatible', 'ai', 'just-bash', 'zod'];

export const files = ({ model }) => ({
  'agent/instructions.md': 'Use the tools.',
  'agent/agent.ts': `
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { defineAgent } from 'eve';
const bench = createOpenAICompatible({ name: 'bench', baseURL: '${model}', includeUsage: true });
export default defineAgent({ model: bench('bench'), modelContextWindowTokens: 64_000 });
`,
  // The one of its sandboxes that needs no container engine; the tool does not use it.
  'agent/sandbox.ts': `
import { defineSandbox } from 'eve/sandbox';
import { JustBashSandbox } from 'eve/sandbox/just-bash';
export const environment = JustBashSandbox.environment();
export default defineSandbox(() => environment.open());
`,
  'agent/tools/tool0.ts': `
import { defineTool } from 'eve/tools';
import { z } from 'zod';
export default defineTool({
  description: 'Reads one item, by its name.',
  inputSchema: z.object({ item: z.string() }),
  execute: async ({ item }) => \`This is \${item}.\`,
});
`,
  'agent/channels/eve.ts': `
import { eveChannel } from 'eve/channels/eve';
import { none } from 'eve/channels/auth';
export default eveChannel({ auth: [none()] });
`,
});

export const build = ['eve', 'build'];

export function start({ port }) {
  const command = ['eve', 'start', '--host', '127.0.0.1', '--port', String(port)];
  return { command, env: { EVE_TELEMETRY_DISABLED: '1' }, ready: '/eve/v1/health', headers: {} };
}

export async function ask({ url, headers, seen }) {
  const { sessionId } = await postJson(`${url}/eve/v1/session`, { message: 'Begin.' }, headers);
  const stream = await fetch(`${url}/eve/v1/session/${sessionId}/stream`, { headers });
  let answer = '';
  for await (const { type, data } of readLines(stream)) {
    seen();
    if (type === 'message.completed') answer = data.message ?? data.text ?? JSON.stringify(data);
    if (['session.waiting', 'session.failed', 'session.completed'].includes(type)) break;
  }
  return answer;
}
