// Reads windows of a file and tells how many bytes of memory that took at most.
import { WorkspaceRoot } from '@bae/workspace';

const [, , folder = '.', path = ''] = process.argv;
const workspace = new WorkspaceRoot(folder);
const read = (name: string, line: number) => workspace.readWindow(name, { line, column: 1, chars: 4000 });

await workspace.write('small.txt', 'text\n');
await read('small.txt', 1);
const before = process.resourceUsage().maxRSS;
const { text, lines } = await read(path, 1);
await read(path, 3000);
const added = (process.resourceUsage().maxRSS - before) * 1024;
process.stdout.write(JSON.stringify({ added, text: text.length, lines }));
