import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { CodeBase, ModuleIndex } from '../modules/module-index.ts';
import { completeAddress } from './complete-address.ts';

const FILES = {
  'parts/queue.ts': 'export class Queue {\n  add() {}\n  addAll() {}\n  clear() {}\n}\nconst quota = 1;\n',
  'parts/queues/large.ts': 'export function quicken() {\n  const quick = 1;\n  return quick;\n}\n',
  'parts/index.ts': "export { Queue } from './queue.ts';\n",
};

async function complete(typed: string, limit = 10): Promise<readonly string[]> {
  const root = new WorkspaceRoot(temporaryFolder(FILES));
  return completeAddress(new CodeBase(root, new ModuleIndex(root)), typed, limit);
}

describe('completeAddress', () => {
  it.each([
    ['', ['parts']],
    ['p', ['parts']],
    ['parts.', ['parts.Queue', 'parts.queue', 'parts.queues']],
    ['parts.queue', ['parts.queue', 'parts.queues']],
    ['parts.queues.', ['parts.queues.large']],
    ['parts.queue.', ['parts.queue.Queue', 'parts.queue.quota']],
    ['parts.queue.Queue.add', ['parts.queue.Queue.add', 'parts.queue.Queue.addAll']],
    ['Qu', ['Queue']],
    ['qui', ['quicken']],
    ['Queue.a', ['Queue.add', 'Queue.addAll']],
    ['nothing.like.it', []],
  ])('goes on with %j', async (typed, addresses) => {
    expect(await complete(typed)).toEqual(addresses);
  });

  it('lists no more than was asked for', async () => {
    expect(await complete('parts.', 2)).toHaveLength(2);
  });
});
