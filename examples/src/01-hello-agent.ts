// One agent, one prompt: the model reads a file and answers.
// Run it: node examples/dist/01-hello-agent.js
import { createAgent } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { ScriptedModel } from '@bae/testing';
import { provideWorkspace } from '@bae/workspace';

// A scripted model keeps the example free of keys and networks; any model of @bae/models takes its place.
const model = new ScriptedModel(['<R:package.json>', 'It is an ES module.']);

const agent = createAgent({
  model,
  home: FilesystemSpace,
  provide: [provideWorkspace(process.cwd())],
});

console.log(await agent.ask('Is this package an ES module?'));
await agent.close();
