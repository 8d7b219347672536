// Exchanges a folder for a link and back, as fast as it can: `door` and `link` in the folder that is named.
import { lstatSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder = '.'] = process.argv;
const [door, room, link] = ['door', 'room', 'link'].map((name) => join(folder, name)) as [string, string, string];
const parent = process.ppid;
let made = 0;

process.stdout.write('ready');
while (process.ppid === parent) {
  for (let time = 0; time < 1000; time++) {
    try {
      renameSync(door, room);
      renameSync(link, door);
      renameSync(door, link);
      renameSync(room, door);
    } catch {
      putAside();
    }
  }
}

/** The folder has no name for a moment, and who writes to it then makes another one, which goes aside. */
function putAside(): void {
  try {
    const isLink = lstatSync(door, { throwIfNoEntry: false })?.isSymbolicLink();
    if (isLink !== undefined) renameSync(door, isLink ? link : join(folder, `made-${made++}`));
    if (lstatSync(room, { throwIfNoEntry: false }) !== undefined) renameSync(room, door);
  } catch {
    // Another one was made meanwhile, which the next round finds.
  }
}
