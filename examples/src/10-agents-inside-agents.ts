// An agent inside an agent: a space whose tool asks another one, with a model, spaces and a location of its own.
// Run it: node examples/dist/10-agents-inside-agents.js
import { approvalPolicy, createAgent, defineResourcespace, tool } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { z } from 'zod';

const laws = defineResourcespace({
  name: 'laws',
  description: 'Laws by number.',
  tools: { read: tool('One law.', { number: z.int().describe('Its number') }, () => 'Shops are closed on Sundays.') },
});

/** Knows laws and nothing else. The other agent sees its answers, and never what it read for them. */
const lawyer = createAgent({
  model: new ScriptedModel(['<laws.R:7>', 'No: law 7 closes shops on Sundays.']),
  spaces: [laws],
  label: 'lawyer',
});

let asked = 0;
const question = z.string().describe('What you want to know, with all that is needed to answer it');
const counsel = defineResourcespace({
  name: 'counsel',
  description: 'A lawyer who answers questions.',
  tools: {
    ask: tool(
      'The answer, in plain words.',
      { question },
      async (args, { signal }) => {
        // A session for each question: nothing of one gets into another, and a cancelled call ends its turn.
        const session = lawyer.session(`lawyer-${++asked}`);
        try {
          return await session.ask(args.question, { signal, maxBatches: 5 });
        } finally {
          await session.close();
        }
      },
      // It costs money, so there has to be consent.
      { effect: 'external', body: 'question', timeoutMs: 300_000 },
    ),
  },
});

const agent = createAgent({
  model: new ScriptedModel(['<counsel.ask:>May we open on Sundays?</counsel.ask>', 'We may not: law 7.']),
  spaces: [counsel],
  approver: approvalPolicy({ rules: [{ space: 'counsel', tool: 'ask', decision: 'allow' }] }),
});

agent.subscribe((event) => {
  if (event.type === 'call-end') console.log(`[${event.space}] ${event.text}`);
});
console.log(await agent.ask('Plan the opening hours.'));
await agent.close();
await lawyer.close();
