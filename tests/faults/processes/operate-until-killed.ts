// Changes files at random, and undoes it at random, until it is killed; or undoes what another process did.
// Prints a point when it begins and after each operation.
import { WorkspaceRoot } from '@bae/workspace';
import { operate } from '../random-operations.ts';
import { RandomSource } from '../random-source.ts';

const [, , folder = '.', seed, task] = process.argv;
const root = new WorkspaceRoot(folder, { journal: 'disk' });
const random = new RandomSource(Number(seed));
process.stdout.write('.');
if (task === 'undo') {
  await root.undo({ steps: 1000 });
  process.exit();
}
for (;;) {
  await operate(root, random, 'killed');
  process.stdout.write('.');
}
