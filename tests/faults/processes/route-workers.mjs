// The network of some workers: `unshare --map-root-user --net node route-workers.mjs`. Each worker has a namespace of its
// own, with a cable to this one, where its connections are passed on to a socket in a folder. It ends with its parent.
import { execFileSync, spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const PORT = 5432;
const run = (command, ...args) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
const networkOf = (process) => readlinkSync(`/proc/${process}/ns/net`);

async function add(number, socket) {
  // It ends with its input, and its namespace with it.
  const holder = spawn('unshare', ['--net', 'cat'], { stdio: ['pipe', 'ignore', 'inherit'] });
  while (networkOf(holder.pid) === networkOf('self')) await sleep(10);
  const inside = (...args) => run('nsenter', '--target', String(holder.pid), '--net', 'ip', ...args);
  run('ip', 'link', 'add', `near${number}`, 'type', 'veth', 'peer', 'name', `far${number}`);
  run('ip', 'link', 'set', `far${number}`, 'netns', String(holder.pid));
  run('ip', 'address', 'add', `10.0.${number}.1/24`, 'dev', `near${number}`);
  run('ip', 'link', 'set', `near${number}`, 'up');
  inside('address', 'add', `10.0.${number}.2/24`, 'dev', `far${number}`);
  inside('link', 'set', `far${number}`, 'up');
  const server = createServer((near) => {
    const far = connect(socket);
    near.on('error', () => undefined).on('close', () => far.destroy());
    far.on('error', () => undefined).on('close', () => near.resetAndDestroy());
    near.pipe(far).pipe(near);
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(PORT, `10.0.${number}.1`, resolve));
  return { process: holder.pid, host: `10.0.${number}.1:${PORT}` };
}

const actions = {
  add: ({ number, socket }) => add(number, socket),
  // The other end gets no word of it.
  cut: ({ number }) => void run('ip', 'link', 'set', `near${number}`, 'down'),
  mend: ({ number }) => void run('ip', 'link', 'set', `near${number}`, 'up'),
};

async function answer({ action, ...about }) {
  try {
    process.send({ result: (await actions[action](about)) ?? {} });
  } catch (error) {
    process.send({ failure: String(error.stderr ?? error) });
  }
}

process.on('message', (request) => void answer(request));
process.on('disconnect', () => process.exit());
process.send({ result: {} });
