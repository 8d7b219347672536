import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getPlatform } from './platform/this-platform.ts';
import { explainNodeVersion } from './wanted-node.ts';

/** Explains a run in a package with this version of Node, in a project with these files. */
async function explain(
  version: string,
  files: Readonly<Record<string, string>>,
  { folder = '', output = '' } = {},
): Promise<string> {
  const base = mkdtempSync(join(tmpdir(), 'bae-wanted-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const all = { 'programs/node': `#!/bin/sh\necho v${version}\n`, ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  chmodSync(join(base, 'programs/node'), 0o755);
  using root = new WorkspaceRoot(base);
  const path = [join(base, 'none'), join(base, 'programs')].join(':');
  return await explainNodeVersion(root, { folder, path, output }, new AbortController().signal);
}

const engines = (node: unknown) => ({ 'package.json': JSON.stringify({ engines: { node } }) });

describe.skipIf(getPlatform().isWindows)('explainNodeVersion', () => {
  it.each([
    [engines('>=24'), 'package.json asks for >=24'],
    [engines('^18.18.0 || ^21 || >=22'), 'package.json asks for ^18.18.0 || ^21 || >=22'],
    [{ ...engines('>=18'), '.nvmrc': 'v24\n' }, '.nvmrc asks for v24'],
    [{ '.node-version': '20.20.0 # the newest\n' }, '.node-version asks for 20.20.0'],
    [{ 'package.json': '{"volta":{"node":"22.1.0"}}' }, 'package.json asks for 22.1.0'],
    [{ ...engines('>=24'), '.npmrc': 'save-exact=true' }, 'package.json asks for >=24'],
  ])('says which version the project of %j asks for', async (files, wish) => {
    expect(await explain('20.19.5', files)).toBe(`ran with Node 20.19.5; ${wish}`);
  });

  it.each([
    {},
    engines('>=20'),
    engines(20),
    engines('as new as possible'),
    engines(`>=24 ${' '.repeat(200)}`),
    { '.nvmrc': '20.1.0' },
    { '.nvmrc': 'lts/iron' },
    { '.nvmrc': '20' },
    { 'package.json': '{"engines":null,"volta":"no"}' },
    { ...engines('>=24'), '.npmrc': 'use-node-version=24.1.0' },
    { ...engines('>=24'), 'pnpm-workspace.yaml': 'packages: []\nuseNodeVersion: 24.1.0\n' },
    { 'package.json': '{"engines":{"node":">=24"},"devEngines":{"runtime":{"name":"node"}}}' },
  ])('says nothing where the version fits, or where that is not certain: %j', async (files) => {
    expect(await explain('20.19.5', files)).toBe('');
  });

  it('reads what the package says, then what the project says', async () => {
    const files = { ...engines('>=22'), 'packages/a/package.json': '{"engines":{"node":">=24"}}' };
    expect(await explain('20.19.5', files, { folder: 'packages/a' })).toMatch('packages/a/package.json asks for >=24');
    expect(await explain('20.19.5', { ...engines('>=22'), 'packages/a/a.js': '' }, { folder: 'packages/a' })).toMatch(
      '; package.json asks for >=22',
    );
    expect(await explain('24.1.0', files, { folder: 'packages/a' })).toBe('');
  });

  it.each([
    'TypeError: draft.map.entries(...).filter is not a function',
    'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /a.ts',
    "Could not find '/repo/test/**/*.test.mjs'",
    'node: bad option: --experimental-new',
  ])('names the version if an older Node may have printed %s', async (output) => {
    expect(await explain('20.19.5', {}, { output })).toBe('ran with Node 20.19.5');
    expect(await explain('20.19.5', engines('>=24'), { output })).toBe(
      'ran with Node 20.19.5; package.json asks for >=24',
    );
    expect(await explain('20.19.5', engines('>=20'), { output: 'expected 1 to be 2' })).toBe('');
  });

  it('says nothing where no Node is found', async () => {
    expect(await explain('20.19.5', { ...engines('>=24'), 'programs/node': '#!/bin/sh\nexit 1\n' })).toBe('');
  });
});
