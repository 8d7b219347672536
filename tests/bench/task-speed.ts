import { asModelText } from '@bae/core';
import { manyTasks } from './many-tasks.ts';
import { mediansInTurn, processorTimeOf, type Measurement } from './measure.ts';

const ROUNDS = 41;
const [FEW, MANY] = [1000, 100_000];
const LIMIT = 3;

/** What is asked for, and how: some find few tasks, some a part of all there are; all show a page at most. */
const CALLS: Readonly<Record<string, string>> = {
  'list of tasks': '<R:>',
  'tasks of a status': '<R:status:done>',
  'tasks of a common tag': '<R:tag:auth>',
  'tasks of a rare tag': '<R:tag:rare>',
  'tasks of one tag or another': '<R:tag:auth,ui status:open>',
  'tasks of a priority': '<R:priority:7.*>',
  'tasks of a parent': '<R:parent:1>',
  'stale tasks': '<R:stale:>',
  'search for a rare word': '<Grep:needle>',
  'search for a common word': '<Grep:login>',
  'search for the beginning of one': '<Grep:logi>',
  'search for two words': '<Grep:alpha login>',
  'one task': '<R:500>',
};

/** Looking at tasks takes hardly longer when there are a hundred times as many. */
export async function taskSpeed(): Promise<readonly Measurement[]> {
  await using few = await manyTasks(FEW);
  await using many = await manyTasks(MANY);
  const found: Measurement[] = [];
  for (const [name, tag] of Object.entries(CALLS)) {
    const call = async (agent: typeof few.agent) => {
      const { calls } = await agent.run(asModelText(tag));
      if (calls[0]?.result.ok !== true) throw new Error(`${tag}: ${calls[0]?.result.text}`);
    };
    const times = await mediansInTurn(
      { few: () => processorTimeOf(() => call(few.agent)), many: () => processorTimeOf(() => call(many.agent)) },
      ROUNDS,
    );
    found.push({
      name: `${name}, of 100,000 ÷ of 1,000`,
      value: times.many / times.few,
      unit: 'x',
      limit: { atMost: LIMIT },
    });
  }
  return found;
}
