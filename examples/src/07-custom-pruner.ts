// A pruner of one's own: of a log, the end is what counts. The whole text is still kept under a handle.
// Run it: node examples/dist/07-custom-pruner.js
import { createAgent, defineResourcespace, tool, type Pruner } from '@bae/core';
import { countUnits } from '@bae/core/pipeline';
import { ScriptedModel } from '@bae/testing';

/** Keeps the last lines. Contract: never longer than the cap; what fits comes back as it is. */
const lastLines: Pruner = {
  prune(text, { cap = 2000, ref } = {}) {
    if (countUnits(text) <= cap) return { text };
    const lines = text.split('\n');
    const indicator = ref === undefined ? '(these are the last lines)' : `(the last lines; all: <R:${ref}>)`;
    let shown = lines;
    while (shown.length > 0 && countUnits([...shown, indicator].join('\n')) > cap) shown = shown.slice(1);
    return {
      text: [...shown, indicator].join('\n'),
      report: { total: lines.length, shown: shown.length, indicator },
    };
  },
};

const log = Array.from({ length: 500 }, (_, index) => `${String(index + 1).padStart(3, '0')} request served`);
const server = defineResourcespace({
  name: 'server',
  description: 'The web server.',
  tools: { read: tool('Its log.', {}, () => [...log, 'out of memory'].join('\n')) },
});

const agent = createAgent({
  model: new ScriptedModel(['<server.R:>', 'It ran out of memory.']),
  spaces: [server],
  pruner: lastLines,
  cap: 50,
});

agent.subscribe((event) => {
  if (event.type === 'call-end') console.log(event.text);
});
console.log(await agent.ask('Why did it stop?'));
await agent.close();
