import { allowAll, asModelText, createAgent } from '@bae/core';
import type { CommandAccess } from '@bae/project';
import { provideWorkspace } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OpenSubspace } from '../../test/open-subspace.ts';
import { TemporaryProject } from '../../test/temporary-project.ts';
import { SourceSpace } from '../source-space.ts';
import { TestsSpace } from './tests-space.ts';

const MATH = `import { describe, expect, it, test } from 'vitest';

describe('math', () => {
  it('adds', () => {
    console.log('{"testResults":[]}');
    expect(1 + 1).toBe(2);
  });
  describe('deep', () => {
    it('fails', () => {
      expect(1).toBe(2);
    });
    it.skip('later', () => {});
  });
});
test.each([1, 2])('each %i', (n) => {
  expect(n).toBeLessThan(3);
});
`;

/** Of the first difference vitest's own report says nothing. */
const LONG = `import { expect, it } from 'vitest';
it('objects', () => {
  expect({ a: 1, b: { c: { d: 1 } }, e: 'some text that is long' }).toEqual({ a: 1, b: { c: { d: 1 } }, e: 'another text that is long' });
});
it('throws', () => expect(() => { throw new Error('a'); }).toThrow('b'));
`;

/** Its error belongs to no test. */
const LATE = `import { it } from 'vitest';
it('passes', () => {
  void Promise.reject(new Error('left behind'));
});
`;

const NODE = `import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';

describe('math', () => {
  it('adds', () => assert.equal(1 + 1, 2));
  it('fails', () => {
    console.log('noise');
    assert.equal(1, 2, 'not the same');
  });
  it.skip('later', () => {});
});
test('outer', async (t) => {
  await t.test('inner', () => {});
});
`;

const ALL = { target: '', name: '' };

describe('source.tests', () => {
  it.each(['src/math.test.ts:5', 'math.test.ts#adds', 'math.test.ts > adds', 'add'])(
    'finds the test that %s is',
    async (target) => {
      const { space } = open({ 'package.json': '{ "name": "a" }', 'src/math.test.ts': MATH });
      expect(await space.call('read', { target })).toBe('math.test: 4 tests\n  math :3\n    adds :4');
    },
  );

  it('offers the test with a title that is spelt nearly the same', async () => {
    const text = "it('adds two numbers', () => {});\n";
    const { space } = open({ 'package.json': '{ "name": "a" }', 'src/math.test.ts': text });
    expect(await space.call('read', { target: 'adds tow numbers' })).toContain('Try: <R:adds two numbers>');
  });

  it('finds files that check when they load, by what they import or when they are named, but no kept results', async () => {
    const { space } = open({
      'package.json': '{ "name": "a" }',
      'test/loaded.js': "import t from 'tap';\nt.equal(1, 1);\n",
      'test/script.js': "require('./helper.js').check();\n",
      'test/helper.js': 'exports.check = () => {};\n',
      'tap-snapshots/test/loaded.js.test.cjs': 'exports.a = 1;\n',
    });
    expect(await space.call('read', { target: '' })).toBe('test.loaded 0 tests');
    expect(await space.call('read', { target: 'test/script.js' })).toBe('test.script: 0 tests');
  });

  it('finds the files that a pattern matches', async () => {
    const { space } = open({
      'package.json': '{ "name": "a" }',
      'test/a.test.ts': MATH,
      'test/b.test.ts': MATH,
      'src/c.test.ts': MATH,
    });
    expect(await space.call('read', { target: 'test/*.ts' })).toBe('test.a.test 4 tests\ntest.b.test 4 tests');
    expect(await space.call('read', { target: './{src,test}/[bc].test.ts' })).toBe(
      'c.test 4 tests\ntest.b.test 4 tests',
    );
    expect(await space.call('read', { target: 'spec/*.ts' })).toContain(
      "no test module or test 'spec/*.ts'. There are 3.",
    );
    for (const target of ['all', 'ALL', '*'])
      expect(await space.call('read', { target })).toBe('c.test 4 tests\ntest.a.test 4 tests\ntest.b.test 4 tests');
  });

  it('lists test modules, and the names in one', async () => {
    const { space } = open({ 'package.json': '{ "name": "a" }', 'src/math.test.ts': MATH, 'src/math.ts': '' });
    expect(await space.enter()).toBe('1 test module');
    expect(await space.call('read', { target: '' })).toBe('math.test 4 tests');
    expect(await space.call('read', { target: 'math.test' })).toBe(`math.test: 4 tests
  math :3
    adds :4
    deep :8
      fails :9
      later :12
  each %i :15`);
    expect(await space.call('read', { target: 'math' })).toContain('math.test: 4 tests');
    expect(await space.call('read', { target: 'maths.test' })).toBe(
      "ResourceError: no test module or test 'maths.test'. There are 1.\nTry: <R:math.test>",
    );
    expect(await space.call('results', { target: '' })).toBe('ResourceError: no tests were run yet.\nTry: <test:>');
  });

  it('says of which languages it knows no tests', async () => {
    expect(await open({ 'a.js': '' }).space.call('read', { target: '' })).toBe('(no tests)');
    const { space } = open({ 'shop/cart.py': '', 'tests/test_cart.py': 'def test_cart(): pass\n' });
    expect(await space.call('read', { target: '' })).toBe(
      '(no tests of JavaScript or TypeScript)\n2 files of Python are read and searched at home: <home.G:**/*.py>. Their tests: <scripts.run_script:pytest>',
    );
    expect(await open({ 'a.js': '' }).space.enter()).toBe('(no tests)');
    const enter = async (commands: CommandAccess) =>
      (await open({ 'tests/test_cart.py': '' }, commands).space.enter()).replace('python3', 'python');
    const found =
      '(no tests of JavaScript or TypeScript)\n1 file of Python is read and searched at home: <home.G:**/*.py>.';
    expect(await enter({ isOpen: true, remedy: '' })).toBe(`${found} Their tests: <terminal.exec:python -m pytest>`);
    expect(await enter({ isOpen: false, remedy: 'start bae with --allow-commands' })).toBe(
      `${found} Commands are off: start bae with --allow-commands. Then \`python -m pytest\` can be run.`,
    );
  });

  it('offers the runner that a file of Python is for', async () => {
    const files = { 'tests/test_a.py': 'import unittest\n', 'tests/b.py': 'import pytest\nimport unittest\n' };
    const { space } = open(files, { isOpen: true, remedy: '' });
    for (const [path, runner] of [
      ['tests/test_a.py', 'unittest'],
      ['tests/b.py', 'pytest'],
    ])
      expect(await space.call('test', { target: path, name: '' })).toMatch(
        new RegExp(`Try: <terminal\\.exec:python3? -m ${runner} ${path}>$`),
      );
    const other = open({ 'tests/test_c.py': 'def test_c(): pass\n' }, { isOpen: true, remedy: '' });
    expect(await other.space.call('test', { target: 'tests/test_c.py', name: '' })).toContain(
      'Try: <scripts.run_script:pytest tests/test_c.py>',
    );
  });

  it('runs tests with vitest, and keeps the results', { tags: ['long'] }, async () => {
    const { project, space } = open({
      'package.json': '{ "name": "a", "type": "module", "scripts": { "test": "xo && vitest run" } }',
      'src/math.test.ts': MATH,
      'src/broken.test.ts': "throw new Error('does not load');\n",
    });
    project.useVitest();
    expect(await space.call('test', ALL)).toBe(`3 passed, 1 failed, 1 skipped, 1 broken module
broken.test
  does not load
math.test
  FAIL math > deep > fails
       AssertionError: expected 1 to be 2 // Object.is equality
       at src/math.test.ts:10
Not run, though the test script does: xo (<scripts.R:test>)`);
    expect(await space.call('results', { target: 'math.test' })).toBe(`3 passed, 1 failed, 1 skipped
math.test
  ok   math > adds
  FAIL math > deep > fails
       AssertionError: expected 1 to be 2 // Object.is equality
       at src/math.test.ts:10
  skip math > deep > later
  ok   each 1
  ok   each 2`);
    expect(await space.enter()).toBe('2 test modules; last run: 3 passed, 1 failed, 1 skipped, 1 broken module');
    expect(await space.call('test', { target: 'math.test', name: 'math adds' })).toBe('1 passed, 4 skipped');
    project.write('src/long.test.ts', LONG);
    expect(await space.call('test', { target: 'long.test', name: '' })).toBe(`0 passed, 2 failed
long.test
  FAIL objects
       AssertionError: expected { a: 1, b: { c: { d: 1 } }, …(1) } to deeply equal { a: 1, b: { c: { d: 1 } }, …(1) }
       - Expected
       …
               "d": 1,
             },
           },
       -   "e": "another text that is long",
       +   "e": "some text that is long",
         }
       … 4 more lines: <results:long.test>
       at src/long.test.ts:3
  FAIL throws
       AssertionError: expected [Function] to throw error including 'b' but got 'a'
       at src/long.test.ts:5`);
    project.write('src/late.test.ts', LATE);
    expect(await space.call('test', { target: 'late.test', name: '' })).toBe(
      '1 passed, 1 broken module\nlate.test\n  Error: left behind\n  at src/late.test.ts:3',
    );
    // All tests of a table have the fixed part of its title.
    expect(await space.call('test', { ...ALL, target: 'each %i' })).toBe('2 passed, 3 skipped');
  });

  it('says of a failure that Node has not the version which the project asks for', { tags: ['long'] }, async () => {
    const wish = { engines: { node: '>=100' } };
    const { project, space } = open({
      'package.json': JSON.stringify(wish),
      'a.test.mjs': "import { test } from 'node:test';\ntest('fails', () => { throw new Error('no'); });\n",
      'b.test.mjs': "import { test } from 'node:test';\ntest('passes', () => {});\n",
    });
    const fact = /^ran with Node \d+\.\d+\.\d+; package\.json asks for >=100$/m;
    expect(await space.call('test', { target: 'a.test', name: '' })).toMatch(fact);
    expect(await space.call('test', { target: 'b.test', name: '' })).toBe('1 passed');
    project.write('package.json', JSON.stringify({ ...wish, scripts: { test: 'mocha' } }));
    project.write('node_modules/.bin/mocha', '#!/bin/sh\necho boom >&2\nexit 1\n');
    project.makeExecutable('node_modules/.bin/mocha');
    const text = await space.call('test', { target: 'b.test', name: '' });
    expect(text).toContain('mocha ended with code 1 and without a report.\nran with Node ');
    expect(text).toMatch(fact);
  });

  it('runs tests with node', { tags: ['long'] }, async () => {
    const { space } = open({
      'package.json': '{ "name": "a" }',
      'math.test.mjs': NODE,
      'broken.test.mjs': "throw new Error('does not load');\n",
    });
    expect(await space.call('test', { target: 'math.test', name: '' })).toBe(`2 passed, 1 failed, 1 skipped
math.test
  FAIL math > fails
       AssertionError [ERR_ASSERTION]: not the same
       1 !== 2
       at math.test.mjs:8`);
    expect(await space.call('results', { target: 'math.test' })).toContain('  ok   outer > inner');
    expect(await space.call('test', { target: 'math.test', name: 'math adds' })).toContain('1 passed');
    for (const target of ['math.test -t "math adds"', 'math.test.mjs --grep=math adds', '-t math adds'])
      expect(await space.call('test', { target, name: '' })).toMatch(/^1 passed(?!, 1 failed)/);
    expect(await space.call('test', { target: 'broken.test', name: '' })).toContain('1 broken module');
  });

  it.each([
    ['node --test', {}],
    [
      'mocha',
      {
        'node_modules/.bin/mocha': `#!/usr/bin/env node
const [output] = process.argv.flatMap((word) => /^--reporter-option=output=(.*)/.exec(word)?.[1] ?? []);
const one = { title: 'adds', fullTitle: 'adds', file: process.argv.at(-1), err: {} };
if (process.env.OF === 'project') require('node:fs').writeFileSync(output, JSON.stringify({ tests: [one], pending: [] }));
`,
      },
    ],
  ])(
    'runs tests with the Node of the project, and says so if it is not that of the PATH: %s',
    { tags: ['long'] },
    async (test, files) => {
      const { space, project } = open({
        'package.json': JSON.stringify({ scripts: { test } }),
        'a.test.mjs': `import { test } from 'node:test';
test('adds', () => {
  if (process.env.OF !== 'project') throw new Error('another Node');
});
`,
        'node_modules/.bin/node': `#!/bin/sh\ncase $1 in --version) echo v20.99.0; exit;; esac\nOF=project exec ${process.execPath} "$@"\n`,
        ...files,
      });
      for (const path of ['node', ...Object.keys(files).map((one) => one.slice('node_modules/.bin/'.length))])
        project.makeExecutable(`node_modules/.bin/${path}`);
      expect(await space.call('test', ALL)).toBe(
        '1 passed\nRun by Node 20.99.0 of the project, not by that of the PATH.',
      );
    },
  );

  it('names the line of a test whose failure names none of the project', { tags: ['long'] }, async () => {
    const failing = "{ throw Object.assign(new Error('no'), { stack: undefined }); }";
    const { space } = open({
      'package.json': '{ "name": "a" }',
      'math.test.mjs': `import { describe, it } from 'node:test';\ndescribe('math', () => {\n  it('fails', () => ${failing});\n  it(\`\${1}\`, () => ${failing});\n});\n`,
    });
    expect(await space.call('test', ALL)).toBe(`0 passed, 2 failed
math.test
  FAIL math > fails
       no
       in the test at math.test.mjs:3
       the same in 1 more: math > 1`);
  });

  it('names a runner that is not installed', async () => {
    const { space } = open({
      'package.json': '{ "name": "a", "devDependencies": { "jest": "*" } }',
      'a.test.js': "test('a', () => {});\n",
    });
    expect(await space.call('test', ALL)).toBe(
      'ResourceError: jest runs the tests and is not installed.\nTry: <source.deps.install:>',
    );
  });

  it.each([
    ['of a module that is there', { 'src/index.ts': '', 'src/math.ts': '' }, '<source.W:math.test>…</source.W>'],
    ['of an empty project', {}, '<source.W:app.test>…</source.W>'],
    [
      'of a module in a package',
      {
        'package.json': '{ "workspaces": ["packages/*"] }',
        'packages/a/package.json': '{ "name": "a" }',
        'packages/a/b.ts': '',
      },
      '<source.W:a.b.test>…</source.W>',
    ],
    [
      'of no module of packages without any',
      { 'package.json': '{ "workspaces": ["packages/*"] }', 'packages/a/package.json': '{ "name": "a" }' },
      '<source.R:>',
    ],
  ])('offers to write a first test %s', async (_what, files, tag) => {
    expect(await open(files).space.call('test', ALL)).toBe(
      `ResourceError: this project has no test modules.\nTry: ${tag}`,
    );
  });

  it.each([
    ['before its first changes', [], '.'],
    [
      'after its first changes',
      ['<source.W:one>export const one = 1;</source.W>'],
      ', which came after its first changes.',
    ],
  ])('says which failures the first run of the session had, %s', { tags: ['long'] }, async (_, changes, end) => {
    const files = { 'package.json': '{ "name": "a" }', 'math.test.js': NODE };
    const { folder } = new TemporaryProject(files);
    const agent = createAgent({ spaces: [SourceSpace], provide: [provideWorkspace(folder)], approver: allowAll });
    onTestFinished(() => agent.close());
    for (const tag of [...changes, '<source.tests.test:>']) await agent.run(asModelText(tag));
    await agent.run(asModelText('<source.W:two>export const two = 2;</source.W>'));
    const { calls } = await agent.run(asModelText('<source.tests.test:>'));
    expect(calls[0]?.result.text).toMatch(new RegExp(`^This also failed in the first run of this session${end}$`, 'm'));
  });
});

function open(
  files: Readonly<Record<string, string>>,
  commands?: CommandAccess,
): { project: TemporaryProject; space: OpenSubspace } {
  const project = new TemporaryProject(files);
  return { project, space: new OpenSubspace(project.folder, 'tests', (root) => new TestsSpace(root, commands)) };
}
