import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const FILE = join(ROOT, 'deploy/Containerfile');
/** Folders of the image that its commands name. */
const FOLDERS = /(?<![\w./])\/(?=opt\/bae|usr\/local\/bin|data\b|work\b)/g;
/** What only a container can do: another system's packages, and its users. */
const OF_THE_SYSTEM = /apt-get|rm -rf \/var\/lib|chown/;

/** The instructions of a Containerfile, with what continues on the next line. */
function readInstructions(): readonly (readonly [string, string])[] {
  return readFileSync(FILE, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, rest!] as const];
    });
}

function find(name: string): string {
  return readInstructions().findLast(([one]) => one === name)![1];
}

/** Copies what `COPY . .` does: the files of the repository, without those of .dockerignore, which Podman reads too. */
function copyRepository(folder: string): void {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').match(/[\w.]+(?=\n|$)/g)!;
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const path of stdout.split('\0').filter(Boolean)) {
    if (path.split('/').some((part) => ignored.includes(part))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path), { verbatimSymlinks: true });
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

it('an image of it can be built and started step by step, is healthy, and ends when it is told to', async () => {
  const image = mkdtempSync(join(tmpdir(), 'bae-image-'));
  chmodSync(image, 0o755);
  onTestFinished(() => rmSync(image, { recursive: true, force: true }));
  const inside = (text: string) => text.replaceAll(FOLDERS, `${image}/`);
  const env: Record<string, string> = { PATH: process.env['PATH']!, HOME: join(image, 'root') };
  // Packages come from where they come from for the tests themselves: the same registry, certificates and caches.
  const building = () => ({ ...process.env, ...env, HOME: process.env['HOME'] });
  for (const folder of ['root', 'usr/local/bin']) mkdirSync(join(image, folder), { recursive: true });
  let cwd = image;
  let commands = 0;
  for (const [name, rest] of readInstructions()) {
    if (name === 'ENV') env[rest.split('=')[0]!] = inside(rest.split('=')[1]!);
    if (name === 'WORKDIR') mkdirSync((cwd = inside(rest)), { recursive: true });
    if (name === 'COPY' && rest === '. .') copyRepository(cwd);
    if (name !== 'RUN') continue;
    for (const command of rest.split('&&').filter((one) => !OF_THE_SYSTEM.test(one))) {
      const options = { cwd, env: building(), encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', inside(command)], options);
      expect(status, `${command}: ${stdout}${stderr}`).toBe(0);
      commands++;
    }
  }
  expect(commands).toBe(9);

  const port = await findPort();
  const [, ...entry] = JSON.parse(find('ENTRYPOINT')) as string[];
  const [program, ...words] = [...entry.slice(1), ...(JSON.parse(find('CMD')) as string[]), '--port', String(port)];
  const server = spawn(join(image, 'usr/local/bin', program), words, { cwd, env, stdio: 'ignore' });
  onTestFinished(() => void server.kill('SIGKILL'));
  const [, check] = /CMD (.*)$/.exec(find('HEALTHCHECK'))!;
  const isHealthy = () => {
    const [node, ...args] = (JSON.parse(check!) as string[]).map((one) => one.replace('4310', String(port)));
    return spawnSync(node!, args, { env }).status === 0;
  };
  expect(isHealthy()).toBe(false);
  while (!isHealthy() && server.exitCode === null) await sleep(200);
  const answers = ['/healthz', '/readyz', '/v1/sessions'].map(async (path) => {
    return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  });
  expect(await Promise.all(answers)).toEqual([200, 200, 401]);
  // Workers have what they need for PostgreSQL, though the command line does not depend on it.
  const worker = spawnSync(
    join(image, 'usr/local/bin', program),
    ['worker', '--database', 'postgres://127.0.0.1:1/bae'],
    {
      cwd,
      env: { ...env, BAE_DATABASE_KEY: 'k'.repeat(64) },
      encoding: 'utf8',
    },
  );
  expect(worker.stderr).toContain('connect ECONNREFUSED');
  server.kill(find('STOPSIGNAL') as NodeJS.Signals);
  await once(server, 'exit');
  expect(isHealthy()).toBe(false);
});
