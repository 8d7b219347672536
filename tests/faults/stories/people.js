// The stories of a person who is asked, and of the model: an agent of somebody's own program.
import { allowAll, asModelText, createAgent } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { provideWorkspace, WORKSPACE_ROOT } from '@bae/workspace';
import * as approval from './bae-resourcespace-approval/index.js';
import * as translation from './bae-resourcespace-translation/index.js';

const files = provideWorkspace('.');
const answers = [{ to: 'testers', why: 'they wait' }, undefined];
const asked = [];
const agent = createAgent({
  spaces: [approval.spaces({}, new Map([[WORKSPACE_ROOT, files.value]])), translation.spaces()],
  provide: [files],
  approver: allowAll,
  model: new ScriptedModel(['Guten Tag']),
  askPerson: async (question) => {
    asked.push(question.text);
    return answers.shift();
  },
});
const tags =
  '<releases.release:1.2.0>\n<releases.release:1.3.0>\n<releases.R:>\n<translator.translate:German>\nGood day\n</translator.translate>';
const { calls } = await agent.run(asModelText(tags));
await agent.close();
process.stdout.write(JSON.stringify({ asked, texts: calls.map(({ result }) => result.text) }));
