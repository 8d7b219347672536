// A resourcespace of one's own, entered and used by the model.
// Run it: node examples/dist/02-your-first-resourcespace.js
import { createAgent, defineResourcespace, tool } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { z } from 'zod';

const open = new Map([
  [7, 'Login fails'],
  [9, 'Invoice is empty'],
]);

const tickets = defineResourcespace({
  name: 'tickets',
  description: 'Support tickets of the shop.',
  enter: () => `${open.size} open`,
  tools: {
    read: tool('One ticket by number, or every open one.', { target: z.string().default('') }, ({ target }) =>
      target === '' ? [...open].map(([id, title]) => `${id} ${title}`).join('\n') : open.get(Number(target)),
    ),
  },
});

const agent = createAgent({
  model: new ScriptedModel(['@tickets()\n<R:>', 'Two: the login and an invoice.']),
  spaces: [tickets],
});

agent.subscribe((event) => {
  if (event.type === 'call-end') console.log(event.text);
});
console.log(await agent.ask('What is open?'));
await agent.close();
