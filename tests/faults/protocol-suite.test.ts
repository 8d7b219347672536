import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWithToken } from '../protocol/with-token.ts';
import { scratchFolder } from './scratch-folder.ts';

const FOLDER = join(import.meta.dirname, '../protocol');
const PACKAGE = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'));
const SUITE = join(PACKAGE, 'dist/index.js');
const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

const PAGE = join(import.meta.dirname, '../../docs/reference/mcp.md');
const LAUNCHER = join(import.meta.dirname, '../../apps/cli/bin/bae.mjs');

/** What the documentation says of each scenario about servers: what it passes against. */
function readTable(): ReadonlyMap<string, string> {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| (`.*?) \| (process, fixtures|fixtures|nothing) \| (.*)\|$/gm);
  return new Map(
    Array.from(rows).flatMap(([, names = '', where = '', reason = '']) => {
      expect(reason !== '' || where === 'process, fixtures', names).toBe(true);
      return Array.from(names.matchAll(/`([^`]+)`/g), ([, name]) => [name!, where] as const);
    }),
  );
}

/** What a run of the suite prints. */
async function runSuite(args: readonly string[]): Promise<string> {
  const path = scratchFolder();
  const suite = execFile(process.execPath, [SUITE, ...args, '-o', path], { cwd: path, maxBuffer: 2 ** 26 });
  let out = '';
  suite.stdout!.on('data', (text: string) => (out += text));
  suite.stderr!.on('data', (text: string) => (out += text));
  await once(suite, 'close');
  return out;
}

/** The scenarios of a whole run that are required: true for one that passed whole. */
function readResults(out: string): ReadonlyMap<string, boolean> {
  const [summary = '', unscored = ''] = out.slice(out.search(/=== (?:SUITE )?SUMMARY/)).split('\nNot scored');
  const optional = new Set(Array.from(unscored.matchAll(/^ +[✓✗] (\S+)/gm), ([, name]) => name));
  const results = Array.from(summary.matchAll(/^([✓✗]) (\S+):/gm), ([, mark, name]) => [name!, mark === '✓'] as const);
  expect(results.length, out).toBeGreaterThan(10);
  return new Map(results.filter(([name]) => !optional.has(name)));
}

function listFailures(results: ReadonlyMap<string, boolean>): readonly string[] {
  return Array.from(results).flatMap(([name, isPassed]) => (isPassed ? [] : [name]));
}

describe.each(REVISIONS)('the conformance suite of the protocol of %s', (revision) => {
  it('passes whole for servers that are mounted as places', { timeout: 600_000 }, async () => {
    const command = `${process.execPath} ${join(FOLDER, 'suite-client.ts')}`;
    const requirements = readFileSync(join(PACKAGE, 'requirements', `${revision}.yaml`), 'utf8');
    const [, list = ''] = /^client:\n((?: {2}- \S+\n)+)/m.exec(requirements)!;
    const scenarios = Array.from(list.matchAll(/- (\S+)/g), ([, name]) => name!);
    expect(scenarios).toHaveLength(revision === '2025-11-25' ? 18 : 32);
    // All at once they wait so long for one another that the servers of the suite close connections that are idle.
    for (const scenario of scenarios) {
      const args = ['--command', command, '--timeout', '240000', '--spec-version', revision];
      const out = await runSuite(['client', '--scenario', scenario, ...args]);
      expect(out, scenario).toMatch(/^Passed: (\d+)\/\1, 0 failed, 0 warnings$/m);
    }
  });

  /** Runs every scenario about servers: those that fail have to be those that the documentation says do. */
  async function meetServer(url: string, kind: 'process' | 'fixtures'): Promise<void> {
    const results = readResults(await runSuite(['server', '--url', url, '--requirements', revision]));
    const table = readTable();
    expect([...results.keys()].filter((name) => !table.has(name))).toEqual([]);
    const expected = [...results.keys()].filter((name) => !table.get(name)!.includes(kind));
    expect(listFailures(results).toSorted()).toEqual(expected.toSorted());
  }

  it('passes for bae mcp serve as a process, where it needs no fixtures', async () => {
    const cwd = scratchFolder();
    const env = { PATH: process.env['PATH'], HOME: cwd, BAE_HOME: join(cwd, '.home') };
    const args = [LAUNCHER, 'mcp', 'serve', '--http', '0'];
    const server = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'inherit', 'pipe'] });
    try {
      const [printed] = (await once(server.stderr, 'data')) as [Buffer];
      const [, address = '', token = ''] = /(http:\S+)[^]*Bearer (\S+)/.exec(String(printed))!;
      const front = await openWithToken(address, token);
      await meetServer(front.url, 'process');
      front.close();
    } finally {
      server.kill();
    }
  });

  it('passes for the same handler with its fixtures, but for what bae does not serve', async () => {
    const server = spawn(process.execPath, [join(FOLDER, 'suite-server.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const [line] = (await once(server.stdout, 'data')) as [Buffer];
      await meetServer(String(line).trim(), 'fixtures');
    } finally {
      server.kill();
    }
  });
});
