// Changes a file when it is told to, and says so; may kill itself at one of its calls to the disk.
import { once } from 'node:events';
import { writevSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { makeChange, prepare, type Change } from '../change-of-file.ts';
import { watchDisk } from '../disk-calls.ts';
import { openFiles } from '../open-files.ts';

const [, , folder = '.', change = 'write', moment, number] = process.argv;
const files = openFiles(folder);
await files.call('glob', { pattern: '*' });
// From now on there is the thread that waits for the disk.
await stat(folder);
await prepare(files, change as Change);

let calls = 0;
const die = (): void => {
  if (++calls === Number(number)) process.kill(process.pid, 'SIGKILL');
};
process.stdout.write('ready\n');
await once(process.stdin, 'data');
if (moment === 'before') await watchDisk({ before: die });
if (moment === 'after') await watchDisk({ after: die });
await makeChange(files, change as Change);
// Its name is its own: threads wake one another by `write`, as often as it happens.
writevSync(1, [Buffer.from('do'), Buffer.from('ne\n')]);
process.stdin.destroy();
