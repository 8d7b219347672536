// Writes a file of so many bytes and prints what came of it.
import { WorkspaceRoot } from '@bae/workspace';

const [, , folder = '.', path = '', size] = process.argv;
const outcome = await new WorkspaceRoot(folder).write(path, 'x'.repeat(Number(size))).then(
  () => 'written',
  (error: unknown) => String(error),
);
process.stdout.write(outcome);
