// An approver of one's own: a budget. Calls that cost money run while some is left; reading needs no consent.
// Run it: node examples/dist/08-custom-approver.js
import { createAgent, defineResourcespace, tool, type Approver } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { z } from 'zod';

/** Allows calls with the effect `external` until the budget is used up, and refuses everything else. */
function budget(cents: number): Approver {
  let left = cents;
  return {
    approve({ effect, args, tag }) {
      const price = Number(args['count'] ?? 1) * 10;
      if (effect !== 'external') return { allow: false, reason: `${tag} was not run: only letters may be sent.` };
      if (price > left) return { allow: false, reason: `${tag} costs ${price} cents; there are ${left}. Send fewer.` };
      left -= price;
      return { allow: true };
    },
  };
}

const to = z.string().describe('Name of the receiver');
const count = z.int().min(1).default(1).describe('How many');

const post = defineResourcespace({
  name: 'post',
  description: 'Letters on paper, 10 cents each.',
  tools: {
    send: tool('What was sent.', { to, count }, (args) => `${args.count} sent to ${args.to}`, { effect: 'external' }),
  },
});

const agent = createAgent({
  model: new ScriptedModel(['@post()\n<send:Ada count=7>\n<send:Bob count=7>', '<send:Bob count=3>', 'Ten are sent.']),
  spaces: [post],
  approver: budget(100),
});

agent.subscribe((event) => {
  if (event.type === 'call-end' && event.verb !== 'go') console.log(`${event.ok ? 'ran' : 'refused'}: ${event.text}`);
});
console.log(await agent.ask('Send 14 letters.'));
await agent.close();
