import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createAgent, defineResourcespace, tool, type Model } from '@bae/core';
import { z } from 'zod';
import { processorTime, type Measurement } from './measure.ts';

const STEPS = 3000;
/** So many steps are compared, at both ends. */
const COMPARED = 200;
/** Small enough that results are masked, and then steps left out, from step 100 on. */
const CONTEXT_TOKENS = 32_000;
const RESULT = 'a line of what was found here\n'.repeat(50);

/** A session may go on for thousands of steps: one costs the same at the end, and memory only grows by what is kept. */
export async function longSession(): Promise<readonly Measurement[]> {
  await runSession(300);
  const { begins, heaps } = await runSession(STEPS);
  const [first, last] = [medianStep(begins, 10), medianStep(begins, STEPS - COMPARED)];
  return [
    { name: 'step 2,900 of a session ÷ step 100', value: last / first, unit: 'x', limit: { atMost: 1.3 } },
    // A session keeps masked results, 1.5 kB a step, and up to 4 MB of read text for comparing arguments.
    {
      name: 'memory after 3,000 steps − after 500',
      value: heaps.at(-1)! - heaps[0]!,
      unit: 'MB',
      limit: { atMost: 10 },
    },
  ];
}

/** The processor time at which each step of a session began, and the memory in use every 500 of them, in megabytes. */
async function runSession(steps: number) {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const begins: number[] = [];
  const heaps: number[] = [];
  const model: Model = {
    name: 'bench/script',
    async *respond() {
      const step = begins.length;
      if (step > 0 && step % 500 === 0) {
        collectGarbage();
        heaps.push(process.memoryUsage().heapUsed / 1e6);
      }
      begins.push(processorTime());
      yield { type: 'text-delta', text: step < steps ? `Step ${step}.\n<space.find:item ${step}>` : 'Done.' };
      yield { type: 'end', reason: 'stop' };
    },
  };
  const find = tool('Finds.', { item: z.string() }, ({ item }) => `${item}\n${RESULT}`, { effect: 'read' });
  const space = defineResourcespace({ name: 'space', description: 'What there is.', tools: { find } });
  const agent = createAgent({ model, spaces: [space], maxBatches: 0, contextTokens: CONTEXT_TOKENS });
  await agent.ask('Begin.');
  await agent.close();
  return { begins, heaps };
}

function medianStep(begins: readonly number[], from: number): number {
  const steps = begins.slice(from, from + COMPARED).map((begin, index) => begins[from + index + 1]! - begin);
  return steps.toSorted((one, other) => one - other)[COMPARED / 2]!;
}
