// `bae serve` with its SQLite files. The tool is in a space of a settings file.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { postJson, readServerSentEvents } from './client.mjs';

export const title = 'bae serve';
export const packages = [];

export const files = ({ model }) => ({
  'bae.config.mjs': `
import { defineResourcespace, tool } from '@bae/core';
import { z } from 'zod';
const space0 = defineResourcespace({
  name: 'space0',
  description: 'Items.',
  tools: { tool0: tool('Reads one item, by its name.', { item: z.string() }, ({ item }) => \`This is \${item}.\`) },
});
export default { model: 'openai-compatible/bench', baseUrl: '${model}', spaces: [space0] };
`,
});

export function start({ folder, root, port }) {
  const bin = join(root, 'apps/cli/bin/bae.mjs');
  const env = { OPENAI_API_KEY: 'none', BAE_HOME: join(folder, '.home') };
  const options = { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' };
  const made = execFileSync(process.execPath, [bin, 'serve', 'token', 'create', 'bench', '--json'], options);
  const authorization = `Bearer ${JSON.parse(made).token}`;
  const serve = ['serve', '--port', String(port), '--config', 'bae.config.mjs', '--sessions', '64'];
  return { command: [process.execPath, bin, ...serve], env, ready: '/readyz', headers: { authorization } };
}

export async function ask({ url, headers, seen }) {
  const { id } = await postJson(`${url}/v1/sessions`, {}, headers);
  await postJson(`${url}/v1/sessions/${id}/prompts`, { text: 'Begin.' }, headers);
  const stream = await fetch(`${url}/v1/sessions/${id}/events`, { headers });
  let answer = '';
  for await (const event of readServerSentEvents(stream)) {
    seen();
    if (event.type === 'answer') answer = event.text;
    if (event.type === 'prompt-end') break;
  }
  return answer;
}
