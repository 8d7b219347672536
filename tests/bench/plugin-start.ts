import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discoverPackages, pluginSubject, readPlugin, TrustStore, writeManifest } from '@bae/plugins';
import { mediansInTurn, timeOf, type Measurement } from './measure.ts';

const ROUNDS = 11;
const CLI = join(import.meta.dirname, '../../apps/cli/bin/bae.mjs');
const CORE = JSON.stringify(import.meta.resolve('@bae/core'));
const ZOD = JSON.stringify(import.meta.resolve('zod'));

/** Installed packages cost next to nothing before one of their spaces is used, and take little room at home. */
export async function pluginStart(): Promise<readonly Measurement[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-plugin-start-')));
  try {
    const none = await project(join(folder, 'none'), { packages: 0, tools: 0 });
    const five = await project(join(folder, 'five'), { packages: 5, tools: 10 });
    const fifty = await project(join(folder, 'fifty'), { packages: 50, tools: 4 });
    const many = await project(join(folder, 'many'), { packages: 200, tools: 10 });
    const unknown = join(folder, 'unknown');
    cpSync(five, unknown, { recursive: true });
    rmSync(join(unknown, '.home'), { recursive: true });
    const asks = await mediansInTurn({ trusted: () => timeAsk(five), unknown: () => timeAsk(unknown) }, ROUNDS);
    const times = await mediansInTurn(
      {
        none: () => timeOf(() => bae(none, ['spaces'])),
        five: () => timeOf(() => bae(five, ['spaces'])),
        fifty: () => timeOf(() => bae(fifty, ['spaces'])),
        many: () => timeOf(() => bae(many, ['spaces'])),
      },
      ROUNDS,
    );
    return [
      {
        name: 'ask to its request, trusted ÷ unknown',
        value: asks.trusted / asks.unknown,
        unit: 'x',
        limit: { atMost: 1.1 },
      },
      { name: 'start with 50 plugins ÷ with none', value: times.fifty / times.none, unit: 'x', limit: { atMost: 1.3 } },
      {
        name: 'start with 200 plugins, 2,000 tools ÷ 5',
        value: times.many / times.five,
        unit: 'x',
        limit: { atMost: 1.5 },
      },
      { name: 'home with 50 plugins', value: homeTokens(fifty), unit: 'tokens', limit: { atMost: 500 } },
      { name: 'home with 200 plugins', value: homeTokens(many), unit: 'tokens', limit: { atMost: 500 } },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Size {
  readonly packages: number;
  /** Of each package. */
  readonly tools: number;
}

/** A folder with packages installed in it, all of them trusted. */
async function project(folder: string, { packages, tools }: Size): Promise<string> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'bae.config.json'), '{"discover": true}');
  for (let index = 0; index < packages; index++) await install(folder, `p${index}`, tools);
  const found = await discoverPackages(folder);
  trustOf(folder).remember(
    found.map((one) => pluginSubject(readPlugin(one.folder))),
    'trusted',
  );
  return folder;
}

async function install(folder: string, name: string, tools: number): Promise<void> {
  const place = join(folder, 'node_modules', `bae-resourcespace-${name}`);
  mkdirSync(join(place, 'dist'), { recursive: true });
  const bae = { api: '^1', spaces: './dist/index.js', manifest: './dist/bae.manifest.json' };
  const manifest = {
    name: `bae-resourcespace-${name}`,
    version: '1.0.0',
    type: 'module',
    keywords: ['bae-resourcespace'],
    bae,
  };
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(place, 'README.md'), 'What it is for.\n'.repeat(100));
  const each = Array.from(
    { length: tools },
    (_, index) => `tool${index}: tool('What comes back.', { id: z.int() }, () => '')`,
  );
  const code = `import { defineResourcespace, tool } from ${CORE}; import { z } from ${ZOD};
export const space = defineResourcespace({ name: '${name}', description: 'The things of ${name}.', tools: { ${each.join(', ')} } });`;
  writeFileSync(join(place, 'dist/index.js'), `${code}\n${'// more of it\n'.repeat(1000)}`);
  await writeManifest(place, []);
}

function trustOf(folder: string): TrustStore {
  return new TrustStore(join(folder, '.home/trust.json'));
}

function homeTokens(folder: string): number {
  return (JSON.parse(bae(folder, ['inspect', 'home', '--json'])) as { readonly tokens: number }).tokens;
}

/** Milliseconds from the start of `bae ask` until its model is asked. */
async function timeAsk(cwd: string): Promise<number> {
  const service = createServer().listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
  const start = performance.now();
  const asked = once(service, 'request');
  const options = ['--config', 'bae.config.json', '--model', 'openai-compatible/m', '--base-url', url];
  const env = { ...process.env, BAE_HOME: join(cwd, '.home') };
  const child = spawn(process.execPath, [CLI, 'ask', 'Hello', ...options], { cwd, env, stdio: 'ignore' });
  const ended = once(child, 'close');
  await Promise.race([asked, ended.then(() => Promise.reject(new Error('bae ask asked nothing.')))]);
  const time = performance.now() - start;
  child.kill('SIGKILL');
  await ended;
  service.closeAllConnections();
  service.close();
  return time;
}

/** Runs bae with the configuration taken as it is; the packages are trusted or not. */
function bae(cwd: string, parameters: readonly string[]): string {
  const env = { ...process.env, BAE_HOME: join(cwd, '.home') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...parameters, '--config', 'bae.config.json'], {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0 || stderr !== '') throw new Error(`bae ${parameters.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}
