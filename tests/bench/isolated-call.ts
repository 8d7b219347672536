import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asModelText, createAgent } from '@bae/core';
import { placeMounts, resolveMounts, writeManifest } from '@bae/plugins';
import { leastInTurn, processorTimeOf, type Measurement } from './measure.ts';

const ROUNDS = 9;
const CALLS = 200;
const NAME = 'bae-resourcespace-box';

const CODE = `
import { defineResourcespace, tool } from ${JSON.stringify(import.meta.resolve('@bae/core'))};
import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
export const box = defineResourcespace({ name: 'box', description: 'A box.', tools: {
  read: tool('A thing.', { id: z.int() }, ({ id }) => 'thing ' + id),
  time: tool('Processor time so far.', { id: z.int() }, () => String(Object.values(process.cpuUsage()).reduce((a, b) => a + b)), { effect: 'read' }),
} });`;

/** What a call costs more, in both processes, when the code of a package runs in a process of its own. */
export async function isolatedCall(): Promise<readonly Measurement[]> {
  const from = realpathSync(mkdtempSync(join(tmpdir(), 'bae-isolated-')));
  const folder = join(from, 'node_modules', NAME);
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const bae = { api: '^1', spaces: './dist/index.js', manifest: './dist/bae.manifest.json' };
  const described = { name: NAME, version: '1.0.0', type: 'module', keywords: ['bae-resourcespace'], bae };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(described));
  writeFileSync(join(folder, 'dist/index.js'), CODE);
  await writeManifest(folder, []);
  const trust = {
    stateOf: () => 'trusted' as const,
    addWantedTo: <T>(subject: T) => subject,
    loadsOf: () => undefined,
    addLoads: () => undefined,
    addWanted: () => undefined,
  };
  const entries = [
    { use: 'box', as: 'inside', isolate: false as const },
    { use: 'box', as: 'apart', isolate: 'process' as const },
  ];
  const found = await resolveMounts({ entries, discover: false, disabled: [], from, builtIn: {}, trust });
  const agent = createAgent({ spaces: placeMounts(found.mounts, []) });
  let id = 0;
  const call = async (place: string): Promise<void> => {
    // No call is like another, so that none is answered from what is known.
    for (let count = 0; count < CALLS; count++) await agent.run(asModelText(`<${place}.R:${++id}>`));
  };
  const timeApart = async (): Promise<number> => {
    const { calls } = await agent.run(asModelText(`<apart.time:${++id}>`));
    return Number(calls[0]!.result.text) / 1000;
  };
  try {
    await call('inside');
    await call('apart');
    const times = await leastInTurn(
      {
        inside: () => processorTimeOf(() => call('inside')),
        apart: async () => {
          const before = await timeApart();
          const here = await processorTimeOf(() => call('apart'));
          return here + (await timeApart()) - before;
        },
      },
      ROUNDS,
    );
    const more = (times.apart - times.inside) / CALLS;
    return [{ name: 'call of an isolated plugin − of another', value: more, unit: 'ms', limit: { atMost: 1 } }];
  } finally {
    await agent.close();
    rmSync(from, { recursive: true });
  }
}
