// Runs commands within limits, as the user of this process: FOLDER SCRIPT... A line of JSON for each is printed.
import { WorkspaceRoot } from '@bae/workspace';
import { CommandLimits, findLimits } from '../src/limits/command-limits.ts';
import { startProgram } from '../src/running-program.ts';

const [folder = '', ...scripts] = process.argv.slice(2);
const support = await findLimits();
using root = new WorkspaceRoot(folder);
const limits = new CommandLimits(root, {}, support);
for (const script of scripts) {
  const program = { command: '/bin/sh', args: ['-c', script], folder: root.folder, mergesErrors: true, limits };
  const { ended } = await startProgram(program);
  process.stdout.write(`${JSON.stringify({ support, ...(await ended) })}\n`);
}
await limits.close();
