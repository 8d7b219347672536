import { createAgent, defineResourcespace, tool, type Message, type Model, type SpaceDefinition } from '@bae/core';
import { z } from 'zod';
import { exchangesOverHttp } from './exchanges-over-http.ts';
import { leastInTurn, processorTimeOf, type Measurement } from './measure.ts';

const ROUNDS = 21;
const STEPS = 100;
const TOOLS_PER_SPACE = 10;
/** What a step may cost beside its exchange, in exchanges: a quarter of one, and as much again for a busy machine. */
const LIMIT = 0.5;

const SCRIPT = [...Array.from({ length: STEPS }, (_, step) => `Step ${step}.\n<space0.tool0:item ${step}>`), 'Done.'];
const USAGE = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** A step of the loop costs little beside the exchange with its model, however many tools there are. */
export async function stepOverhead(): Promise<readonly Measurement[]> {
  const [few, many] = [turnsWith(TOOLS_PER_SPACE), turnsWith(1000)];
  const http = await exchangesOverHttp(SCRIPT);
  const exchange = async () => {
    for (const messages of few.sent) await http.exchange(messages);
  };
  const times = await leastInTurn(
    { few: few.turn, many: many.turn, exchange: () => processorTimeOf(exchange) },
    ROUNDS,
  );
  await Promise.all([few.close(), many.close(), http.close()]);
  return [
    { name: 'a step ÷ its exchange, 10 tools', value: times.few / times.exchange, unit: 'x', limit: { atMost: LIMIT } },
    { name: 'the same, 1,000 tools', value: times.many / times.exchange, unit: 'x', limit: { atMost: LIMIT } },
    // Each step at home renders home anew, which lists more spaces.
    { name: 'a step with 1,000 tools ÷ with 10', value: times.many / times.few, unit: 'x', limit: { atMost: 2 } },
  ];
}

interface Turns {
  /** The messages of each request of the latest turn. */
  readonly sent: readonly (readonly Message[])[];
  /** Runs a turn. @returns its processor time in milliseconds */
  readonly turn: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** An agent with so many tools, and a model that answers at once. */
function turnsWith(tools: number): Turns {
  const sent: (readonly Message[])[] = [];
  let answers = 0;
  const model: Model = {
    name: 'bench/script',
    async *respond(messages) {
      sent.push([...messages]);
      yield { type: 'text-delta', text: SCRIPT[answers++ % SCRIPT.length]! };
      yield { type: 'usage', usage: USAGE };
      yield { type: 'end', reason: 'stop' };
    },
  };
  const spaces = Array.from({ length: tools / TOOLS_PER_SPACE }, (_, index) => spaceOf(index));
  const agent = createAgent({ model, spaces, maxBatches: 0 });
  let rounds = 0;
  const turn = async (): Promise<number> => {
    const session = agent.session(`round-${rounds++}`);
    // The first turn of a session also sends the list of spaces; that is no step.
    await session.ask('Begin.');
    sent.length = 0;
    const time = await processorTimeOf(() => session.ask('Go on.'));
    await session.close();
    if (sent.length !== SCRIPT.length) throw new Error(`${sent.length} requests instead of ${SCRIPT.length}`);
    return time;
  };
  return { sent, turn, close: () => agent.close() };
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
