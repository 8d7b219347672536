import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { allowAll, asModelText, createAgent } from '@bae/core';
import { mcpServer, type ServerSettings } from '@bae/mcp';
import { Sandbox } from '@bae/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { REAL_SERVERS, type RealServer, type ServerWorld } from './real-servers.ts';
import { scratchFolder } from './scratch-folder.ts';

const PAGE = join(import.meta.dirname, '../../docs/reference/mcp.md');
const LAUNCHER = join(import.meta.dirname, '../../apps/cli/bin/bae.mjs');
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const sandbox = new Sandbox();
afterAll(() => sandbox.dispose());

/** Where the servers are installed. An own folder may be given, to do without the install. */
const given = process.env['BAE_REAL_SERVERS'];
const installed = given ?? mkdtempSync(join(tmpdir(), 'bae-real-servers-'));
/** Why nothing could be installed; undefined when it was. */
let noNetwork: string | undefined;

beforeAll(() => {
  if (given !== undefined) return;
  writeFileSync(join(installed, 'package.json'), '{"private": true}');
  const packages = new Set([INSPECTOR, ...REAL_SERVERS.map((server) => `${server.package}@${server.version}`)]);
  // Programs of strangers are not run while they are installed.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  try {
    execFileSync('npm', ['install', ...options, ...packages], { cwd: installed, stdio: 'pipe', encoding: 'utf8' });
  } catch (error) {
    const { stderr } = error as { readonly stderr: string };
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/.test(stderr)) throw error;
    noNetwork = `the servers cannot be installed, there is no network: ${stderr.trim().split('\n').at(0)}`;
  }
}, 900_000);
afterAll(() => {
  if (given === undefined) rmSync(installed, { recursive: true, force: true });
});

function needNetwork(context: TestContext): void {
  if (noNetwork === undefined) return;
  process.stderr.write(`${context.task.name}: ${noNetwork}\n`);
  context.skip(noNetwork);
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const LIMIT = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } };
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const responses = { 200: { description: 'a page' } };
/** What the page of this machine answers to, as a description. */
const API = {
  openapi: '3.0.0',
  info: { title: 'Pages', version: '1' },
  paths: {
    '/pages': { get: { operationId: 'listPages', summary: 'List pages', parameters: [LIMIT], responses } },
    '/pages/{id}': { get: { operationId: 'getPage', summary: 'Get a page', parameters: [ID], responses } },
  },
};

/** A folder with a repository, a file with mistakes and a description of pages; and a page of this machine. */
async function makeWorld(): Promise<ServerWorld> {
  const folder = scratchFolder({
    'wrong.js': 'const unused = missing;\n',
    'eslint.config.js': 'export default [{ rules: { "no-undef": "error", "no-unused-vars": "error" } }];\n',
    'package.json': '{"type": "module"}',
    'repo/a.txt': 'one\n',
    'api.json': JSON.stringify(API),
  });
  mkdirSync(join(folder, 'bank'));
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', join(folder, 'repo'), ...args]);
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'the first one');
  const page = createServer(({ headers }, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<html><body><h1>A page</h1><p>token ${String(headers['x-token'])}</p></body></html>`);
  });
  await once(page.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void page.close());
  return {
    folder,
    page: `http://127.0.0.1:${(page.address() as AddressInfo).port}/`,
    port: await findFreePort(),
  };
}

/** How the server is reached; one that listens is started. */
async function reach(server: RealServer, world: ServerWorld): Promise<ServerSettings> {
  const { address } = server;
  const args = [join(installed, 'node_modules', server.package, server.program), ...(server.args?.(world) ?? [])];
  const env = server.env?.(world) ?? {};
  if (address === undefined) return { command: process.execPath, args, env };
  const { PATH = '' } = process.env;
  const program = spawn(process.execPath, args, {
    cwd: world.folder,
    env: { PATH, HOME: world.folder, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  for (let count = 0; !(await isListening(world.port)); count++) {
    if (count > 600) throw new Error(`${server.name} does not listen at ${world.port}`);
    await delay(100);
  }
  return { type: address.type, url: `http://127.0.0.1:${world.port}${address.path}`, headers: {} };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, 'localhost');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const listed = REAL_SERVERS.map((server) => [server.package, server.address?.type ?? 'stdio', server] as const);

describe('a server from npm', () => {
  beforeEach(needNetwork);
  it.each(listed)('%s over %s does what its documentation shows', { timeout: 240_000 }, async (_, __, server) => {
    const world = await makeWorld();
    const settings = await reach(server, world);
    const place = { folder: world.folder, env: process.env };
    const agent = createAgent({
      spaces: [mcpServer({ name: server.name, settings, place })],
      approver: allowAll,
      codeRunner: sandbox,
      askPerson: async () => undefined,
    });
    try {
      await agent.run(asModelText(`@${server.name}()`));
      const places = [server.name, ...agent.tree.below([server.name]).map(({ name }) => `${server.name}.${name}`)];
      const counts = places
        .filter((path) => !/\.(?:resources|prompts)$/.test(path))
        .map((path) => Object.keys(agent.tree.at(path.split('.'))!.tools).length);
      expect(counts.reduce((sum, count) => sum + count)).toBe(server.tools);
      for (const [tag, result] of server.tags(world)) {
        const { calls, problems } = await agent.run(asModelText(tag));
        expect.soft(problems, tag).toEqual([]);
        expect.soft(calls[0]?.result.text, tag).toMatch(result);
      }
      const [code, printed] = server.code(world);
      const { runs } = await agent.run(asModelText(`<run>\n${code}\n</run>`));
      expect(runs[0]?.output, code).toMatch(printed);
    } finally {
      await agent.close();
    }
  });
});

describe('the command line of the inspector', () => {
  beforeEach(needNetwork);
  it('lists the six tools of bae mcp serve, and calls each', { timeout: 240_000 }, async () => {
    const cwd = scratchFolder({ 'long.txt': 'needle in the hay\n'.repeat(900) });
    const env = { PATH: process.env['PATH'], HOME: cwd, BAE_HOME: join(cwd, '.home') };
    const served = spawn(process.execPath, [LAUNCHER, 'mcp', 'serve', '--http', '0'], {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void served.kill());
    const [printed] = (await once(served.stderr, 'data')) as [Buffer];
    const [, url = '', token = ''] = /(http:\S+)[^]*Bearer (\S+)/.exec(String(printed))!;
    const inspect = (...args: readonly string[]) => {
      const program = join(installed, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
      const options = ['--cli', url, '--header', `Authorization: Bearer ${token}`];
      const out = execFileSync(process.execPath, [program, ...options, ...args], { cwd, env, encoding: 'utf8' });
      return JSON.parse(out) as { readonly tools?: readonly { readonly name: string }[]; readonly content?: unknown };
    };
    const call = (tool: string, ...args: readonly string[]) =>
      inspect('--method', 'tools/call', '--tool-name', tool, ...args.flatMap((arg) => ['--tool-arg', arg])).content;
    const text = (expected: string | RegExp) => [{ type: 'text', text: expect.stringMatching(expected) as string }];
    expect(inspect('--method', 'tools/list').tools!.map(({ name }) => name)).toEqual([
      'see',
      'look_up',
      'call',
      'run',
      'read_result',
      'find',
    ]);
    expect(call('see', 'place=tasks')).toEqual(text('^home > tasks'));
    expect(call('look_up', 'tool=grep', 'arguments={"pattern": "needle", "path": "long.txt"}')).toEqual(
      text('<R:result:1'),
    );
    // Each command of the inspector is a client of its own, and no client reads the results of another.
    expect(() => call('read_result', 'result=result:1', 'lines=2')).toThrow('isError:true');
    expect(call('call', 'tool=read', 'arguments={"target": "long.txt:2"}')).toEqual(text('needle in the hay'));
    expect(call('run', 'code=6 * 7')).toEqual(text('^42$'));
    expect(call('find', 'query=read a file')).toEqual(text('home {2}read -- '));
  });
});

it('the servers are those of the table in the documentation', () => {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `([^`]+)` +(\S+) +\| (stdio|http|sse) +\| (\d+) +\|/gm);
  const table = Array.from(rows, ([, name, version, kind, tools]) => `${name} ${version} ${kind} ${tools}`);
  expect(table).toEqual(listed.map(([name, kind, { version, tools }]) => `${name} ${version} ${kind} ${tools}`));
});
