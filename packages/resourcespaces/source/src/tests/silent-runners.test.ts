// @module-tag long

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { runUntil } from '../../test/run-until.ts';
import { TemporaryProject } from '../../test/temporary-project.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { runTests } from './run-tests.ts';

const REPORT = `{"tests":[{"title":"adds","fullTitle":"adds","file":"'$PWD/a.test.js'","err":{}}],"pending":[]}`;

const SECONDS = 40;

/**
 * A runner that says what it was recorded to say, about the last file that it is given. Its time is up once the file
 * `waiting` is there.
 */
async function run(
  name: string,
  script: string,
  { files = ['a.test.js'], wanted = '', waiting = '', left = [] as string[] } = {},
) {
  const project = new TemporaryProject({
    'package.json': JSON.stringify({ scripts: { test: name } }),
    ...Object.fromEntries(files.map((file) => [file, 'it("adds", () => {});\n'])),
    [`node_modules/.bin/${name}`]: `${script.startsWith('#!') ? '' : '#!/bin/sh\n'}${script}\n`,
  });
  project.makeExecutable(`node_modules/.bin/${name}`);
  using root = new WorkspaceRoot(project.folder);
  const { modules } = await new ModuleIndex(root).catalog();
  const options = { signal: new AbortController().signal, seconds: SECONDS };
  const start = () => runTests(root, { modules, name: wanted }, options);
  const results = await (waiting === '' ? start() : runUntil(() => existsSync(project.path(waiting)), start));
  left.push(...readdirSync(project.folder));
  return results.map(({ file, cases, failure }) => ({
    file: file.split('/').at(-1),
    cases: cases.map(({ titles, status }) => `${titles.join(' > ')}: ${status}`),
    failure,
  }));
}

describe('a runner that writes no report about many files', () => {
  const mocha = `for one; do last=$one; done
case $last in *a.test.js) for one; do case $one in --reporter-option=output=*) echo '${REPORT}' > "\${one#--reporter-option=output=}";; esac; done;; *) exit 0;; esac`;

  it('runs each of them alone, and the reported ones count', async () => {
    expect(await run('mocha', mocha, { files: ['a.test.js', 'b.test.js'] })).toEqual([
      { file: 'a.test.js', cases: ['adds: passed'], failure: '' },
      {
        file: 'b.test.js',
        cases: [],
        failure: 'mocha ended with code 0 and without a report, as if a test called process.exit().\n',
      },
    ]);
  });

  it('does not say which of them kept it when its time is up', { tags: ['long'] }, async () => {
    const files = ['a.test.js', 'b.test.js'];
    const failure = `vitest did not end within ${SECONDS} s, and was stopped; which of these files kept it is not known`;
    expect(await run('vitest', ': > waiting\nwhile true; do sleep 0.01; done', { files, waiting: 'waiting' })).toEqual(
      files.map((file) => ({ file, cases: [], failure: expect.stringContaining(failure) as string })),
    );
  });

  it('is not tried with all of them when the first ones have none', async () => {
    const files = ['a.test.js', 'b.test.js', 'c.test.js', 'd.test.js'];
    await expect(run('mocha', 'echo "no such option" >&2\nexit 1', { files })).rejects.toThrow(
      'mocha ended with code 1 and without a report.\nno such option',
    );
  });
});

describe('what a runner says about a file as a whole', () => {
  const tap = `echo 'Error: Cannot find module missing.js' >&2
echo 'TAP version 14
1..1
# Subtest: a.test.js
    1..0 # no tests found
not ok 1 - a.test.js # time=4.5ms
  ---
  stdio: inherit
  exitCode: 1
  ...
'
exit 1`;

  it('is its failure: with tap, what its program printed', async () => {
    const results = [{ file: 'a.test.js', cases: [], failure: 'Error: Cannot find module missing.js' }];
    expect(await run('tap', tap)).toEqual(results);
    // Older ones name the file by its whole path.
    expect(await run('tap', tap.replaceAll(/(?<=- |: )a\.test\.js/g, "'$PWD/a.test.js'"))).toEqual(results);
  });

  it('is not a group of its tests', async () => {
    const tap = `echo 'TAP version 14
# Subtest: a.test.js
    ok 1 - adds
    1..1
ok 1 - a.test.js
1..1'`;
    expect(await run('tap', tap)).toEqual([{ file: 'a.test.js', cases: ['adds: passed'], failure: '' }]);
  });

  it('is read from a text of several lines: with ava, the message', async () => {
    const ava = `echo 'TAP version 13
not ok 1 - Error
  ---
    name: Error
    message: >-
      Cannot find module missing.js
      imported from a.test.js
  ...
1..0'
exit 1`;
    expect(await run('ava', ava)).toEqual([
      { file: 'a.test.js', cases: [], failure: 'Error: Cannot find module missing.js imported from a.test.js' },
    ]);
  });

  it('is asked of the other reporter of ava when the first crashes', async () => {
    const ava = `case $1 in --tap) echo 'TAP version 13'; echo '/p/node_modules/ava/lib/reporters/tap.js:27' >&2; exit 1;; esac
echo 'Exiting due to process.exit() when running a.test.js'
exit 1`;
    expect(await run('ava', ava)).toEqual([
      { file: 'a.test.js', cases: [], failure: 'Exiting due to process.exit() when running a.test.js' },
    ]);
  });
});

it('a wanted test has passed although another one of its file failed, if the runner runs all of them', async () => {
  const tap = "echo 'TAP version 14\nok 1 - adds\nnot ok 2 - fails\n1..2'\nexit 1";
  expect(await run('tap', tap, { wanted: 'adds' })).toEqual([
    { file: 'a.test.js', cases: ['adds: passed'], failure: '' },
  ]);
});

describe('mocha, which runs all files in one program', () => {
  const emits = (lines: string) => `#!/usr/bin/env node
const { EventEmitter } = require('node:events');
const option = (name) => process.argv.find((one) => one.startsWith(name))?.slice(name.length + 1);
const files = process.argv.filter((one) => one.endsWith('.test.js'));
const [suite, runner] = [new EventEmitter(), new EventEmitter()];
const root = { title: '', root: true };
const hang = () => { require('node:fs').writeFileSync('waiting', ''); while (true); };
const test = (title, file) => ({ title, file, parent: { title: 'sum', file, parent: root } });
const load = (file) => suite.emit('pre-require', {}, file);
const start = () => runner.emit('suite', root);
const run = (one, end) => { runner.emit('test', one); runner.emit(end, one, new Error('no')); };
${lines}`;
  const files = ['a.test.js', 'b.test.js', 'c.test.js'];
  const load = "require(option('--require'));\n";
  const late = `mocha did not end within ${SECONDS} s, and was stopped`;

  it('names the file that it was loading when time was up', { tags: ['long'] }, async () => {
    const mocha = emits(`${load}load(files[0]); load(files[1]); hang();`);
    expect(await run('mocha', mocha, { files, waiting: 'waiting' })).toEqual([
      { file: 'b.test.js', cases: [], failure: `${late}\nnot begun by then: a.test.js, c.test.js` },
    ]);
  });

  it('names the test that it was running, and has the results of the files before', { tags: ['long'] }, async () => {
    const mocha = emits(`${load}files.forEach(load); start();
run(test('adds', files[0]), 'pass'); run(test('fails', files[0]), 'fail'); run(test('later', files[0]), 'pending');
runner.emit('test', test('waits', files[1])); hang();`);
    expect(await run('mocha', mocha, { files, waiting: 'waiting' })).toEqual([
      {
        file: 'a.test.js',
        cases: ['sum > adds: passed', 'sum > fails: failed', 'sum > later: skipped'],
        failure: '',
      },
      { file: 'b.test.js', cases: [], failure: `${late} while it ran 'waits'\nnot begun by then: c.test.js` },
    ]);
  });

  it('names the hook that it was running, by the file of its group', { tags: ['long'] }, async () => {
    const mocha = emits(`${load}files.forEach(load); start();
runner.emit('hook', { title: '"before all" hook', parent: { title: 'sum', file: files[2], parent: root } }); hang();`);
    expect(await run('mocha', mocha, { files, waiting: 'waiting' })).toEqual([
      {
        file: 'c.test.js',
        cases: [],
        failure: `${late} while it ran '"before all" hook'\nnot begun by then: a.test.js, b.test.js`,
      },
    ]);
  });

  it('has its results although it only prints its report', async () => {
    const mocha = emits(`${load}load(files[0]); start(); run(test('adds', files[0]), 'pass'); runner.emit('end');
console.log(JSON.stringify({ stats: { passes: 1 } }, null, 2));`);
    expect(await run('mocha', mocha)).toEqual([{ file: 'a.test.js', cases: ['sum > adds: passed'], failure: '' }]);
  });

  it('writes nothing in its workers, which load what watches it without a report', async () => {
    const mocha = emits(`if (files.length > 0) {
  const { status } = require('node:child_process').spawnSync(process.execPath, [__filename, option('--require')]);
  process.exitCode = status;
  const report = { tests: [{ title: 'adds', fullTitle: 'adds', file: files[0], err: {} }], pending: [] };
  require('node:fs').writeFileSync(option('--reporter-option=output'), JSON.stringify(report));
} else { require(process.argv[2]); load('a.test.js'); start(); }`);
    const left: string[] = [];
    expect(await run('mocha', mocha, { left })).toEqual([{ file: 'a.test.js', cases: ['adds: passed'], failure: '' }]);
    expect(left).toContain('a.test.js');
    expect(left).not.toContain('.progress');
  });

  it.each([
    (path: string) => [`--reporter-option=output=${path}`],
    (path: string) => ['--reporter-option', `output=${path}`],
  ])('writes beside its report, whose path may have blanks (%#)', (option) => {
    const project = new TemporaryProject({ 'my reports/of it': '', 'mocha.cjs': emits("load('a.test.js');") });
    const path = project.path('my reports/of it');
    const watcher = fileURLToPath(new URL('../../dist/tests/mocha-reporter.js', import.meta.url));
    execFileSync(process.execPath, ['--require', watcher, project.path('mocha.cjs'), ...option(path)]);
    expect(readFileSync(`${path}.progress`, 'utf8')).toContain('a.test.js');
  });

  it('runs without what it cannot load', async () => {
    const mocha = emits(`const path = option('--require');
if (path !== undefined) { console.error('Error [ERR_REQUIRE_ESM]: require() of ES Module', path); process.exit(1); }
const report = { tests: [{ title: 'adds', fullTitle: 'adds', file: files[0], err: {} }], pending: [] };
require('node:fs').writeFileSync(option('--reporter-option=output'), JSON.stringify(report));`);
    expect(await run('mocha', mocha)).toEqual([{ file: 'a.test.js', cases: ['adds: passed'], failure: '' }]);
  });
});

it.runIf(process.features.require_module)('the reporter of jest is also what older versions load', () => {
  const path = fileURLToPath(new URL('../../dist/tests/jest-reporter.js', import.meta.url));
  const program = `const Reporter = require(${JSON.stringify(path)}); new Reporter({ outputFile: 'x' });`;
  expect(execFileSync(process.execPath, ['--no-warnings', '--eval', program]).toString()).toBe('');
});
