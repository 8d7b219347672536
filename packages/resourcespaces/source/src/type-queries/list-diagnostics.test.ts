import { join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { TSCONFIG } from '../../test/temporary-project.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { listOtherProblems, renderRemarks, summarizeReport } from './query-types.ts';

const FILES = {
  'package.json': '{ "type": "module", "workspaces": ["packages/*"] }',
  'packages/core/package.json': '{ "name": "core", "type": "module" }',
  'packages/core/tsconfig.json': TSCONFIG,
  'packages/core/src/good.ts': 'export interface Good {\n  a: { b: 1 };\n}\n',
  'packages/core/src/bad.ts':
    "import type { Good } from './good.ts';\nexport const one: number = '1';\nexport const two: Good = { a: 3 };\n",
  'packages/core/vite.config.ts': "import { x } from 'vite';\nexport default x;\n",
  'packages/app/package.json': '{ "name": "app", "type": "module" }',
  'packages/app/tsconfig.json': TSCONFIG.replace('"strict":true', '"strict":true,"baseUrl":"."'),
  'packages/app/src/main.ts': "export const main: string = 1;\nimport('./nope.ts');\n",
};

describe('diagnostics', () => {
  it('of the project are counted, then listed by module', async () => {
    const { send } = openSource(FILES);
    expect(await send('<diagnostics:>')).toMatchInlineSnapshot(`
      "4 type errors in the project (in 2 of the 3 modules checked)
      settings: tsconfig.json of app: TS5102: Option 'baseUrl' has been removed.
      left out, since they are in no tsconfig: packages/core/vite.config.ts
      app.main
        1: TS2322: Type 'number' is not assignable to type 'string'.
        2: TS2307: Cannot find module './nope.ts' or its corresponding type declarations.
      core.bad
        2: TS2322: Type 'string' is not assignable to type 'number'.
        3: TS2322: Type 'number' is not assignable to type '{ b: 1; }'."
    `);
  });

  it('of packages that are not installed are one line, with the command that installs them', async () => {
    const manifest = {
      type: 'module',
      dependencies: { react: '*' },
      devDependencies: { '@types/node': '*', there: '*' },
    };
    const { send } = openSource({
      'package.json': JSON.stringify(manifest),
      'pnpm-lock.yaml': '',
      'tsconfig.json': TSCONFIG,
      'node_modules/there/package.json': '{ "name": "there" }',
      'src/a.ts':
        "import { use } from 'react/hooks';\nimport { readFile } from 'node:fs';\nimport { x } from 'unlisted';\n" +
        "import { y } from 'there/none';\nexport const all = [use((one) => one), readFile, x, y];\nexport const a: string = 1;\n",
      'src/b.ts': 'export const b = (one) => one;\n',
    });
    expect(await send('<diagnostics:>')).toMatchInlineSnapshot(`
      "not installed: @types/node, react (2 errors in 1 module, and 1 of an implicit any there). Install them: <source.deps.install:>
      4 other type errors in the project (in 2 of the 2 modules checked)
      a
        3: TS2307: Cannot find module 'unlisted' or its corresponding type declarations.
        4: TS2307: Cannot find module 'there/none' or its corresponding type declarations.
        6: TS2322: Type 'number' is not assignable to type 'string'.
      b
        1: TS7006: Parameter 'one' implicitly has an 'any' type."
    `);
    expect(await send('<diagnostics:a>')).toContain('not installed: @types/node, react (2 errors in 1 module');
    expect(await send('<diagnostics:b>')).not.toContain('installed');
  });

  it('of a package or a module are only its own', { tags: ['long'] }, async () => {
    const { send } = openSource(FILES);
    expect(await send('<diagnostics:core>')).toMatchInlineSnapshot(`
      "2 type errors in core (in 1 of the 2 modules checked)
      left out, since they are in no tsconfig: packages/core/vite.config.ts
      core.bad
        2: TS2322: Type 'string' is not assignable to type 'number'.
        3: TS2322: Type 'number' is not assignable to type '{ b: 1; }'."
    `);
    expect(await send('<diagnostics:core.good>')).toBe('no type errors in core.good (1 module checked)');
    expect(await send('<diagnostics:core.bad.one>')).toContain('2 type errors in core.bad (1 module checked)');
  });

  it('of a folder are only those below it, wherever its name leads', { tags: ['long'] }, async () => {
    const { send } = openSource(FILES);
    const firstOf = async (path: string) => (await send(`<diagnostics:${path}>`)).split('\n')[0];
    expect(await firstOf('packages/core/src')).toBe(
      '2 type errors in packages/core/src (in 1 of the 2 modules checked)',
    );
    expect(await firstOf('packages')).toBe('4 type errors in packages (in 2 of the 3 modules checked)');
    expect(await send('<diagnostics:packages/core/src>')).not.toContain('vite.config');
    const single = openSource({ 'package.json': '{}', 'src/a.ts': 'export {};', 'test/b.ts': 'const a: string = 1;' });
    expect(await single.send('<diagnostics:src>')).toContain('no type errors in src (1 module checked)');
  });

  it('of what no settings include are those by default, when it is named', async () => {
    const { send } = openSource(FILES);
    expect((await send('<diagnostics:core.vite.config>')).split('\n').slice(0, 2)).toEqual([
      '1 type error in core.vite.config (1 module checked)',
      "no tsconfig includes this: checked with the compiler's defaults",
    ]);
  });

  it('of JavaScript without settings are about syntax', async () => {
    const { send } = openSource({ 'package.json': '{}', 'a.js': 'export const a = nope();\n', 'b.js': 'const = 1;\n' });
    expect(await send('<diagnostics:a>')).toBe(
      'no type errors in a (1 module checked)\nonly syntax was checked: no tsconfig or jsconfig includes this JavaScript',
    );
    expect(await send('<diagnostics:>')).toMatch(
      /^\d+ type errors? in the project \(in 1 of the 2 modules checked\)\nonly syntax/,
    );
  });

  it('of JavaScript are about types when its settings say so', { tags: ['long'] }, async () => {
    const { send } = openSource({
      'jsconfig.json': '{ "compilerOptions": { "checkJs": true, "types": [] } }',
      'a.js': 'export const a = nope();\n',
    });
    expect(await send('<diagnostics:a>')).toBe(
      "1 type error in a (1 module checked)\na\n  1: TS2304: Cannot find name 'nope'.",
    );
  });

  it('that say the same are one row with all of their lines', { tags: ['long'] }, async () => {
    const { send } = openSource({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': "const a: number = '';\nconst b: string = 1;\nconst c: number = '';\nexport { a, b, c };\n",
    });
    expect(await send('<diagnostics:>')).toBe(
      "3 type errors in the project (1 module checked)\na\n  1, 3: TS2322: Type 'string' is not assignable to type 'number'.\n  2: TS2322: Type 'number' is not assignable to type 'string'.",
    );
  });

  it('that are equal are joined, with the tag that shows all of their lines', async () => {
    const { send } = openSource({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': `export {};\n${'nope(); nope();\n'.repeat(12)}`,
      'src/b.ts': 'export {};\n',
    });
    expect(await send('<diagnostics:>')).toMatch(
      /\n {2}2, 3, 4, 5, 6, 7, 8, 9 and 4 more \(<diagnostics:a>\): TS2304: .*$/,
    );
    expect(await send('<diagnostics:a>')).toMatch(/\n {2}2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13: TS2304: .*$/);
  });

  it('are listed in pages', { tags: ['long'] }, async () => {
    const { send } = openSource({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': `export {};\n${Array.from({ length: 200 }, (_, at) => `nope${at}();\n`).join('')}`,
    });
    const first = (await send('<diagnostics:>')).split('\n');
    expect(first[0]).toBe('200 type errors in the project (1 module checked)');
    expect(first.at(-1)).toMatch(/^\[page 1 of \d; next: <diagnostics: page=2>\]$/);
    expect((await send('<diagnostics: page=2>')).split('\n')[1]).toBe('a');
  });

  it('of what is not there are refused', async () => {
    const { send } = openSource(FILES);
    expect(await send('<diagnostics:core.baad>')).toBe(
      "ResourceError: no module or symbol 'core.baad' (target: expected a package, module or symbol). Did you mean core.bad?\n" +
        'Usage: diagnostics(target: string = "", page?: int)\nTry: <R:core.bad>',
    );
  });
});

const NOTHING = {
  diagnostics: [],
  total: 0,
  problems: [],
  unchecked: [],
  loose: [],
  isOutOfTime: false,
  version: '7.0.2',
};

async function project() {
  const root = new WorkspaceRoot(temporaryFolder({ 'lib/a.ts': '', 'lib/b.ts': '' }));
  const index = new ModuleIndex(root);
  return { catalog: await index.catalog(), fileOf: (path: string) => join(root.folder, path) };
}

describe('a message of the compiler', () => {
  it('that gives no reason ends with the one below it', async () => {
    const { send } = openSource({
      'package.json': '{}',
      'tsconfig.json': TSCONFIG,
      'a.ts': 'function f(a: string): void;\nfunction f(a: boolean): void;\nfunction f(): void {}\nf(1);\n',
    });
    expect(await send('<diagnostics:a>')).toMatch(
      /TS2769: No overload matches this call\. .*(?:'number'|'null') is not assignable to parameter of type '\w+'\.$/m,
    );
  });
});

describe('errors of a project that has some', () => {
  const files = {
    'tsconfig.json': TSCONFIG,
    'src/box.ts': 'export class Box {\n  size = 1;\n}\n',
    'src/all.ts':
      "export { a } from 'gone';\nexport { Box, b } from './box.ts';\nexport { c } from 'gone';\n" +
      "import { Box } from './box.ts';\nexport const other = new Box().width;\n",
  };

  it(
    'are not new when a line of them is changed, or their messages name what was renamed',
    { tags: ['long'] },
    async () => {
      const { send, content } = openSource(files);
      const renamed = await send('<rename:box.Box to=Crate>');
      expect(content('src/all.ts')).toContain('export { Crate, b }');
      expect(renamed).not.toContain('introduced');
      expect(renamed).toMatch(
        /\n2 type errors from before are still in the changed lines:\n {2}all:2: TS2305.*\n {2}all:5: TS2339: .* type 'Crate'/,
      );
    },
  );

  it('are marked as new one by one, also when their lines are changed again', { tags: ['long'] }, async () => {
    const { send, edit } = openSource(files);
    const replace = (old: string, now: string) => edit('all', `<old>\n${old}\n</old>\n<new>\n${now}\n</new>`);
    const line = "export { c } from 'gone';";
    await send('<R:all:1-5>');
    expect(await replace(line, `${line}\nexport { d } from 'gone';`)).toMatch(
      /introduced 1 type error:\n {2}all:4: TS2307/,
    );
    const list = await send('<diagnostics:all>');
    expect(list).toContain('there before this session: 4 of them');
    expect(list).toMatch(/\n {2}1, 3: TS2307: [^\n]*\.\n/);
    expect(list).toMatch(/\n {2}4: TS2307: [^\n]*\. \(new\)\n/);
    expect(await replace('{ d }', '{ e }')).toContain('1 type error from before is still');
    expect(await send('<diagnostics:all>')).toMatch(/\n {2}4: TS2307: [^\n]*\. \(new\)\n/);
  });
});

describe('errors of changes that nobody checked', () => {
  const GOOD = 'export class Box {\n  size = 1;\n}\n';
  const BAD = "export const bad: number = 'x';\n";

  it('are not said to have been there before', async () => {
    const { send, change } = openSource({ 'tsconfig.json': TSCONFIG, 'src/box.ts': GOOD, 'src/old.ts': BAD });
    await send('<rename:box.Box to=Crate>');
    expect(await send('<diagnostics:>')).toContain('there before this session: all of them');
    change('src/worse.ts', BAD);
    expect(await send('<diagnostics:>')).toContain('there before this session: at least 1 of them');
    expect(await send('<diagnostics:worse>')).not.toContain('there before');
  });

  it('are not told apart from others as long as the session has changed nothing', async () => {
    const { send } = openSource({ 'tsconfig.json': TSCONFIG, 'src/old.ts': BAD });
    await send('<diagnostics:>');
    expect(await send('<diagnostics:>')).not.toContain('there before');
  });
});

describe('the first line of a check', () => {
  const file = (name: string): string => `/shop/${name}.ts`;

  it('does not say that a project has no errors when there was no time for all of it', () => {
    const unchecked = ['b', 'c'].map(file);
    const report = { ...NOTHING, unchecked, isOutOfTime: true };
    expect(summarizeReport(report, '', 5)).toBe('no type errors in 3 of the 5 modules of the project (checked)');
    expect(summarizeReport({ ...report, loose: unchecked }, '', 5)).toBe(
      'no type errors in the project (3 modules checked)',
    );
  });
});

describe('the rows of a check besides type errors', () => {
  it('are none when all was checked and nothing is wrong', async () => {
    expect(listOtherProblems(NOTHING, (await project()).catalog)).toEqual([]);
  });

  it('are none for what no tsconfig includes', async () => {
    const { fileOf, catalog } = await project();
    const loose = [fileOf('lib/a.ts')];
    expect(listOtherProblems({ ...NOTHING, unchecked: loose, loose }, catalog)).toEqual([]);
  });

  it('list what could not be checked, where no error means nothing', async () => {
    const { fileOf, catalog } = await project();
    const unchecked = [fileOf('lib/a.ts'), fileOf('lib/b.ts')];
    expect(listOtherProblems({ ...NOTHING, unchecked, isOutOfTime: true }, catalog)).toEqual([
      { path: 'lib.a', line: 1, text: 'not checked (no time)' },
      { path: 'lib.b', line: 1, text: 'not checked (no time)' },
    ]);
    expect(listOtherProblems({ ...NOTHING, unchecked }, catalog)[1]?.text).toBe('not checked (unreadable)');
  });

  it('are more than the remarks for readers, of which there are ten at most', async () => {
    const { fileOf, catalog } = await project();
    const codes = Array.from({ length: 12 }, (_, index) => index + 1);
    const problems = codes.map((code) => ({ file: fileOf('tsconfig.json'), code, message: 'Wrong.' }));
    const shown = codes.slice(0, 10).map((code) => `settings: tsconfig.json: TS${code}: Wrong.`);
    expect(renderRemarks({ ...NOTHING, problems }, [], catalog)).toEqual([...shown, 'settings: 2 more problems']);
  });

  it('name what is in no tsconfig by files and folders that can be read', async () => {
    const { fileOf, catalog } = await project();
    const own = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `${name}.config.ts`);
    const loose = [...own, 'test/a.ts', 'test/deep/b.ts', 'docs/c.ts'].map(fileOf);
    const modules = Array.from({ length: 11 }, () => catalog.modules[0]!);
    expect(renderRemarks({ ...NOTHING, unchecked: loose, loose }, modules, catalog)).toEqual([
      'left out, since they are in no tsconfig: test/ (2 files), docs/c.ts, a.config.ts, b.config.ts, c.config.ts, d.config.ts, e.config.ts, 2 other files of the root folder',
    ]);
  });

  it('name every problem with settings once', async () => {
    const { fileOf, catalog } = await project();
    const problems = [1, 2, 3, 4, 4].map((code) => ({ file: fileOf('tsconfig.json'), code, message: 'Wrong.' }));
    expect(listOtherProblems({ ...NOTHING, problems }, catalog)).toEqual(
      [1, 2, 3, 4].map((code) => ({ path: 'tsconfig.json', line: 1, text: `TS${code}: Wrong.` })),
    );
  });
});
