// Compares bae with other frameworks in one run: pnpm bench:peers [--rounds 15] [--agents 1000]. It installs their
// newest versions into a temporary folder, and prints a table in Markdown.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';

const ADAPTERS = ['raw-fetch', 'tags-by-hand', 'bae', 'pi', 'ai-sdk', 'mastra', 'openai-agents'];
const TOOLS = [10, 100, 1000];
const CALLS = 20;
const CALLS_OF_MANY = 5;
/** Versions that are tried where the newest one cannot be installed. */
const MOST_VERSIONS = 15;

const ROOT = resolve(import.meta.dirname, '../../..');
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    agents: { type: 'string', default: '1000' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(
    'Usage: pnpm bench:peers [--rounds 15] [--agents 1000]\nCompares bae with other frameworks, in a few minutes.',
  );
  process.exit();
}
const say = (text) => process.stderr.write(`${text}\n`);
const execute = promisify(execFile);

const folder = await mkdtemp(join(tmpdir(), 'bae-peers-'));
try {
  await cp(import.meta.dirname, folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const adapters = [];
  for (const name of ADAPTERS) adapters.push({ name, ...(await install(name)) });
  // After npm, which removes what it has not installed.
  await linkOwnPackages();
  console.log(await compare(adapters));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Installs what an adapter imports; undefined as version where it needs nothing. */
async function install(name) {
  const text = await readFile(join(folder, 'adapters', `${name}.mjs`), 'utf8');
  const title = /title = '(.*)'/.exec(text)[1];
  const packages = /packages = \[(.*)\]/.exec(text)?.[1].match(/[^', ]+/g) ?? [];
  if (packages.length === 0) return { title };
  const [first] = packages;
  say(`installing ${packages.join(', ')}`);
  const { stdout } = await npm('view', first, 'versions', '--json');
  const stable = JSON.parse(stdout).filter((version) => /^[\d.]+$/.test(version));
  for (const version of ['latest', ...stable.toReversed().slice(0, MOST_VERSIONS)]) {
    // Packages of one scope are released together.
    const wanted = packages.map((one) => (scopeOf(one) === scopeOf(first) ? `${one}@${version}` : `${one}@latest`));
    try {
      await npm('install', '--ignore-scripts', '--no-audit', '--no-fund', ...wanted);
      const installed = name === 'bae' ? join(ROOT, 'packages/core') : join(folder, 'node_modules', first);
      const manifest = await readFile(join(installed, 'package.json'), 'utf8');
      return { title, version: JSON.parse(manifest).version };
    } catch {
      say(`  ${first}@${version} cannot be installed`);
    }
  }
  throw new Error(`no version of ${first} can be installed`);
}

function npm(...args) {
  return execute('npm', args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
}

function scopeOf(name) {
  return name.includes('/') ? name.split('/')[0] : name;
}

async function linkOwnPackages() {
  await mkdir(join(folder, 'node_modules/@bae'), { recursive: true });
  for (const name of ['core', 'models']) {
    await symlink(join(ROOT, 'packages', name), join(folder, 'node_modules/@bae', name));
  }
}

async function compare(adapters) {
  const server = fork(join(folder, 'server.mjs'));
  const [port] = await once(server, 'message');
  const rows = new Map(adapters.map(({ name }) => [name, { steps: [], bytes: [] }]));
  for (const tools of TOOLS) {
    say(`${CALLS} calls with ${tools} tools`);
    const figures = await measureSteps(adapters, { tools, port });
    for (const [name, { step, bytes, rss }] of figures) {
      const row = rows.get(name);
      row.steps.push(step);
      row.bytes.push(bytes);
      row.rss ??= rss;
    }
  }
  for (const { name } of adapters) {
    say(`${values.agents} agents of ${name}`);
    const session = await open(name, { tools: TOOLS[0], port });
    const { ms, most } = await session.run({ sessions: Number(values.agents), calls: CALLS_OF_MANY });
    Object.assign(rows.get(name), { many: ms, most });
    session.close();
  }
  server.disconnect();
  return renderTable(adapters, rows);
}

/** Every framework in a process of its own, one session of each in turn. */
async function measureSteps(adapters, { tools, port }) {
  const sessions = [];
  for (const { name } of adapters) sessions.push({ name, times: [], ...(await open(name, { tools, port })) });
  const takeFigures = async () => (await fetch(`http://127.0.0.1:${port}/figures`)).json();
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const session of sessions) {
      await takeFigures();
      const { ms, rss } = await session.run({ sessions: 1, calls: CALLS });
      const { own, bytes } = await takeFigures();
      session.times.push((ms - own) / (CALLS + 1));
      session.bytes = bytes;
      session.rss ??= rss;
    }
  }
  for (const { close } of sessions) close();
  return sessions.map(({ name, times, bytes, rss }) => [name, { step: median(times), bytes, rss }]);
}

async function open(name, { tools, port }) {
  const child = fork(join(folder, 'session.mjs'), [name, tools, port]);
  const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${name} ended with code ${code}`)));
  exited.catch(() => undefined);
  await Promise.race([once(child, 'message'), exited]);
  return {
    async run(work) {
      child.send(work);
      const [result] = await Promise.race([once(child, 'message'), exited]);
      if (result.wrong !== undefined) throw new Error(`${name} answered: ${result.wrong}`);
      return result;
    },
    close: () => child.disconnect(),
  };
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1];
}

function renderTable(adapters, rows) {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
  const lines = adapters.map(({ name, title, version }) => {
    const { steps, bytes, many, most, rss } = rows.get(name);
    const cells = [
      ...steps.map((step) => step.toFixed(2)),
      `${kilobytes(bytes[0])} / ${kilobytes(bytes.at(-1))}`,
      `${(many / 1000).toFixed(1)} s, ${Math.round(most)} MB`,
      `${Math.round(rss)} MB`,
    ];
    return `| ${version === undefined ? title : `${title} ${version}`} | ${cells.join(' | ')} |`;
  });
  return `Measured on ${new Date().toISOString().slice(0, 10)}, ${machine}: medians of ${values.rounds} sessions of ${CALLS} calls, in turn; milliseconds a step beyond the server's own time.

| | ${TOOLS.map((tools) => `${tools.toLocaleString('en')} tools`).join(' | ')} | kB sent, ${TOOLS[0]} / ${TOOLS.at(-1).toLocaleString('en')} tools | ${Number(values.agents).toLocaleString('en')} agents × ${CALLS_OF_MANY} calls | memory after ${CALLS} calls |
|---|${'---:|'.repeat(TOOLS.length + 3)}
${lines.join('\n')}`;
}

function kilobytes(bytes) {
  return Math.round(bytes / 1000).toLocaleString('en');
}
