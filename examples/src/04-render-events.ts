// Watching a turn: every step is an event.
// Run it: node examples/dist/04-render-events.js
import { createAgent } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { ScriptedModel } from '@bae/testing';
import { provideWorkspace } from '@bae/workspace';

const agent = createAgent({
  model: new ScriptedModel(['<G:*.json>', 'Two JSON files.']),
  home: FilesystemSpace,
  provide: [provideWorkspace(process.cwd())],
});

for await (const event of agent.stream('Which JSON files are here?')) {
  if (event.type === 'call-end') console.log(event.summary);
  if (event.type === 'answer') console.log(event.text);
  if (event.type === 'turn-end') console.log(`${event.outcome} after ${event.totals.sends} sends`);
}
await agent.close();
