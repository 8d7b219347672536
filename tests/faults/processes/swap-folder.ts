// Exchanges a folder for a link and back, as fast as it can: `door` and `link` in the folder that is named.
import { renameSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder = '.'] = process.argv;
const [door, room, link] = ['door', 'room', 'link'].map((name) => join(folder, name)) as [string, string, string];
const parent = process.ppid;

process.stdout.write('ready');
while (process.ppid === parent) {
  for (let time = 0; time < 1000; time++) {
    renameSync(door, room);
    renameSync(link, door);
    renameSync(door, link);
    renameSync(room, door);
  }
}
