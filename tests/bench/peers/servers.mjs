// Compares `bae serve` with the servers of other frameworks in one run: pnpm bench:servers [--rounds 5] [NAME…]. It
// installs their newest versions into a temporary folder, starts all of them, and prints a table in Markdown.
import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { cpus, tmpdir, totalmem } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';

const NAMES = ['bae', 'mastra', 'langgraph', 'eve'];
/** Tool calls of a session. */
const CALLS = 3;
/** Sessions one after the other, and then at once, in a round. */
const ALONE = 10;
const AT_ONCE = 32;
const READY_MS = 120_000;

const ROOT = resolve(import.meta.dirname, '../../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  console.log(`Usage: pnpm bench:servers [${NAMES.join('] [')}] [--rounds 5]\nTakes some minutes.`);
  process.exit();
}
const say = (text) => process.stderr.write(`${text}\n`);
const execute = promisify(execFile);

const scratch = await mkdtemp(join(tmpdir(), 'bae-servers-'));
const model = fork(join(import.meta.dirname, 'server.mjs'));
const peers = [];
try {
  const [modelPort] = await once(model, 'message');
  for (const name of positionals.length === 0 ? NAMES : positionals) {
    const peer = await open(name, `http://127.0.0.1:${modelPort}/${CALLS}/v1`).catch((error) => {
      say(`${name} is left out: ${error.message}`);
    });
    if (peer !== undefined) peers.push(peer);
  }
  console.log(await compare());
} finally {
  for (const { child } of peers) endGroup(child);
  model.disconnect();
  await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
}

/** Installs, builds and starts a server, each as its documentation says. */
async function open(name, modelUrl) {
  const adapter = await import(`./served/${name}.mjs`);
  const folder = join(scratch, name);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const path = [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, NODE_ENV: 'production', CI: '1' };
  const run = (command, ...args) => execute(command, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
  let version;
  if (adapter.packages.length > 0) {
    say(`installing ${adapter.packages.join(', ')}`);
    const latest = adapter.packages.map((one) => `${one}@latest`);
    await run('npm', 'install', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...latest);
  } else await linkOwnPackages(folder);
  const [first = '@bae/server'] = adapter.packages;
  ({ version } = JSON.parse(await readFile(join(folder, 'node_modules', first, 'package.json'), 'utf8')));
  for (const [file, text] of Object.entries(adapter.files({ model: modelUrl }))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  if (adapter.build !== undefined) await run(...adapter.build);
  const port = await findPort();
  const { command, env: own, ready, headers } = adapter.start({ folder, root: ROOT, port });
  say(`starting ${adapter.title} ${version}`);
  const options = { cwd: folder, env: { ...env, ...own }, stdio: ['ignore', 'pipe', 'pipe'], detached: true };
  const child = spawn(command[0], command.slice(1), options);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => (output = `${output}${text}`.slice(-4000)));
  const url = `http://127.0.0.1:${port}`;
  const { title, ask } = adapter;
  const peer = { name, title, version, child, url, headers, ask, rounds: [], idle: 0 };
  try {
    await waitUntilReady(`${url}${ready}`, child);
    await takeTime(peer);
  } catch (error) {
    endGroup(child);
    throw new Error(`${error.message}\n${output}`, { cause: error });
  }
  return peer;
}

async function linkOwnPackages(folder) {
  await mkdir(join(folder, 'node_modules/@bae'), { recursive: true });
  for (const name of ['core', 'server'])
    await symlink(join(ROOT, 'packages', name), join(folder, 'node_modules/@bae', name));
  await symlink(join(ROOT, 'tests/node_modules/zod'), join(folder, 'node_modules/zod'));
}

async function waitUntilReady(url, child) {
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(200)) {
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
  }
  throw new Error(`it is not ready after ${READY_MS / 1000} s`);
}

/** Milliseconds of one session, to its first event and to its end. */
async function takeTime({ name, url, headers, ask }) {
  const begun = performance.now();
  let first;
  const seen = () => (first ??= performance.now() - begun);
  const answer = await ask({ url, headers, seen });
  if (!String(answer).includes('Done.')) throw new Error(`${name} answered: ${answer}`);
  return { first, whole: performance.now() - begun };
}

/** Rounds of all servers in turn, so that a machine that is slow for a while is slow for all of them. */
async function compare() {
  for (const peer of peers) peer.idle = await readMemory(peer.child.pid);
  for (let round = 0; round < Number(values.rounds); round++)
    for (const peer of peers) {
      const alone = [];
      for (let count = 0; count < ALONE; count++) alone.push(await takeTime(peer));
      const begun = performance.now();
      await Promise.all(Array.from({ length: AT_ONCE }, () => takeTime(peer)));
      const sessions = (AT_ONCE / (performance.now() - begun)) * 1000;
      const [first, whole] = ['first', 'whole'].map((what) => median(alone.map((one) => one[what])));
      peer.rounds.push({ first, whole, sessions, memory: await readMemory(peer.child.pid) });
      say(`${peer.name}: ${first.toFixed(1)} ms, ${whole.toFixed(1)} ms, ${sessions.toFixed(1)} a second`);
    }
  return renderTable();
}

/** Resident memory of a process and everything it has started, in MB. */
async function readMemory(pid) {
  const parents = new Map();
  const sizes = new Map();
  for (const name of await readdir('/proc')) {
    const status = /^\d+$/.test(name) ? await readFile(`/proc/${name}/status`, 'utf8').catch(() => '') : '';
    const read = (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    parents.set(Number(name), read('PPid'));
    sizes.set(Number(name), read('VmRSS') / 1000);
  }
  const isOwn = (one) => one === pid || (one > 1 && isOwn(parents.get(one) ?? 0));
  return [...sizes].reduce((sum, [one, size]) => (isOwn(one) ? sum + size : sum), 0);
}

function endGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function findPort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}

function renderTable() {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
  const figures = peers.map(({ rounds, idle, ...peer }) => ({
    ...peer,
    first: median(rounds.map((one) => one.first)),
    whole: median(rounds.map((one) => one.whole)),
    sessions: median(rounds.map((one) => one.sessions)),
    idle,
    memory: rounds.at(-1).memory,
  }));
  const [own] = figures;
  const lines = figures.map((one) => {
    const show = (what, digits, unit) =>
      `${one[what].toFixed(digits)}${unit} (${(one[what] / own[what]).toFixed(2)} ×)`;
    const cells = [
      show('sessions', 1, ''),
      show('first', 1, ' ms'),
      show('whole', 1, ' ms'),
      show('idle', 0, ' MB'),
      show('memory', 0, ' MB'),
    ];
    return `| ${one.title} ${one.version} | ${cells.join(' | ')} |`;
  });
  return `Measured on ${new Date().toISOString().slice(0, 10)}, ${machine}: medians of ${values.rounds} rounds of all servers in turn; a session is one prompt with ${CALLS} calls of a tool. In brackets: times that of the first row.

| | sessions a second, ${AT_ONCE} at once | time to first event | time to the end of the answer | memory at the start | memory after ${Number(values.rounds) * (ALONE + AT_ONCE)} sessions |
|---|---:|---:|---:|---:|---:|
${lines.join('\n')}`;
}
