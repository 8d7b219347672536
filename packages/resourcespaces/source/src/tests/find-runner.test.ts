import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { TemporaryProject } from '../../test/temporary-project.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { findRunner, listUnrunCommands } from './find-runner.ts';
import { runTests } from './run-tests.ts';

describe('findRunner', () => {
  it('asks the package, then the root, and falls back to node', async () => {
    using root = new WorkspaceRoot(
      new TemporaryProject({
        'package.json': '{ "devDependencies": { "vitest": "^5.0.0" } }',
        'a/package.json': '{ "devDependencies": { "jest": "^30.0.0" } }',
        'b/package.json': '{ "name": "b" }',
      }).folder,
    );
    expect(
      await Promise.all(['', 'a', 'b', 'none'].map(async (folder) => (await findRunner(root, folder)).name)),
    ).toEqual(['vitest', 'jest', 'vitest', 'vitest']);
    using bare = new WorkspaceRoot(new TemporaryProject().folder);
    expect((await findRunner(bare, '')).name).toBe('node');
  });
});

describe('the runner of a package', () => {
  const runner = async (scripts: Readonly<Record<string, string>>) => {
    using root = new WorkspaceRoot(new TemporaryProject({ 'package.json': JSON.stringify({ scripts }) }).folder);
    return await findRunner(root, '');
  };
  it.each([
    [{ test: 'mocha test/*.js' }, 'mocha', []],
    [{ test: 'xo && c8 ava' }, 'ava', []],
    [{ test: 'tap' }, 'tap', []],
    [{ test: 'tape test/*.js | tap-spec' }, 'tape', []],
    [{ test: 'node --import tsx --test test/*.ts' }, 'node', ['--import', 'tsx']],
    [{ test: 'tsx --test' }, 'node', ['--import', 'tsx']],
    [
      { test: 'npm run lint && npm run unit', unit: 'NODE_ENV=test node --test --conditions dev' },
      'node',
      ['--conditions', 'dev'],
    ],
    [{ test: 'pnpm run /^test:/', 'test:types': 'tsc', 'test:unit': 'pnpm bnt --coverage 100' }, 'node', []],
    [{ test: 'bnt' }, 'node', []],
    [
      { test: 'bnt --coverage 100 --import ./setup.js --require=./a.cjs' },
      'node',
      ['--import', './setup.js', '--require', './a.cjs'],
    ],
    [{ test: 'npm run tap', tap: 'node run.js' }, 'script', []],
    [{ test: 'yarn nyc --all mocha --exit' }, 'mocha', ['--exit']],
    [{ test: 'pnpm exec c8 mocha --exit' }, 'mocha', ['--exit']],
    [{ test: 'pnpm exec mocha --exit test' }, 'mocha', ['--exit']],
    [{ test: 'node run-all.js' }, 'script', []],
    [{ test: 'echo "Error: no test specified" && exit 1' }, 'node', []],
  ])('of %j is %s', async (scripts, name, options) => {
    expect(await runner(scripts)).toMatchObject({ name, options });
  });

  it('leaves the other commands of the script', async () => {
    const test = 'xo && npm run unit && tsd';
    expect(await runner({ test, unit: 'node --test && tsc' })).toMatchObject({
      name: 'node',
      others: ['xo', 'tsd', 'tsc'],
    });
    expect(await runner({ test: 'xo && node --no-warnings test.js && tsd' })).toEqual({
      name: 'script',
      options: ['--no-warnings'],
      words: ['test.js'],
      environment: {},
      others: ['xo', 'tsd'],
    });
  });

  it('is node with tsx for better-node-test where that is installed', async () => {
    const fields = { scripts: { test: 'bnt' }, devDependencies: { 'better-node-test': '^0.8.4', tsx: '^4.0.0' } };
    using root = new WorkspaceRoot(new TemporaryProject({ 'package.json': JSON.stringify(fields) }).folder);
    expect(await findRunner(root, '')).toEqual({
      name: 'node',
      options: ['--import', 'tsx'],
      environment: { NODE_ENV: 'test' },
      others: [],
    });
  });

  it('gets the variables that the script sets', async () => {
    const found = await runner({ test: "cross-env NODE_ENV=test NODE_OPTIONS='--import tsx' vitest run" });
    expect(found).toMatchObject({ name: 'vitest', environment: { NODE_ENV: 'test', NODE_OPTIONS: '--import tsx' } });
  });
});

describe('tests of a script of several commands', () => {
  it('are run by the command that runs them', async () => {
    const project = new TemporaryProject({
      'package.json': JSON.stringify({ scripts: { test: 'exit 3 && node ./test.js && exit 4' } }),
      'test.js': "if (process.argv[2] !== undefined) process.exit(5);\nconsole.log('fine');\n",
    });
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const results = await runTests(root, { modules, name: '' }, { signal: AbortSignal.timeout(20_000) });
    expect(results).toEqual([expect.objectContaining({ failure: '', isWhole: true })]);
    expect(await listUnrunCommands(root, [''])).toEqual(['exit 3', 'exit 4']);
  });
});
