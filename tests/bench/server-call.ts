import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { allowAll, asModelText, createAgent } from '@bae/core';
import { mcpServer } from '@bae/mcp';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mediansInTurn, timeOf, type Measurement } from './measure.ts';

const SERVER = fileURLToPath(new URL('../servers/stdio-server.mjs', import.meta.url));
const TOOLS = fileURLToPath(new URL('../data/mcp-tools/currents.jsonl', import.meta.url));
const COMMAND = { command: process.execPath, args: [SERVER, TOOLS] };
const CALLS = 1000;

/** A call of a mounted server by a tag costs little over the same call by the official client. */
export async function serverCall(): Promise<readonly Measurement[]> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ ...COMMAND, stderr: 'ignore' }));
  const place = { folder: tmpdir(), env: process.env };
  const server = mcpServer({ name: 'currents', settings: { ...COMMAND, env: {} }, place });
  const agent = createAgent({ spaces: [server], approver: allowAll });
  await agent.run(asModelText('@currents()'));
  let count = 0;
  const { calls } = await agent.run(asModelText('<currents-get-run-details:0>'));
  if (calls[0]?.result.ok !== true) throw new Error(calls[0]?.result.text ?? 'the call was not made');
  const medians = await mediansInTurn(
    {
      direct: () =>
        timeOf(() => client.callTool({ name: 'currents-get-run-details', arguments: { runId: String(++count) } })),
      // Another argument each time: a read that is repeated is not made again.
      place: () => timeOf(() => agent.run(asModelText(`<currents-get-run-details:${++count}>`))),
    },
    CALLS,
  );
  await Promise.all([client.close(), agent.close()]);
  const value = medians.place - medians.direct;
  return [{ name: 'call of a mounted server − official client', value, unit: 'ms', limit: { atMost: 1 } }];
}
