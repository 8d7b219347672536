import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ModuleIndex } from '../modules/module-index.ts';
import { renderFailures, renderTotals } from './render-results.ts';
import { runTests, withReportFile } from './run-tests.ts';
import { parseTap } from './parse-tap.ts';
import { LONGEST_CALL_S } from './runner-command.ts';
import { parseMochaReport, parseTestReport } from './test-report.ts';
import { runUntil } from '../../test/run-until.ts';
import { TemporaryProject } from '../../test/temporary-project.ts';

afterEach(() => void vi.unstubAllEnvs());

const PASSES = "import { test } from 'node:test';\ntest('passes', () => {});\n";

describe('the output of tests', () => {
  it('is understood in the Test Anything Protocol, with groups, skipped tests and reasons', () => {
    const output = `TAP version 14
# Subtest: group
    ok 1 - adds # time=1ms
    not ok 2 - fails
      ---
      message: expected 1 to be 2
      ...
    ok 3 - later # SKIP not yet
    1..3
not ok 1 - group
ok 2 - alone
1..2
# failed 1 of 4
`;
    const { cases } = parseTap(output, 'a.js')!;
    expect(cases.map(({ titles, status }) => `${status} ${titles.join(' > ')}`)).toEqual([
      'passed group > adds',
      'failed group > fails',
      'skipped group > later',
      'passed alone',
    ]);
    expect(cases[1]?.failure).toContain('expected 1 to be 2');
    expect(parseTap('nothing of it', 'a.js')).toBeUndefined();
    expect(parseTap('TAP version 13\nBail out! no database\n', 'a.js')?.failure).toBe('Bail out! no database');
  });

  it('is understood from mocha', () => {
    const one = (title: string, err = {}) => ({ title, fullTitle: `sum ${title}`, file: '/a.js', err });
    const tests = [one('adds'), one('fails', { message: 'no', stack: 'Error: no\n at x' }), one('later')];
    const [result] = parseMochaReport(JSON.stringify({ tests, pending: [tests[2]] })) ?? [];
    expect(result?.cases.map(({ titles, status }) => `${status} ${titles.join(' > ')}`)).toEqual([
      'passed sum > adds',
      'failed sum > fails',
      'skipped sum > later',
    ]);
    expect(parseMochaReport('')).toBeUndefined();
  });
});

/** Code that defines `check`, which ends the time of `runUntil` once a reporter has noted a text. */
function waitUntilNoted(text: string): string {
  return `import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
const listReports = () => ['/tmp', tmpdir()]
  .flatMap((folder) => existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [])
  .filter((path) => path.includes('bae-report-'))
  .flatMap((path) => [path, join(path, 'report.json.progress')])
  .filter((path) => path.endsWith('.progress') && existsSync(path));
const check = () => listReports().some((path) => readFileSync(path, 'utf8').includes('${text}')) && writeFileSync('waiting', '');`;
}

describe('runTests', () => {
  it('runs the tests of each package in its own folder', { tags: ['long'] }, async () => {
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
    const results = await runTests(root, { modules, name: '' }, { signal: new AbortController().signal });
    expect(results.flatMap(({ cases }) => cases.map(({ titles }) => titles.join()))).toEqual(['one', 'two']);
  });

  it('gives tests no secrets, and shows none of the passwords in URLs that they get', async () => {
    vi.stubEnv('MY_TOKEN', 'hush');
    vi.stubEnv('DATABASE_URL', 'postgres://u:hunter2hunter2@h/db');
    const project = new TemporaryProject({
      'package.json': '{ "name": "all" }',
      'a.test.mjs':
        "import { test } from 'node:test';\ntest('env', () => { throw new Error(`${process.env.MY_TOKEN} ${process.env.DATABASE_URL}`); });\n",
    });
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const [result] = await runTests(root, { modules, name: '' }, { signal: new AbortController().signal });
    expect(result?.cases[0]?.failure).toContain('undefined postgres://u:‹masked password›@h/db');
  });

  it('shows the output of a runner that writes no report', async () => {
    const project = new TemporaryProject({
      'package.json': '{ "devDependencies": { "jest": "*" } }',
      'a.test.js': '',
      'node_modules/.bin/jest': '#!/bin/sh\necho Validation Error: bad option in $PWD/jest.config.js >&2\nexit 1\n',
    });
    project.makeExecutable('node_modules/.bin/jest');
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    await expect(runTests(root, { modules, name: '' }, { signal: new AbortController().signal })).rejects.toThrow(
      'jest ended with code 1 and without a report.\nValidation Error: bad option in jest.config.js',
    );
  });

  it('offers to check tests of types, which a runner does not run', { tags: ['long'] }, async () => {
    const project = new TemporaryProject({
      'package.json': '{ "devDependencies": { "jest": "*" } }',
      'test/types.test-d.ts': '',
      'node_modules/.bin/jest': "#!/bin/sh\necho 'No tests found' >&2\nexit 1\n",
    });
    project.makeExecutable('node_modules/.bin/jest');
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const run = runTests(root, { modules, name: '' }, { signal: new AbortController().signal });
    await expect(run).rejects.toMatchObject({ hints: ['<source.diagnostics:test/types.test-d.ts>'] });
  });

  it('shows the file and line of a syntax error in a module that a test imports', { tags: ['long'] }, async () => {
    const project = new TemporaryProject({
      'package.json': '{ "name": "a", "type": "module" }',
      'a.test.js': "import { test } from 'node:test';\nimport { a } from './broken.js';\ntest('a', () => a);\n",
      'broken.js': 'const b = 1;\nexport const a = (b;\n',
    });
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const wanted = { modules: modules.filter(({ path }) => path === 'a.test.js'), name: '' };
    const results = await runTests(root, wanted, { signal: new AbortController().signal });
    expect(renderTotals(results)).toBe('0 passed, 1 broken module');
    const pathOf = (file: string) => file.replace(`${project.folder}/`, '');
    expect(renderFailures(results, { nameOf: pathOf, pathOf })).toMatch(
      /^a\.test\.js\n {2}export const a = \(b;\n +\^\n {2}SyntaxError: Unexpected token ';'\n {2}at broken\.js:2$/,
    );
  });

  it.each([
    ['cannot be loaded', "import 'nothing';\n", /ERR_MODULE_NOT_FOUND.*'nothing'/],
    ['ends the program', 'process.exit(7);\n', 'the file ended with code 7 and without an error'],
    ['prints before it ends', "console.error('no room');\nprocess.exit(7);\n", 'without an error\nno room'],
    ['throws when no test runs', "setTimeout(() => Promise.reject(new Error('too late')), 20);\n", 'too late'],
  ])('says why a file failed in which no test did: it %s', { tags: ['long'] }, async (_how, text, reason) => {
    const project = new TemporaryProject({
      'package.json': '{ "name": "a", "type": "module" }',
      'a.test.js': `import { test } from 'node:test';\ntest('passes', () => {});\n${text}`,
    });
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const results = await runTests(root, { modules, name: '' }, { signal: new AbortController().signal });
    expect(results[0]?.failure).toMatch(reason);
  });

  it('finds the file and line of a syntax error that ava does not tell', { tags: ['long'] }, async () => {
    const project = new TemporaryProject({
      'package.json': '{ "name": "a", "type": "module", "scripts": { "test": "ava" } }',
      'a.test.js': "import { a } from './broken.js';\n",
      'broken.js': 'const b = 1;\nexport const a = (b;\n',
      'node_modules/.bin/ava': `#!/bin/sh
printf "TAP version 13\\nnot ok 1 - SyntaxError: x\\n  ---\\n    name: SyntaxError\\n    message: x\\n    at: ''\\n  ...\\n\\n1..0\\n"
exit 1
`,
    });
    project.makeExecutable('node_modules/.bin/ava');
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const wanted = { modules: modules.filter(({ path }) => path === 'a.test.js'), name: '' };
    const results = await runTests(root, wanted, { signal: new AbortController().signal });
    expect(results).toMatchObject([
      { cases: [], failure: `SyntaxError: Unexpected token ';'\n    at ${project.path('broken.js')}:2:1` },
    ]);
  });

  it('says that the program of the tests ended in the middle of them', { tags: ['long'] }, async () => {
    const project = new TemporaryProject({
      'package.json': '{ "name": "a", "scripts": { "test": "tape" } }',
      'a.test.js': '',
      'node_modules/.bin/tape':
        "#!/bin/sh\nprintf 'TAP version 13\\nnot ok 1 one\\n'\necho 'TypeError: no' >&2\nexit 1\n",
    });
    project.makeExecutable('node_modules/.bin/tape');
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const results = await runTests(root, { modules, name: '' }, { signal: new AbortController().signal });
    expect(renderTotals(results)).toBe('0 passed, 1 failed, 1 broken module');
    expect(results[0]?.failure).toMatch(/^tape ended with code 1\nTypeError: no/);
  });

  it('hands jest its arguments, and reads its report', { tags: ['long'] }, async () => {
    const one = { ancestorTitles: ['a'], title: '(b)', status: 'passed' };
    const report = JSON.stringify({ testResults: [{ name: '/x', assertionResults: [one], message: '' }] });
    const project = new TemporaryProject({
      'package.json': '{ "devDependencies": { "jest": "*" } }',
      'a.test.js': '',
      'node_modules/.bin/jest': `#!/bin/sh\necho "$*" > args\necho '${report}' > "\${2#--outputFile=}"\n`,
    });
    project.makeExecutable('node_modules/.bin/jest');
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const results = await runTests(root, { modules, name: 'a > (b)' }, { signal: new AbortController().signal });
    expect(results).toMatchObject([{ file: '/x', cases: [{ titles: ['a', '(b)'] }], failure: '' }]);
    expect(project.read('args')).toMatch(
      /^--json --outputFile=\S+ --testNamePattern=a\[ >\]\+\\\(b\\\) \S+\/a\.test\.js --reporters=default \S+\n$/,
    );
  });

  it.each(['', '1..0'])(
    'says that no test has a name, also with a runner that calls that a failure: %j',
    async (plan) => {
      const project = new TemporaryProject({
        'package.json': '{ "scripts": { "test": "tap" } }',
        'a.test.js': '',
        'node_modules/.bin/tap': `#!/bin/sh\necho 'TAP version 13'\necho '${plan || 'ok 1 other\n1..1'}'\nexit ${plan === '' ? 0 : 1}\n`,
      });
      project.makeExecutable('node_modules/.bin/tap');
      using root = new WorkspaceRoot(project.folder);
      const { modules } = await new ModuleIndex(root).catalog();
      const { signal } = new AbortController();
      await expect(runTests(root, { modules, name: 'adds' }, { signal })).rejects.toMatchObject({
        message: 'no test has a name with "adds".',
        hints: ['<R:a.test>'],
      });
    },
  );

  it('gives mocha the interface that the tests use, if the project sets it elsewhere', { tags: ['long'] }, async () => {
    const report = JSON.stringify({ tests: [{ title: 'adds', fullTitle: 'adds', file: '/x', err: {} }], pending: [] });
    const fail = "echo 'Exception during run: ReferenceError: test is not defined' >&2; exit 1";
    const project = new TemporaryProject({
      'package.json': '{ "devDependencies": { "mocha": "*" } }',
      'a.test.js': '',
      'node_modules/.bin/mocha': `#!/bin/sh
case "$*" in *--ui=tdd*) ;; *) ${fail};; esac
for arg; do case "$arg" in --reporter-option=output=*) echo '${report}' > "\${arg#--reporter-option=output=}";; esac; done
`,
    });
    project.makeExecutable('node_modules/.bin/mocha');
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const results = await runTests(root, { modules, name: '' }, { signal: new AbortController().signal });
    expect(renderTotals(results)).toBe('1 passed');
  });

  it('does not ask a part of the tests for the coverage of all', async () => {
    const project = new TemporaryProject({
      'package.json': '{ "scripts": { "test": "tap" } }',
      'a.test.js': '',
      'node_modules/.bin/tap':
        '#!/bin/sh\nprintf \'TAP version 13\\nok 1 one\\n1..1\\n\'\n[ "$TAP_DISABLE_COVERAGE" = 1 ]\n',
    });
    project.makeExecutable('node_modules/.bin/tap');
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const results = await runTests(root, { modules, name: '' }, { signal: new AbortController().signal });
    expect(renderTotals(results)).toBe('1 passed');
  });

  it('says which file crashed the runner, and what became of the others', { tags: ['long'] }, async () => {
    const project = new TemporaryProject({
      'package.json': '{ "devDependencies": { "jest": "*" } }',
      'a.test.js': '',
      'b.test.js': '',
      // Writes a report of each file, but is killed by the second.
      'node_modules/.bin/jest': `#!/bin/sh
case "$*" in *b.test.js*) echo boom >&2; kill -9 $$;; esac
test='{"ancestorTitles":[],"title":"one","status":"passed"}'
echo '{"testResults":[{"name":"'"$3"'","assertionResults":['"$test"']}]}' > "\${2#--outputFile=}"
`,
    });
    project.makeExecutable('node_modules/.bin/jest');
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const results = await runTests(root, { modules, name: '' }, { signal: new AbortController().signal });
    expect(results.map(({ file, cases }) => [file, cases.length])).toEqual([
      [project.path('a.test.js'), 1],
      [project.path('b.test.js'), 0],
    ]);
    expect(results[1]?.failure).toMatch(/^jest ended with code 137 \(killed\)\nboom/);
    expect(renderTotals(results)).toBe('1 passed, 1 broken module');
  });

  it('ends a runner that does not end in time, and names the test that kept it', { tags: ['long'] }, async () => {
    const title = 'waits for the end of its time';
    const project = new TemporaryProject({
      'package.json': '{ "name": "a", "scripts": { "test": "node --test --test-concurrency=1" } }',
      'a.test.mjs': PASSES,
      // Time is up once the reporter has noted that this test has begun.
      'b.test.mjs': `${PASSES}${waitUntilNoted(title)}
test('${title}', () => new Promise(() => setInterval(check, 10)));
`,
      'c.test.mjs': PASSES,
    });
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const options = { signal: new AbortController().signal, seconds: 5 };
    const isWaiting = (): boolean => existsSync(project.path('waiting'));
    const results = await runUntil(isWaiting, () => runTests(root, { modules, name: '' }, options));
    const kept = `node did not end within 5 s, and was stopped while it ran '${title}'`;
    expect(results).toMatchObject([
      { file: project.path('a.test.mjs'), cases: [{ titles: ['passes'], status: 'passed' }], failure: '' },
      { file: project.path('b.test.mjs'), failure: `${kept}\nnot begun by then: c.test.mjs` },
    ]);
  });

  it('names the file that vitest was loading when time was up', { tags: ['long'] }, async () => {
    const imports = "import { it } from 'vitest';\n";
    const project = new TemporaryProject({
      'package.json': '{ "name": "a", "scripts": { "test": "vitest --no-file-parallelism --sequence.shuffle=false" } }',
      'a.test.js': `${imports}it('passes', () => {});\n`,
      'endless.test.js': `${imports}${waitUntilNoted('endless.test.js')}
setInterval(check, 10);
await new Promise(() => {});
`,
      'none.test.js': "throw new Error('does not load');\n",
    });
    project.useVitest();
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const options = { signal: new AbortController().signal, seconds: 40 };
    const isWaiting = (): boolean => existsSync(project.path('waiting'));
    const results = await runUntil(isWaiting, () => runTests(root, { modules, name: '' }, options));
    const broken = results.filter(({ failure }) => failure.startsWith('vitest did not end within 40 s'));
    expect(broken.map(({ file }) => file)).toEqual([project.path('endless.test.js')]);
  });

  it(
    'counts files of node that end well without a test, unless one is wanted by its name',
    { tags: ['long'] },
    async () => {
      const project = new TemporaryProject({
        'package.json': '{ "name": "a", "scripts": { "test": "node --test" } }',
        'a.test.mjs': PASSES,
        'b.test.mjs': 'if (1 + 1 !== 2) throw new Error("no");\n',
      });
      using root = new WorkspaceRoot(project.folder);
      const { modules } = await new ModuleIndex(root).catalog();
      const options = { signal: new AbortController().signal };
      expect(renderTotals(await runTests(root, { modules, name: '' }, options))).toBe('1 file passed, 1 passed');
      expect(renderTotals(await runTests(root, { modules, name: 'passes' }, options))).toBe('1 passed');
    },
  );

  it(
    'says that time was up even when the runner reports a failure while it is stopped',
    { tags: ['long'] },
    async () => {
      const project = new TemporaryProject({
        'package.json': '{ "devDependencies": { "jest": "*" } }',
        'a.test.js': '',
        'node_modules/.bin/jest': `#!/bin/sh
finish() {
  echo '{"testResults":[{"name":"'"$file"'","message":"ended","status":"failed","assertionResults":[]}]}' > "$report"
  exit 1
}
trap finish TERM
report="\${2#--outputFile=}"
file="$3"
: > waiting
while true; do sleep 0.01; done
`,
      });
      project.makeExecutable('node_modules/.bin/jest');
      using root = new WorkspaceRoot(project.folder);
      const { modules } = await new ModuleIndex(root).catalog();
      const options = { signal: new AbortController().signal, seconds: 5 };
      const results = await runUntil(
        () => existsSync(project.path('waiting')),
        () => runTests(root, { modules, name: '' }, options),
      );
      expect(results).toHaveLength(1);
      expect(results[0]?.failure).toMatch(/^jest did not end within 5 s, and was stopped/);
    },
  );

  it('gives a file that hangs half of the time that is left for all of them', { tags: ['long'] }, async () => {
    const project = new TemporaryProject({
      'package.json': '{ "devDependencies": { "ava": "*" } }',
      'a.test.js': '',
      'b.test.js': '',
      'node_modules/.bin/ava': `#!/bin/sh
case "$*" in
  *a.test.js*) : > waiting; while true; do sleep 0.01; done;;
  *) printf 'TAP version 13\\nok 1 - passes\\n1..1\\n';;
esac
`,
    });
    project.makeExecutable('node_modules/.bin/ava');
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    // A minute is left when the first file begins.
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + (LONGEST_CALL_S - 60) * 1000);
    clock.mockImplementationOnce(now);
    onTestFinished(() => clock.mockRestore());
    const results = await runUntil(
      () => existsSync(project.path('waiting')),
      () => runTests(root, { modules, name: '' }, { signal: new AbortController().signal, seconds: 59 }),
    );
    expect(results[0]?.failure).toMatch(/^ava did not end within [12]?\d s, and was stopped/);
    expect(results[1]).toMatchObject({ cases: [{ titles: ['passes'], status: 'passed' }], failure: '' });
  });

  it('ends the tests when the signal fires', { tags: ['long'] }, async () => {
    const project = new TemporaryProject({
      'package.json': '{ "name": "a" }',
      'a.test.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync('started', '');\n${PASSES}setInterval(() => 0, 1000);\n`,
    });
    using root = new WorkspaceRoot(project.folder);
    const { modules } = await new ModuleIndex(root).catalog();
    const stop = new AbortController();
    const running = runTests(root, { modules, name: '' }, { signal: stop.signal });
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

describe('parseTestReport', () => {
  it('takes a test of vitest that never ended for a crash', () => {
    const assertionResults = ['passed', 'pending'].map((status) => ({ ancestorTitles: [], title: status, status }));
    const report = JSON.stringify({ testResults: [{ name: '/p/a.test.js', message: '', assertionResults }] });
    expect(parseTestReport(report, 'unfinished')).toMatchObject([
      { cases: [{ titles: ['passed'] }], failure: 'crashed before these tests ended: pending' },
    ]);
    expect(parseTestReport(report)).toMatchObject([{ cases: [{}, { status: 'skipped' }], failure: '' }]);
  });

  it('reads the report of jest', () => {
    const failed = { ancestorTitles: ['a'], title: 'two', status: 'failed', failureMessages: ['Error: no\n    at x'] };
    const report = {
      numTotalTests: 3,
      testResults: [
        {
          name: '/p/a.test.js',
          status: 'failed',
          message: '  ● a › two\n\n    Error: no',
          assertionResults: [
            { ancestorTitles: ['a'], title: 'one', status: 'passed', failureMessages: [] },
            failed,
            { ancestorTitles: [], title: 'three', status: 'pending' },
            { ancestorTitles: [], title: 'four', status: 'todo', failureMessages: null },
          ],
        },
        { name: '/p/b.test.js', status: 'failed', message: 'Cannot find module', assertionResults: [] },
      ],
    };
    expect(parseTestReport(JSON.stringify(report))).toEqual([
      {
        file: '/p/a.test.js',
        failure: '',
        cases: [
          { titles: ['a', 'one'], status: 'passed', failure: '' },
          { titles: ['a', 'two'], status: 'failed', failure: 'Error: no\n    at x' },
          { titles: ['three'], status: 'skipped', failure: '' },
          { titles: ['four'], status: 'skipped', failure: '' },
        ],
      },
      { file: '/p/b.test.js', failure: 'Cannot find module', cases: [] },
    ]);
  });

  it.each(['', 'no report', '[]', 'null', '{}', '{"testResults":1}', '{"testResults":[{}]}'])(
    'takes %j for no report',
    (text) => {
      expect(parseTestReport(text)).toBeUndefined();
    },
  );
});
