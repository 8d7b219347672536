import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

const FOLDER = join(import.meta.dirname, '../protocol');
const PACKAGE = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'));
const SUITE = join(PACKAGE, 'dist/index.js');
const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

const ONLY_TOOLS = 'bae serves tools: no resources, prompts, completions or log messages';
const NO_MODEL = 'bae does not ask the client for answers of its model, nor for its folders';

/** Scenarios of the suite that are about what bae does not serve. */
const SERVER_GAPS: Readonly<Record<string, string>> = {
  'logging-set-level': ONLY_TOOLS,
  'completion-complete': ONLY_TOOLS,
  'tools-call-with-logging': ONLY_TOOLS,
  'resources-list': ONLY_TOOLS,
  'resources-read-text': ONLY_TOOLS,
  'resources-read-binary': ONLY_TOOLS,
  'resources-templates-read': ONLY_TOOLS,
  'resources-subscribe': ONLY_TOOLS,
  'resources-unsubscribe': ONLY_TOOLS,
  'prompts-list': ONLY_TOOLS,
  'prompts-get-simple': ONLY_TOOLS,
  'prompts-get-with-args': ONLY_TOOLS,
  'prompts-get-embedded-resource': ONLY_TOOLS,
  'prompts-get-with-image': ONLY_TOOLS,
  'input-required-result-non-tool-request': ONLY_TOOLS,
  caching: `tools/list has its hints; for the rest: ${ONLY_TOOLS}`,
  'tools-call-sampling': NO_MODEL,
  'input-required-result-basic-sampling': NO_MODEL,
  'input-required-result-basic-list-roots': NO_MODEL,
  'input-required-result-multiple-input-requests': NO_MODEL,
  'input-required-result-capability-check': `without elicitation nothing is asked, which the suite counts as a failure: ${NO_MODEL}`,
  'server-stateless': `26 of its 28 checks pass; the others call a tool that needs sampling: ${NO_MODEL}`,
  'elicitation-sep1330-enums': 'questions of tools have no titles of choices, and no lists',
};

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

  it(
    'passes for the places of an agent as a server, but for what bae does not serve',
    { timeout: 300_000 },
    async () => {
      const server = spawn(process.execPath, [join(FOLDER, 'suite-server.ts'), 'fixtures'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      try {
        const [line] = (await once(server.stdout, 'data')) as [Buffer];
        const args = ['--url', String(line).trim(), '--requirements', revision];
        const results = readResults(await runSuite(['server', ...args]));
        const expected = Object.keys(SERVER_GAPS).filter((name) => results.has(name));
        expect(listFailures(results).toSorted()).toEqual(expected.toSorted());
      } finally {
        server.kill();
      }
    },
  );
});
