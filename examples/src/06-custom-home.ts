// A home of one's own: its tools act where every session begins, and there need not be any files.
// Run it: node examples/dist/06-custom-home.js
import { createAgent, defineResourcespace, findNearestName, ResourceError, tool } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { z } from 'zod';

const orders = new Map([
  ['A17', 'two lamps, paid, not sent'],
  ['B02', 'a chair, sent'],
]);

const desk = defineResourcespace({
  name: 'desk',
  description: 'Orders of the shop. Every customer waits for one of them.',
  enter: () => `${orders.size} orders`,
  tools: {
    read: tool('One order.', { order: z.string().describe('Number of the order') }, ({ order }) => {
      const found = orders.get(order);
      if (found !== undefined) return found;
      throw new ResourceError(`no order ${order}.`, [`<R:${findNearestName(order, orders.keys()) ?? 'A17'}>`]);
    }),
  },
});

const policies = defineResourcespace({
  name: 'policies',
  description: 'What the shop promises.',
  tools: { read: tool('The promises.', {}, () => 'Sent within two days, or the customer pays nothing for it.') },
});

const agent = createAgent({
  model: new ScriptedModel(['<R:A71>', '<R:A17>\n<policies.R:>', 'It is paid, and goes out within two days.']),
  home: desk,
  spaces: [policies],
});

agent.subscribe((event) => {
  if (event.type === 'call-end') console.log(`${event.tag} ${event.text}`);
});
console.log(await agent.ask('Where is order A71?'));
await agent.close();
