import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

const LAUNCHER = fileURLToPath(new URL('../../apps/cli/bin/bae.mjs', import.meta.url));
const run = promisify(execFile);

/** How a small project is written whose tests a runner runs. */
interface Runner {
  readonly name: string;
  /** What is installed; none for what comes with Node. */
  readonly needs?: string;
  readonly script: string;
  readonly imports: string;
  /** How a test is declared, and with which arguments its function is called. */
  readonly test: string;
  readonly parameters?: string;
  readonly equal: string;
  readonly end?: string;
  /** False for a runner that says of a whole file only whether it passed. */
  readonly knowsTests?: false;
  /** True for a runner that runs all files at once, and says which of them it is loading. */
  readonly blamesLoading?: true;
  /** False when the package's files are CommonJS. */
  readonly isModule?: false;
}

const RUNNERS: readonly Runner[] = [
  {
    name: 'node:test',
    script: 'node --test',
    imports: "import test from 'node:test';\nimport assert from 'node:assert/strict';",
    test: 'test',
    equal: 'assert.equal',
    blamesLoading: true,
  },
  {
    name: 'vitest',
    needs: 'vitest@4.1.12',
    script: 'vitest run',
    imports: "import { assert, test } from 'vitest';",
    test: 'test',
    equal: 'assert.equal',
  },
  {
    name: 'jest',
    needs: 'jest@30.5.2',
    script: 'jest',
    imports: "const assert = require('node:assert/strict');",
    test: 'test',
    equal: 'assert.equal',
    isModule: false,
    blamesLoading: true,
  },
  {
    name: 'mocha',
    needs: 'mocha@12.0.3',
    script: 'mocha',
    imports: "import assert from 'node:assert/strict';",
    test: 'it',
    equal: 'assert.equal',
    blamesLoading: true,
  },
  {
    name: 'ava',
    needs: 'ava@7.0.0',
    script: 'ava',
    imports: "import test from 'ava';",
    test: 'test',
    parameters: 't',
    equal: 't.is',
  },
  {
    name: 'tap',
    needs: 'tap@21.8.0',
    script: 'tap',
    imports: "import t from 'tap';",
    test: 't.test',
    parameters: 'async (t)',
    equal: 't.equal',
  },
  {
    name: 'tape',
    needs: 'tape@5.10.2',
    script: 'tape test/*.js',
    imports: "import test from 'tape';",
    test: 'test',
    parameters: 't',
    equal: 't.equal',
    end: 't.end();',
  },
  {
    name: 'a script of its own',
    script: 'node run-tests.js',
    imports: "import assert from 'node:assert/strict';\nconst test = (title, run) => run();",
    test: 'test',
    equal: 'assert.equal',
    knowsTests: false,
  },
];

/** Runs the files named on the command line, else all but the one that never ends. */
const OWN_SCRIPT = `const files = process.argv.slice(2);
for (const file of files.length > 0 ? files : ['pass', 'fail'].map((name) => \`\${process.cwd()}/test/\${name}.test.js\`))
  await import(\`file://\${file}\`);
`;

function writeProject(folder: string, runner: Runner): void {
  const { script, imports, test, parameters = '()', equal, end = '', isModule = true } = runner;
  const declare = (title: string, body: string) => `${test}('${title}', ${parameters} => { ${body} });`;
  const write = (name: string, ...tests: readonly string[]) =>
    writeFileSync(join(folder, 'test', `${name}.test.js`), `${[imports, ...tests].join('\n')}\n`);
  mkdirSync(join(folder, 'test'));
  const fields = { name: 'runs', private: true, ...(isModule && { type: 'module' }), scripts: { test: script } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(fields));
  writeFileSync(join(folder, 'run-tests.js'), OWN_SCRIPT);
  write('pass', declare('adds', `${equal}(1 + 1, 2); ${end}`), declare('subtracts', `${equal}(2 - 1, 1); ${end}`));
  write('fail', declare('works', `${equal}(1, 1); ${end}`), declare('breaks', `${equal}(1 + 1, 3); ${end}`));
  write('crash', declare('starts', `${equal}(1, 1); ${end}`), declare('dies', "process.kill(process.pid, 'SIGKILL');"));
}

const HANGS = 'while (true);\n';

async function runCalls(folder: string, calls: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, [LAUNCHER, 'do', '--yes', '--cap', '4000', ...calls], {
    cwd: folder,
    maxBuffer: 1e8,
  }).catch((error: unknown) => error as { readonly stdout: string });
  return stdout.split(/^#\d+ .*$/m).slice(1);
}

describe.each(RUNNERS)('tests run by $name', (runner) => {
  it('pass, fail, crash and hang: one file, one test and all at a time', async () => {
    const folder = scratchFolder();
    writeProject(folder, runner);
    if (runner.needs !== undefined)
      await run('npm', ['install', '-D', '--ignore-scripts', '--no-audit', '--no-fund', runner.needs], { cwd: folder });
    const results = await runCalls(folder, [
      '<source.tests.test:test/pass.test.js>',
      '<source.tests.test:adds>',
      '<source.tests.test:test/fail.test.js>',
      '<source.tests.test:test/crash.test.js>',
      '<source.tests.test:>',
    ]);
    const [pass = '', one = '', fail = '', crash = '', all = ''] = results;
    const knows = runner.knowsTests ?? true;
    expect(pass).toContain(knows ? '2 passed' : '1 file passed');
    expect(one).toMatch(knows ? /\b1 passed(?!.*failed)/ : /1 file passed/);
    expect(fail).toContain(knows ? '1 passed, 1 failed' : '1 broken module');
    expect(fail).toContain(knows ? 'breaks' : 'AssertionError');
    expect(crash).toMatch(/1 broken module[^]*test\.crash\.test/);
    expect(all).toMatch(/test\.crash\.test[^]*test\.fail\.test/);
    expect(all).not.toMatch(/\b0 passed/);
    writeFileSync(join(folder, 'test', 'hang.test.js'), `${runner.imports}\n${HANGS}// ${runner.test}('waits')\n`);
    const [hang = ''] = await runCalls(folder, ['<source.tests.test:test/hang.test.js seconds=3>']);
    expect(hang).toContain('did not end within 3 s, and was stopped');
    if (runner.blamesLoading === true) {
      rmSync(join(folder, 'test', 'crash.test.js'));
      rmSync(join(folder, 'test', 'fail.test.js'));
      const [hangs = ''] = await runCalls(folder, ['<source.tests.test: seconds=20>']);
      expect(hangs).toMatch(/1 broken module[^]*test\.hang\.test\n.* did not end within 20 s/);
      expect(hangs).not.toContain('test.pass.test');
    }
    rmSync(folder, { recursive: true, force: true });
  }, 600_000);
});
