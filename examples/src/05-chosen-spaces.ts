// An agent of chosen spaces, each with what it works on: the files of a folder, and tasks.
// Run it: node examples/dist/05-chosen-spaces.js
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowAll, createAgent } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { provideTasks, TasksSpace } from '@bae/tasks';
import { ScriptedModel } from '@bae/testing';
import { provideWorkspace } from '@bae/workspace';

const folder = mkdtempSync(join(tmpdir(), 'bae-example-'));
writeFileSync(join(folder, 'notes.md'), '- the login fails on Mondays\n');

const agent = createAgent({
  model: new ScriptedModel(['<filesystem.R:notes.md>', '<tasks.W:Fix the login tags="auth"></W>', 'One task is made.']),
  // Only what is listed is there: no search, no shell, nothing that was installed.
  spaces: [FilesystemSpace, TasksSpace],
  // What their constructors ask for, by token.
  provide: [provideWorkspace(folder), provideTasks({ file: join(folder, 'tasks.db'), caller: 'agent' })],
  // Everything may be written here: the folder is thrown away.
  approver: allowAll,
});

agent.subscribe((event) => {
  if (event.type === 'call-end') console.log(event.summary);
});
console.log(await agent.ask('Make tasks of my notes.'));
console.log(agent.tree.below([]).map(({ name }) => name));
await agent.close();
rmSync(folder, { recursive: true });
