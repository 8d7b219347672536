import { createAgent, defineResourcespace, tool, type Agent } from '@bae/core';
import { observeAgent } from '@bae/telemetry';
import { ScriptedModel } from '@bae/testing';
import { z } from 'zod';
import { leastInTurn, processorTimeOf, type Measurement } from './measure.ts';

const ROUNDS = 61;
const CALLS = 40;

/** Telemetry that nobody has set up costs next to nothing. */
export async function telemetryCost(): Promise<readonly Measurement[]> {
  const { without, withIt } = await leastInTurn(
    { without: () => turnTime(), withIt: () => turnTime((agent) => observeAgent(agent, { model: 'scripted/one' })) },
    ROUNDS,
  );
  return [
    {
      name: 'a turn with spans that nobody collects ÷ without',
      value: withIt / without,
      unit: 'x',
      limit: { atMost: 1.25 },
    },
  ];
}

async function turnTime(observe: (agent: Agent) => unknown = () => undefined): Promise<number> {
  const space = defineResourcespace({
    name: 'items',
    description: 'Items.',
    tools: { read: tool('An item.', { id: z.string() }, ({ id }) => `item ${id}`) },
  });
  const script = [...Array.from({ length: CALLS }, (_, call) => `<R:${call}>`), 'Done.'];
  const agent = createAgent({ home: space, model: new ScriptedModel(script), maxBatches: 0 });
  observe(agent);
  const time = await processorTimeOf(() => agent.ask('Go.'));
  await agent.close();
  return time;
}
