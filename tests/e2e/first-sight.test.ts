import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBae } from './run-bae.ts';

/** A TypeScript that is older than bae's, as the project's own. */
const OWN_TYPESCRIPT = fileURLToPath(new URL('../node_modules/typescript-5', import.meta.url));

/** Methods of a class that is too long for one result. */
const methods = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const text = `${name} number ${index}, with some words that take room`;
    return `  ${name}${index}() {\n    return '${text}';\n  }\n`;
  }).join('\n');

const FILES: Readonly<Record<string, string>> = {
  'package.json':
    '{ "name": "sample", "type": "module", "scripts": { "test": "node --test" }, "workspaces": ["packages/*"] }\n',
  'src/index.js': `/** Runs tasks in order. */
export default class Queue {
  #tasks = [];
${methods('#hidden', 12)}
  add(task) {
    this.#tasks.push(task);
    return this;
  }

${methods('step', 12)}}
`,
  'test/queue.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import Queue from '../src/index.js';

test('adds what it gets', () => {
  assert.ok(new Queue().add(1));
});

test('runs in the environment of the project', () => {
  assert.equal(process.env.SHOP, 'open');
  for (const name of ['FORCE_COLOR', 'NO_COLOR', 'CI']) assert.equal(process.env[name], undefined, name);
});
`,
  'packages/timer/package.json':
    '{ "name": "timer", "type": "module", "scripts": { "test": "tsx --test test/*.ts" } }\n',
  'packages/timer/test/timer.test.ts':
    "import test from 'node:test';\n\nenum Unit {\n  Second = 1000,\n}\n\ntest('counts in seconds', () => {\n  if (Unit.Second !== 1000) throw new Error('no');\n});\n",
  // As tsx does it: TypeScript is translated when it is loaded.
  'node_modules/tsx/package.json': '{ "name": "tsx", "type": "module", "exports": "./index.js" }\n',
  'node_modules/tsx/index.js': "import { register } from 'node:module';\nregister('./hooks.js', import.meta.url);\n",
  'node_modules/tsx/hooks.js': `import { readFileSync } from 'node:fs';
import ts from 'typescript';
const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { outputText } = ts.transpileModule(readFileSync(new URL(url), 'utf8'), { compilerOptions });
  return { format: 'module', shortCircuit: true, source: outputText };
}
`,
  'node_modules/@types/till/package.json': '{ "name": "@types/till", "version": "1.0.0", "types": "index.d.ts" }\n',
  'node_modules/@types/till/index.d.ts': 'declare const till: { readonly open: boolean };\n',
  'own/tsconfig.json':
    '{ "compilerOptions": { "strict": true, "noEmit": true, "lib": ["es2022"], "types": ["till"], "moduleResolution": "node10", "module": "commonjs" }, "include": ["."] }\n',
  'own/shop.ts': 'export const isOpen: boolean = till.open;\nexport const isShut: string = till.open;\n',
  'notes/long.txt': Array.from({ length: 400 }, (_, index) => `line ${index + 1} of it\n`).join(''),
  'logs/app.log': `${'a line of a log that nobody reads\n'.repeat(40_000)}the needle\n`,
  'main.go': 'package main\n',
  'lib/option.js': 'option();\n'.repeat(40),
  'lib/more.go': 'package lib\n',
  'tools/stats.py': 'class Stats:\n    """Counts."""\n\n    def mean(self):\n        return 0\n',
  'site/Card.vue': '<template><p/></template>\n<script setup lang="ts">\nconst shown = 1;\n</script>\n',
  'packages/shapes/package.json': '{ "name": "shapes" }\n',
  'packages/shapes/src/area.cjs': 'exports.area = (w, h) => w * h;\n',
  'packages/shapes/src/house.cjs':
    "const { area } = require('./area.cjs');\nconst all = require('./area.cjs');\nmodule.exports = () => area(1, 2) + all.area(3, 4);\n",
  'typed/tsconfig.json':
    '{ "compilerOptions": { "strict": true, "noEmit": true, "lib": ["es2022"], "types": [] }, "include": ["."] }\n',
  'typed/old.ts':
    "export const a: number = 'x';\nexport const b: number = 'x';\nexport function half(value: number): number {\n  return value / 2;\n}\n",
  'readme.md': 'The area of a house.\n',
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`docs/page${index}.md`, 'a common word\n'.repeat(index + 1)]),
  ),
};

/** What is sent, by the name of the test that looks at its result. */
const CALLS = {
  folder: '<R:>',
  name: '<source.R:Queue>',
  index: '<source.R:index>',
  path: '<source.R:src/index>',
  title: '<source.R:adds what it gets>',
  python: '<source.R:Stats.mean>',
  component: '<source.R:site/Card.vue#shown>',
  slip: '<source.R:test/qeueue.test.js>',
  write: '<source.W:index.default.drain>\ndrain() {\n  return this;\n}\n</source.W>',
  edit: '<source.E:Queue.pause>\npause() {\n  return this;\n}\n</source.E>',
  untested: '<source.W:Queue.clear test=test.queue.test>\nclear() {\n  return this;\n}\n</source.W>',
  read: '<source.R:Queue.add>',
  lines: '<source.E:Queue.add:54>\n    return this; // chained\n</source.E>',
  blocks: '<source.E:Queue.drain>\n<old>\nreturn this;\n</old>\n<new>\nreturn this.clear();\n</new>\n</source.E>',
  testPath: '<source.tests.test:test/queue.test.js>',
  testTitle: '<source.tests.test:adds what it gets>',
  allTests: '<source.tests.test:>',
  tsxTests: '<source.tests.test:packages/timer/test/timer.test.ts>',
  own: '<source.diagnostics:own>',
  typed: '<source.diagnostics:typed>',
  breaking: '<source.E:half>\nexport function half(value: number): string {\n  return value / 2;\n}\n</source.E>',
  typedAfter: '<source.diagnostics:typed>',
  log: '<Grep:needle path=logs>',
  many: '<Grep:common>',
  none: '<Grep:nothing-like-it>',
  glob: '<Grep:area path=packages/*/src>',
  whole: '<R:src/index.js>',
  part: '<R:notes/long.txt:100-300>',
  file: '<R:lib/option.js>',
  uses: '<source.references:area.area>',
  renamed: '<source.rename:shapes.area.area to=size>',
  homeName: '<R:Stats.mean>',
  homePath: '<R:tools/stats.py#Stats.mean>',
  homePackage: '<R:shapes>',
  homeTitle: '<R:adds what it gets>',
  homeSlip: '<R:Statss>',
  homeFar: '<R:Queue.clearr>',
  homeNothing: '<R:nothing.json>',
  other: '@source()',
  plain: '<tasks.W:plain priority=2></tasks.W>',
  patch: '<tasks.W:patch priority=1.1></tasks.W>',
  major: '<tasks.W:major priority=3.0.0></tasks.W>',
  owned: '<tasks.W:owned priority=3 tags="owner:ops"></tasks.W>',
  waits: '<tasks.W:waits priority=1 after=1></tasks.W>',
  tasks: '<tasks.R:>',
  ready: '<tasks.R:status:ready>',
} as const;

const CODE = `<run>
const paths = await glob({ pattern: 'docs/page1*.md' });
const rows = await grep({ pattern: 'needle', path: 'logs' });
const made = await tasks.write({ title: 'one' });
print(Array.isArray(paths), paths.length, JSON.stringify(rows), typeof made.id);
for (const page of [undefined, 1, 2]) {
  const errors = await source.diagnostics({ target: 'typed', page });
  const uses = await source.references({ target: 'shapes.area.size', page });
  print(page ?? 'all', JSON.stringify(errors[0]), errors.length, JSON.stringify(uses[0]?.path), uses.length);
}
for (const title of ['two', 'three', '', 'four']) await tasks.write({ title });
</run>
`;

describe('what is written at first sight', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bae-first-'));
  const results = new Map<string, string>();
  const content = (path: string) => readFileSync(join(folder, path), 'utf8');
  const result = (name: keyof typeof CALLS) => results.get(name) ?? '(no result)';

  beforeAll(async () => {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    symlinkSync(OWN_TYPESCRIPT, join(folder, 'node_modules/typescript'));
    const input = `${Object.values(CALLS).join('\n')}\n`;
    // Results are looked at whole: what a cut leaves out is not the subject.
    const args = ['do', '--yes', '--cap', '8000', '--cwd', folder];
    const { stdout, stderr } = await runBae(args, { input, env: { SHOP: 'open', NO_COLOR: undefined } });
    const parts = stdout.split(/^#\d+ \w+ .*$/m).slice(1);
    for (const [index, name] of Object.keys(CALLS).entries()) results.set(name, (parts[index] ?? '').trim());
    expect(parts, stderr).toHaveLength(Object.keys(CALLS).length);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('finds code by a name, a path, an index, the title of a test, or a name with one wrong letter', () => {
    expect(result('name')).toContain('default class Queue');
    expect(result('index')).toMatch(/^index -- Runs tasks in order/);
    expect(result('path')).toMatch(/^(?:same as #3|index -- Runs)/);
    expect(result('title')).toMatch(/^5\|test\('adds what it gets'/);
    expect(result('slip')).toContain('this is test.queue.test:');
  });

  it('finds at home what is no file: a symbol, a package, a test, or something with a similar name', () => {
    expect(result('homeName')).toMatch(/^(?:same as #\d+|def mean)/);
    expect(result('homePath')).toMatch(/^(?:same as #\d+|def mean)/);
    expect(result('homePackage')).toMatch(/^shapes \(2 modules\)/);
    expect(result('homeTitle')).toMatch(/^(?:same as #\d+|5\|test\('adds what it gets')/);
    expect(result('homeSlip')).toMatch(/^nothing is named Statss; this is tools\.stats\.Stats:\nclass Stats:/);
    expect(result('homeFar')).toMatch(/^nothing is named Queue\.clearr; this is index\.Queue\.clear:\n/);
    expect(result('homeNothing')).toBe('FileNotFoundError: nothing.json does not exist.\nTry: <R:.>\n---');
  });

  it('finds Python and the scripts of components by symbol, and says what is not known', () => {
    expect(result('python')).toMatch(/^def mean\(self\):\n {8}return 0/);
    expect(result('component')).toMatch(/^const shown = 1;/);
    expect(result('other')).toContain('2 files of Go are read and searched at home: <home.G:**/*.go>.');
  });

  it('shows public members first, and private ones as a count', () => {
    const rows = result('name').split('\n');
    expect(rows.findIndex((row) => row.includes('add(task)'))).toBeGreaterThan(0);
    expect(result('name')).toMatch(/13 private: <source\.R:index\.Queue every=true>|#hidden0/);
  });

  it('adds a member by write and by edit, and says which tests were not run', () => {
    expect(result('write')).toContain('Added drain to index.Queue');
    expect(result('edit')).toContain('Added pause to index.Queue');
    expect(result('untested')).toMatch(
      /^Added clear to index\.Queue[^]*test\.queue\.test was not run: no one is available/,
    );
    expect(result('untested').match(/was not run/g)).toHaveLength(1);
    expect(content('src/index.js')).toMatch(/drain\(\) \{[^]*pause\(\) \{[^]*clear\(\) \{/);
  });

  it('edits lines inside a symbol, and text in it', () => {
    expect(result('lines')).toContain('+    return this; // chained');
    expect(result('blocks')).toContain('+    return this.clear();');
    expect(content('src/index.js')).toContain('    return this; // chained\n');
  });

  it('runs tests by path, by title and all, in the environment of the project', () => {
    expect(result('testPath')).toBe('2 passed\n---');
    expect(result('testTitle')).toBe('1 passed\n---');
    expect(result('tsxTests')).toBe('1 passed\n---');
    expect(result('allTests')).toBe('3 passed\n---');
  });

  it('checks types with the TypeScript and the types that the project has', () => {
    expect(result('own')).toMatch(/^1 type error .*with TypeScript 5\.9\.3/);
    expect(result('own')).toMatch(/\n {2}2: TS2322: /);
  });

  it('counts equal type errors, and tells those from before the session', () => {
    expect(result('typed')).toContain('  1, 2: TS2322: ');
    expect(result('breaking')).toContain('introduced 1 type error:');
    expect(result('typedAfter')).toContain('there before this session: 2 of them');
    expect(result('typedAfter')).toMatch(/ {2}4: TS2322: .* \(new\)/);
  });

  it('searches large files, what folders of a pattern have, and a row of every file first', () => {
    expect(result('log')).toContain('logs/app.log:40001: the needle');
    expect(result('glob')).toContain('packages/shapes/src/area.cjs:1: exports.area');
    for (let index = 0; index < 30; index++) expect(result('many')).toContain(`docs/page${index}.md`);
    expect(result('none')).toMatch(/\(no matches\)\nsearched \d+ files/);
  });

  it('numbers the lines of files, and gives as many as were asked for', () => {
    expect(result('whole')).toMatch(/^1\|\/\*\* Runs/);
    const rows = result('part')
      .split('\n')
      .filter((row) => /^\d+\|line/.test(row));
    expect(rows).toHaveLength(201);
    expect([rows[0], rows.at(-1)]).toEqual(['100|line 100 of it', '300|line 300 of it']);
    expect(result('file')).toMatch(/^ ?1\|option\(\);\n/);
    expect(result('folder').split('\n')).toEqual(expect.arrayContaining(['docs/', 'main.go', 'src/']));
  });

  it('follows require and exports', () => {
    expect(result('uses')).toContain('3 references in 1 module');
    expect(result('renamed')).toMatch(/area in shapes\.area to size: \d places in 2 modules/);
    expect(result('renamed')).toMatch(/readme\.md:1: .*<home\.R:readme\.md:1>/);
    expect(content('packages/shapes/src/house.cjs')).toContain('size(1, 2) + all.size(3, 4)');
  });

  it('orders tasks by plain numbers, what can be started first, and takes owners as tags', () => {
    expect(result('plain')).toMatch(/^Created task 1: plain/);
    expect(result('major').split('\n')[0]).toMatch(
      /^ParameterError: priority 3\.0\.0 makes a major, .*; 3 alone is only urgency\.$/,
    );
    expect(result('patch')).toContain('priority 1.1.0 is a minor of 1.0.0, and no unfinished task is that');
    expect(result('owned')).toMatch(/^Created task 2: owned/);
    expect(result('tasks')).toMatch(/1 \| OPEN .*\n2 \| OPEN .*owner:ops\n3 \| BLKD .*waits for 1/);
    expect(result('ready')).toMatch(/2 tasks:\n1 \| OPEN .*\n2 \| OPEN /);
  });

  it('gives data to code, and names what was done before an error', { tags: ['long'], timeout: 60_000 }, async () => {
    const { stdout } = await runBae(['do', '--yes', '--cwd', folder], { input: CODE });
    expect(stdout).toContain('true 11 [{"path":"logs/app.log","line":40001,"text":"the needle"}] number');
    const error = `{"path":"typed.old","line":1,"text":"TS2322: Type 'string' is not assignable to type 'number'."}`;
    for (const page of ['all', '1']) expect(stdout).toContain(`${page} ${error} 3 "shapes.house" 3\n`);
    expect(stdout).toContain('2 undefined 0 undefined 0\n');
    expect(stdout).toMatch(/title: expected 1 to 200 characters on one line/);
    expect(stdout).toMatch(/Done before that: .*tasks\.write\(two\), tasks\.write\(three\)/);
  });
});
