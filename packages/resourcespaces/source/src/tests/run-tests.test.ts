import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { TemporaryProject } from '../../test/temporary-project.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { findRunner, runTests, withReportFile } from './run-tests.ts';

const PASSES = "import { test } from 'node:test';\ntest('passes', () => {});\n";

describe('findRunner', () => {
  it('asks the package, then the root, and falls back to node', async () => {
    using root = new WorkspaceRoot(
      new TemporaryProject({
        'package.json': '{ "devDependencies": { "vitest": "^5.0.0" } }',
        'a/package.json': '{ "devDependencies": { "jest": "^30.0.0" } }',
        'b/package.json': '{ "name": "b" }',
      }).folder,
    );
    expect(await Promise.all(['', 'a', 'b', 'none'].map((folder) => findRunner(root, folder)))).toEqual([
      'vitest',
      'jest',
      'vitest',
      'vitest',
    ]);
    using bare = new WorkspaceRoot(new TemporaryProject().folder);
    expect(await findRunner(bare, '')).toBe('node');
  });
});

describe('runTests', () => {
  it('runs the tests of each package in its own folder', { timeout: 30_000 }, async () => {
    const where = "import { test } from 'node:test';\ntest(process.cwd().split('/').at(-1), () => {});\n";
    const project = new TemporaryProject({
      'package.json': '{ "name": "all", "workspaces": ["packages/*"] }',
      'packages/one/package.json': '{ "name": "one" }',
      'packages/one/a.test.mjs': where,
      'packages/two/package.json': '{ "name": "two" }',
      'packages/two/b.test.mjs': where,
    });
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const results = await runTests(root, { modules, name: '' }, new AbortController().signal);
    expect(results.flatMap(({ cases }) => cases.map(({ titles }) => titles.join()))).toEqual(['one', 'two']);
  });

  it('shows the output of a runner that writes no report', { timeout: 30_000 }, async () => {
    const project = new TemporaryProject({
      'package.json': '{ "devDependencies": { "jest": "*" } }',
      'a.test.js': '',
      'node_modules/.bin/jest': "#!/bin/sh\necho 'Validation Error: bad option' >&2\nexit 1\n",
    });
    project.makeExecutable('node_modules/.bin/jest');
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    await expect(runTests(root, { modules, name: '' }, new AbortController().signal)).rejects.toThrow(
      'jest ended with code 1 and without a report.\nValidation Error: bad option',
    );
  });

  it('hands jest its arguments, and reads its report', { timeout: 30_000 }, async () => {
    const report = JSON.stringify({ testResults: [{ name: '/x', assertionResults: [], message: '' }] });
    const project = new TemporaryProject({
      'package.json': '{ "devDependencies": { "jest": "*" } }',
      'a.test.js': '',
      'node_modules/.bin/jest': `#!/bin/sh\necho "$*" > args\necho '${report}' > "\${2#--outputFile=}"\n`,
    });
    project.makeExecutable('node_modules/.bin/jest');
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const results = await runTests(root, { modules, name: 'a > (b)' }, new AbortController().signal);
    expect(results).toEqual([{ file: '/x', cases: [], failure: '' }]);
    expect(project.read('args')).toMatch(/^--json --outputFile=\S+ -t a\[ >\]\+\\\(b\\\) \S+\/a\.test\.js\n$/);
  });

  it('ends the tests when the signal fires', { timeout: 30_000 }, async () => {
    const project = new TemporaryProject({
      'package.json': '{ "name": "a" }',
      'a.test.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync('started', '');\n${PASSES}setInterval(() => 0, 1000);\n`,
    });
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const stop = new AbortController();
    const running = runTests(root, { modules, name: '' }, stop.signal);
    const failed = expect(running).rejects.toThrow('enough');
    await expect.poll(() => existsSync(project.path('started')), { timeout: 20_000 }).toBe(true);
    stop.abort(new Error('enough'));
    await failed;
  });
});

describe('withReportFile', () => {
  it('returns what was written, and leaves nothing behind', async () => {
    let folder = '';
    const result = await withReportFile(async (path) => {
      folder = dirname(path);
      writeFileSync(path, 'report');
      return 7;
    });
    expect(result).toEqual({ result: 7, report: 'report' });
    expect(existsSync(folder)).toBe(false);
  });

  it('detects that nothing was written', async () => {
    expect(await withReportFile(async () => 7)).toEqual({ result: 7, report: undefined });
  });

  it('leaves nothing behind when it fails', async () => {
    let folder = '';
    const failed = withReportFile(async (path) => {
      folder = dirname(path);
      writeFileSync(path, 'half');
      throw new Error('enough');
    });
    await expect(failed).rejects.toThrow('enough');
    expect(existsSync(folder)).toBe(false);
  });
});
