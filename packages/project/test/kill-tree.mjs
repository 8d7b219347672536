// Does on Linux what `taskkill /T /F /PID NUMBER` does on Windows: ends a process and all below it, by their parents.
import { readdirSync, readFileSync } from 'node:fs';

const children = new Map();
for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
  try {
    // The name before the state can have any character.
    const parent = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[1];
    children.set(parent, [...(children.get(parent) ?? []), id]);
  } catch {
    // It has just ended.
  }
}

const found = [process.argv.at(-1)];
for (const id of found) found.push(...(children.get(id) ?? []));

const [root, ...below] = found;
end(root);
// There it would end with the process that has started it.
const parent = process.ppid;
setTimeout(() => {
  if (process.ppid === parent) below.forEach(end);
}, 100);

function end(id) {
  try {
    process.kill(Number(id), 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
