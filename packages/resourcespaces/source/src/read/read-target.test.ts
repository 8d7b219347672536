import { asModelText } from '@bae/core';
import { countUnits } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import { typescriptOutline } from '../language/typescript-outline.ts';
import { countKinds } from './read-target.ts';
import { openSource } from '../../test/open-source.ts';

const PROJECT = {
  'package.json': '{"name":"demo","workspaces":["packages/*"]}',
  'packages/core/package.json': '{"name":"@x/core","description":"Protocol and pipeline. And more."}',
  'packages/core/src/index.ts':
    "/** The core. */\nexport { dispatch } from './router.ts';\nexport * from './agent/turn.ts';\n",
  'packages/core/src/router.ts': `import { a } from './a.ts';
import { b } from './b.ts';

/** Dispatch of calls. */
export class Router<T> extends Base implements Runs {
  /** Runs a call. */
  @log()
  dispatch(
    call: Call,
    { signal }: Context = {},
  ): Promise<Result> {
    return this.run(call);
  }

  get size(): number {
    return 1;
  }

  set size(value) {}
}

export async function dispatch(call: Call): Promise<void> {}
export const limit: number = 10, other = { deep: 1 };
export type Mode = 'fast' | 'slow';
export default () => 1;
function own() {}
`,
  'packages/core/src/agent/turn.ts': 'export const turn = 1;\n',
  'packages/core/src/agent/turn.test.ts': '',
  'packages/core/src/globals.d.ts': 'declare const G: 1;\n',
  'packages/app/package.json': '{"name":"app"}',
  'packages/app/README.md': '# App\n\n[![badge](x)](y)\n\nThe application of it. Second.\n',
  'packages/app/main.js': 'exports.main = () => 1;\n',
  'scripts/build.mjs': '',
};

const read = (target: string) => openSource(PROJECT).send(`<R:${target}>`);

describe('reading', () => {
  it('shows the packages of a project', async () => {
    expect(await read('')).toBe(
      [
        'app -- The application of it (1 module)',
        'core -- Protocol and pipeline (1 folder, 4 modules)',
        'scripts (1 module)',
      ].join('\n'),
    );
  });

  it('shows what is in a package', async () => {
    expect(await read('core')).toBe(
      [
        'core -- Protocol and pipeline (1 folder, 4 modules)',
        'core.agent (2 modules)',
        'core.router -- Dispatch of calls (1 class, 2 functions, 2 constants, 1 type, 1 default export)'.replace(
          '2 functions, 2 constants, 1 type, 1 default export',
          '3 functions, 2 constants, 1 type',
        ),
        'index:',
        "2: export { dispatch } from './router.ts'  -- The core",
        'export * from ./agent/turn.ts',
      ].join('\n'),
    );
  });

  it('counts tests separately, and lists files that only declare types with every=true', async () => {
    expect(await read('core.agent')).toBe(
      'core.agent (2 modules)\ncore.agent.turn (1 constant)\n1 test module: <G:core.agent.*.test>',
    );
    expect(await read('core every=true')).toContain('\ncore.globals.d (1 constant)\n');
  });

  it('shows what is in a module', async () => {
    expect(await read('core.router')).toBe(
      [
        'core.router -- Dispatch of calls (1 class, 3 functions, 2 constants, 1 type)',
        '1: import  -- lines 1-2',
        '5: class Router<T> extends Base implements Runs  -- Dispatch of calls',
        '  8: dispatch( call: Call, { signal }: Context = {}, ): Promise<Result>  -- Runs a call',
        '  15: get size(): number (2 declarations)',
        '22: async function dispatch(call: Call): Promise<void>',
        '23: const limit: number = 10',
        '23: const other',
        '  23: deep: 1',
        "24: type Mode = 'fast' | 'slow'",
        '25: default ()',
        'not exported:',
        '26: function own()',
      ].join('\n'),
    );
  });

  it('shows the source of a symbol with doc comment and decorators', async () => {
    expect(await read('core.router.Router.dispatch')).toBe(
      '  /** Runs a call. */\n  @log()\n  dispatch(\n    call: Call,\n    { signal }: Context = {},\n  ): Promise<Result> {\n    return this.run(call);\n  }',
    );
    expect(await read('core.router.Router.size')).toBe(
      '  get size(): number {\n    return 1;\n  }\n\n  set size(value) {}',
    );
    expect(await read('core.router.own')).toBe('function own() {}');
    expect(await read('core.router.import')).toBe("import { a } from './a.ts';\nimport { b } from './b.ts';");
    expect(await read('app.main.main')).toBe('exports.main = () => 1;');
  });

  it('says in which file and lines a symbol is, and finds it behind a constant of the same name', async () => {
    const { agent, entered } = openSource({
      'package.json': '{"name":"demo"}',
      'lib/empty.js':
        'const u = 1;\n\nconst emptyDir = u(function () {\n  return 1;\n});\nmodule.exports = { emptyDir };\n',
      'lib/esm.mjs': "import _empty from './empty.js';\nexport const emptyDir = _empty.emptyDir\n",
    });
    await entered;
    const { calls } = await agent.run(asModelText('<R:emptyDir>'));
    expect(calls[0]?.result).toMatchObject({
      text: 'const emptyDir = u(function () {\n  return 1;\n});',
      where: 'lib/empty.js:3-5',
    });
  });

  it('divides declarations of a symbol that do not stand together', async () => {
    const { send } = openSource({ 'a.ts': 'interface X {}\nconst other = 1;\nconst X = 1;\n' });
    expect(await send('<R:a.X>')).toBe('interface X {}\n\nconst X = 1;');
  });

  it('shows lines of a module, of an index, and of a symbol', async () => {
    expect(await read('core.router:4-5')).toBe(
      '4|/** Dispatch of calls. */\n5|export class Router<T> extends Base implements Runs {',
    );
    expect(await read('core:1')).toBe('1|/** The core. */');
    expect(await read('core.router.Router:19-99')).toBe('19|  set size(value) {}\n20|}');
    expect(await read('core.router.Router:1-3')).toBe(
      'RangeError: core.router.Router is lines 4-20 of its module; asked for 1-3.\nTry: <R:core.router.Router>',
    );
    expect(await read('core.agent:1-3')).toBe(
      'RangeError: core.agent has no lines: it has no index.\nTry: <R:core.agent>',
    );
    expect(await read('core.router:40-')).toBe(
      'RangeError: core.router has 26 lines; asked for 40-.\nTry: <R:core.router>',
    );
  });

  it('supports a project without packages, and one without modules', async () => {
    const { send } = openSource({
      'src/lib/a.ts': '/** About a. */\nexport const a = 1;\n',
      'src/index.ts': 'export {};\n',
    });
    expect(await send('<R:>')).toBe('lib (1 module)\nindex');
    expect(await send('<R:lib>')).toBe('lib (1 module)\nlib.a -- About a (1 constant)');
    expect(await openSource({ 'readme.md': '' }).send('<R:>')).toBe(
      '(no modules of TypeScript, JavaScript, Vue and Svelte; files are at home: <home.R:>)',
    );
  });
});

describe('what is too long for one result', () => {
  const method = (number: number) =>
    `  /** Does number ${number}. */\n  method${number}(): number {\n    return ${number};\n  }\n`;
  const big = `export class Big {\n${Array.from({ length: 60 }, (_, number) => method(number)).join('\n')}}\n`;

  it('is an outline of a symbol, with tags for its parts', async () => {
    const { send } = openSource({ 'a.ts': big });
    const result = await send('<R:a.Big>');
    expect(result.split('\n').slice(0, 4)).toEqual([
      'Big, lines 1-301: class Big',
      'read a part: <R:a.Big:1-40> or a member: <R:a.Big.method0>',
      '3: method0(): number  -- Does number 0',
      '8: method1(): number  -- Does number 1',
    ]);
    expect(await send('<R:a.Big:2-4>')).toBe('2|  /** Does number 0. */\n3|  method0(): number {\n4|    return 0;');
  });

  it('is read to its end by the tags that follow one another', async () => {
    const { send } = openSource({ 'a.ts': big });
    const seen: string[] = [];
    let next: string | undefined = '<R:a.Big>';
    while (next !== undefined) {
      const result: string = await send(next);
      expect(countUnits(result)).toBeLessThanOrEqual(2000);
      seen.push(...[...result.matchAll(/^\d+: (method\d+)/gm)].map(([, name]) => name as string));
      next = /next: (<[^>]+>)/.exec(result)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, number) => `method${number}`));
  });

  it('is the first lines of a function, and all of it by the tags that follow', async () => {
    const lines = Array.from({ length: 300 }, (_, number) => `  call(${number});`);
    const { send } = openSource({ 'a.ts': `function long() {\n${lines.join('\n')}\n}\n` });
    const seen: string[] = [];
    let next: string | undefined = '<R:a.long>';
    while (next !== undefined) {
      const result: string = await send(next);
      seen.push(
        ...result
          .split('\n')
          .filter((line) => /^\d+\|/.test(line))
          .map((line) => line.replace(/^\d+\|/, '')),
      );
      next = /next: (<[^>]+>)/.exec(result)?.[1];
    }
    expect(seen).toEqual(['function long() {', ...lines, '}']);
  });

  it('is shown in pages where a project has many modules', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 150 }, (_, number) => [`m${1000 + number}.ts`, 'export const a = 1;']),
    );
    const { send } = openSource(files);
    const first = await send('<R:>');
    expect(first.split('\n').at(-1)).toMatch(/^\[page 1 of \d+; next: <R: page=2>\]$/);
    expect(await send('<R: page=2>')).toContain('[page 2 of ');
  });

  it('is the length of a line that is longer than a page', async () => {
    const { send } = openSource({ 'a.ts': `const a = "${'x'.repeat(9000)}";\nconst b = 1;\n` });
    expect((await send('<R:a.a>')).split('\n').at(-1)).toBe('[line 1 has 9014 characters; next: <R:a.a:2>]');
  });
});

/** How a project lists its package `a`. */
async function describePackage(readme: string, manifest: object = {}): Promise<string> {
  const files = {
    'package.json': '{"workspaces":["packages/*"]}',
    'packages/a/package.json': JSON.stringify({ name: 'a', ...manifest }),
    'packages/a/README.md': readme,
    'packages/a/index.ts': '/** What the index says. */\nexport const a = 1;\n',
  };
  return openSource(files).send('<R:>');
}

describe('what a package is for', () => {
  it.each([
    ['# A\n\n[![badge](x)](y)\n\nMakes things. And more.\n', 'Makes things'],
    ['The **first part** of what\n[this](https://a.b/c) makes.\n\nMore.', 'The first part of what this makes'],
    ['The **[A provider](https://a.b/c)** of __all__ `things`', 'The A provider of all `things`'],
    ['> Quoted.\n\n<p>Tag</p>\n\nWindows\r\nlines.\r\n\r\nMore.', 'Windows lines'],
    ['two ** stars, a_b_c and [no link]', 'two ** stars, a_b_c and [no link]'],
    ['# Only a heading\n', 'What the index says'],
    ['', 'What the index says'],
  ])('is the first sentence of its README: %j', async (readme, expected) => {
    expect(await describePackage(readme)).toBe(`a -- ${expected} (1 module)`);
  });

  it('is what its manifest says, if it says something', async () => {
    expect(await describePackage('Other words.', { description: 'The words of the manifest.' })).toBe(
      'a -- The words of the manifest (1 module)',
    );
  });
});

describe('the kinds of symbols in a module', () => {
  it.each([
    ['class A {} class B {} function f() {}', '2 classes, 1 function'],
    ["import x from 'x'; interface I {} type T = 1; enum E {}", '1 interface, 1 type, 1 enum'],
    ["export { a, b } from './x'; export default 1;", '1 default export, 2 re-exports'],
    ['let a = 1, b = 2; const c = 1;', '2 variables, 1 constant'],
    ['run();', ''],
  ])('%j are %j', (text, expected) => {
    expect(
      countKinds(typescriptOutline.outline({ text, path: 'a.tsx' }))
        .split(', ')
        .toSorted(),
    ).toEqual(expected.split(', ').toSorted());
  });
});
