import { createAgent, defineResourcespace, tool, type Agent, type SpaceDefinition } from '@bae/core';
import { z } from 'zod';
import { mediansInTurn, timeOf, type Measurement } from './measure.ts';
import { modelOverHttp, type ModelOverHttp } from './model-over-http.ts';

const ROUNDS = 41;
const STEPS = 20;
const TOOLS_PER_SPACE = 10;
/** What a step may cost beyond its exchange, in milliseconds. */
const LIMIT = 0.5;

const SCRIPT = [...Array.from({ length: STEPS }, (_, step) => `Step ${step}.\n<space0.tool0:item ${step}>`), 'Done.'];

/** A step of the loop costs next to nothing beyond its exchange, however many tools there are. */
export async function stepOverhead(): Promise<readonly Measurement[]> {
  const [few, many] = [await turnsWith(TOOLS_PER_SPACE), await turnsWith(1000)];
  const overheads = await mediansInTurn({ few: few.overhead, many: many.overhead }, ROUNDS);
  await Promise.all([few.close(), many.close()]);
  return [
    { name: 'a step beyond its exchange, 10 tools', value: overheads.few, unit: 'ms', limit: { atMost: LIMIT } },
    { name: 'a step beyond its exchange, 1,000 tools', value: overheads.many, unit: 'ms', limit: { atMost: LIMIT } },
    {
      name: 'a step with 1,000 tools ÷ with 10',
      value: overheads.many / overheads.few,
      unit: 'x',
      limit: { atMost: 1.5 },
    },
  ];
}

interface Turns {
  readonly overhead: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** An agent with so many tools; `overhead` runs a turn, then its bare exchanges, and says what a step cost more. */
async function turnsWith(tools: number): Promise<Turns> {
  const connection = await modelOverHttp(SCRIPT);
  const spaces = Array.from({ length: tools / TOOLS_PER_SPACE }, (_, index) => spaceOf(index));
  const agent = createAgent({ model: connection.model, spaces, maxBatches: 0 });
  let rounds = 0;
  return {
    overhead: () => overheadOf(agent.session(`round-${rounds++}`), connection),
    close: async () => {
      await agent.close();
      await connection.close();
    },
  };
}

async function overheadOf(agent: Agent, connection: ModelOverHttp): Promise<number> {
  // The first turn of a session also sends the list of spaces; that is no step.
  await agent.ask('Begin.');
  connection.takeSent();
  const turn = await timeOf(() => agent.ask('Go on.'));
  const sent = connection.takeSent();
  if (sent.length !== SCRIPT.length) throw new Error(`${sent.length} exchanges instead of ${SCRIPT.length}`);
  const bare = await timeOf(async () => {
    for (const messages of sent) await connection.exchange(messages);
  });
  await agent.close();
  return (turn - bare) / sent.length;
}

function spaceOf(index: number): SpaceDefinition {
  const tools = Array.from({ length: TOOLS_PER_SPACE }, (_, number) => {
    const one = tool('One item.', { item: z.string() }, ({ item }) => `This is ${item}.`, { effect: 'read' });
    return [`tool${number}`, one] as const;
  });
  return defineResourcespace({
    name: `space${index}`,
    description: `Space ${index} of many.`,
    tools: Object.fromEntries(tools),
  });
}
