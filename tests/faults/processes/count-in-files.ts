// Counts up numbers in files that other processes count up too, and tells how often it was told that it did.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFiles } from '../open-files.ts';

const [, , folder = '.', fileCount = '1', times = '1', seed = '1'] = process.argv;
const files = openFiles(folder);
process.stdout.write('ready\n');
await once(process.stdin, 'data');

for (let turn = 0; turn < Number(times); turn++) {
  const target = `f${(turn * 7 + Number(seed)) % Number(fileCount)}.txt`;
  for (;;) {
    const count = Number(/\d+/.exec(readFileSync(join(folder, target), 'utf8'))?.[0]);
    const edit = { target, old: `count: ${count}\n`, new: `count: ${count + 1}\n` };
    const done = await files.call('edit', edit).then(
      ({ text }) => text.startsWith('Replaced'),
      () => false,
    );
    if (done) break;
  }
  process.stdout.write(`${target}\n`);
}
process.stdout.write('end\n');
process.stdin.destroy();
