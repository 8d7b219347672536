// Edits tasks while others do the same, and tells how many edits failed.
import { once } from 'node:events';
import { allowAll, asModelText, createAgent } from '@bae/core';
import { provideTasks, TasksSpace } from '@bae/tasks';

const [, , file = '', name = '', count = '0', tasks = '1'] = process.argv;
process.stdout.write('ready\n');
await once(process.stdin, 'data');

const agent = createAgent({
  spaces: [TasksSpace],
  provide: [provideTasks({ file, caller: 'agent' })],
  approver: allowAll,
});
await agent.run(asModelText('@tasks()'));

const failures: string[] = [];
const attempt = async (call: string, tag: string): Promise<boolean> => {
  const { calls } = await agent.run(asModelText(call));
  const [{ result }] = calls as [(typeof calls)[number]];
  // Whoever reads this has been told that the change is safe.
  if (result.ok) process.stdout.write(`done ${tag}\n`);
  if (!result.ok && result.errorType !== 'ConflictError') failures.push(result.text);
  return result.ok;
};

/** Adds a tag to whatever is there: nobody else's may get lost. Every other time for the version that was read. */
for (let edit = 1; edit <= Number(count); edit++) {
  const id = 1 + (edit % Number(tasks));
  const tag = `${name}${edit}`;
  if (edit % 2 === 0) {
    await attempt(`<E:${id} tags=+${tag}>`, tag);
    continue;
  }
  for (let isDone = false; !isDone && failures.length === 0;) {
    const { calls } = await agent.run(asModelText(`<R:${id}>`));
    const version = /version: (\d+)/.exec(calls[0]!.result.text)?.[1];
    isDone = await attempt(`<E:${id} tags=+${tag} version=${version}>`, tag);
  }
}
await agent.close();
process.stdout.write(`${JSON.stringify(failures.slice(0, 3))}\n`);
process.stdin.destroy();
