import { countUnits } from '@bae/core/pipeline';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { CodeCatalog } from '../modules/code-catalog.ts';
import { matchModules, narrowGlob } from './search-modules.ts';

const MONOREPO = {
  'package.json': '{"workspaces":["packages/*"]}',
  'packages/core/package.json': '{"name":"@x/core"}',
  'packages/core/src/index.ts': 'export const hit = 1;\n',
  'packages/core/src/agent/turn.ts': 'const hit = 1;\nconst miss = 2;\nconst hit2 = hit;\n',
  'packages/core/src/agent/turn.test.ts': 'hit();\n',
  'packages/core/src/globals.d.ts': 'declare const hit: 1;\n',
  'packages/app/package.json': '{"name":"app"}',
  'packages/app/vite.config.ts': 'export default { hit: 1 };\n',
  'packages/app/notes.md': 'hit\n',
};
const send = (text: string) => openSource(MONOREPO).send(text);
const many = (count: number, text: (number: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`group-${number % 3}/m${number}.ts`, text(number)]));

describe('glob', () => {
  it.each([
    ['**', 'app.vite.config\ncore\ncore.agent.turn\ncore.agent.turn.test'],
    ['core.**', 'core\ncore.agent.turn\ncore.agent.turn.test'],
    ['core.*.*', 'core.agent.turn\ncore.agent.turn.test'],
    ['app.*', 'app.vite.config'],
    ['**.test', 'core.agent.turn.test'],
    ['**.t?rn', 'core.agent.turn'],
    ['** every=true', 'app.vite.config\ncore\ncore.agent.turn\ncore.agent.turn.test\ncore.globals.d'],
    ['core.agent', '(no matches)\ncore.agent has 2 modules. Try: <G:core.agent.**>'],
    ['cre.*', '(no matches)\nthe project has 5 modules. Try: <G:**>'],
    ['*.md', '(no modules match)\nFiles: <home.G:*.md>'],
  ])('%s', async (pattern, expected) => {
    expect(await send(`<G:${pattern}>`)).toBe(expected);
  });

  it.each([
    ['packages/core/src/**/*.ts', 'G:core.**'],
    ['packages/core/src/agent/*.ts', 'G:core.agent.*'],
    ['src/*.{ts,tsx}', 'G:src.*'],
    ['**/*.ts', 'G:**'],
    ['docs/**/*.md', 'home.G:docs/**/*.md'],
  ])('suggests the dotted pattern, or the same at home, for %s', async (pattern, call) => {
    expect(await send(`<G:${pattern}>`)).toBe(
      `ResourceError: use module notation: '${pattern}' contains a path separator (pattern: expected names with dots between them, * for a part of one, ** for any number).\nUsage: glob(pattern: string, every: boolean = false)\nTry: <${call}>`,
    );
  });

  it('counts modules by folder when there are too many to list, and suggests a narrower pattern', async () => {
    const { send } = openSource(many(400, () => ''));
    expect(await send('<G:**>')).toBe(
      '** 400 modules: group-0 (134), group-1 (133), group-2 (133)  Narrow: <G:group-0.**>',
    );
    const folder = openSource(
      Object.fromEntries(Array.from({ length: 300 }, (_, number) => [`a/module${number}.ts`, ''])),
    );
    expect(await folder.send('<G:a.*>')).toBe(
      'a.* 300 modules: module0, module1, module10, module100, module101, module102, module103, module104, module105, module106, module107, module108, and 288 more  Narrow: <G:a.module1*>',
    );
  });

  it('names a module that ends where the pattern begins to expand', async () => {
    const { send } = openSource({
      'core/index.ts': '',
      ...Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`core/${n < 399 ? 'deep' : 'flat'}/m${n}.ts`, ''])),
    });
    expect(await send('<G:core.**>')).toBe('core.** 401 modules: deep (399), core, flat  Narrow: <G:core.deep.**>');
  });

  it('offers nothing in a project without modules, and files that only declare types where there is nothing else', async () => {
    expect(await openSource({ 'a.md': '' }).send('<G:**>')).toBe('(no matches)\nthe project has no modules.');
    const { send } = openSource({ 'lib/a.d.ts': '' });
    expect(await send('<G:**>')).toBe('(no matches)\nthe project has 1 module. Try: <G:** every=true>');
    expect(await send('<G:** every=true>')).toBe('lib.a.d');
  });

  it('always narrows to fewer of the same, and at least one', () => {
    const step = fc.constantFrom('a', 'b', 'ab', 'c');
    const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => `${steps.join('/')}.ts`);
    const pattern = fc
      .array(fc.constantFrom('a', 'b', '*', '**', 'a*'), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('.'));
    const root = { label: '', name: undefined, folder: '', description: '' };
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 2, maxLength: 20 }), pattern, (paths, pattern) => {
        const { modules } = new CodeCatalog(paths, { packages: [root] });
        const found = matchModules(pattern, modules);
        const narrower = narrowGlob(pattern, found, modules);
        fc.pre(narrower !== undefined);
        const fewer = matchModules(narrower, modules);
        expect(fewer.length).toBeGreaterThan(0);
        expect(fewer.length).toBeLessThan(found.length);
        expect(fewer.every((module) => found.includes(module))).toBe(true);
      }),
    );
  });
});

describe('grep', () => {
  it('names the pattern of paths that a misspelt one is nearest to', async () => {
    expect(await send('<Grep:hit path=packages/*/srcc>')).toBe(
      'ResourceError: no file or folder matches packages/*/srcc. Did you mean packages/*/src?\nTry: <Grep:hit path="packages/*/src">',
    );
    expect(await send('<Grep:hit path=packages/*/nowhere>')).toContain('(no matches)\nsearched 0 modules');
  });

  it('groups the lines by module', async () => {
    expect(await send('<Grep:hit>')).toBe(
      [
        'app.vite.config',
        '  1: export default { hit: 1 };',
        'core.agent.turn.test',
        '  1: hit();',
        'core.agent.turn',
        '  1: const hit = 1;',
        '  3: const hit2 = hit;',
        'core',
        '  1: export const hit = 1;',
      ].join('\n'),
    );
  });

  it.each([
    ['hit core.agent.turn', 'core.agent.turn\n  1: const hit = 1;\n  3: const hit2 = hit;'],
    ['hit path=core.agent.turn', 'core.agent.turn\n  1: const hit = 1;\n  3: const hit2 = hit;'],
    [
      '"hit" in core.agent',
      'core.agent.turn.test\n  1: hit();\ncore.agent.turn\n  1: const hit = 1;\n  3: const hit2 = hit;',
    ],
    ['hit app', 'app.vite.config\n  1: export default { hit: 1 };'],
    ['hit path=core.index', 'core\n  1: export const hit = 1;'],
    ['declare every=true', 'core.globals.d\n  1: declare const hit: 1;'],
    ['declare', '(no matches)\nsearched 4 modules'],
    ['const miss', 'core.agent.turn\n  2: const miss = 2;'],
  ])('%s', async (argument, expected) => {
    expect(await send(`<Grep:${argument}>`)).toBe(expected);
  });

  it('refuses unknown addresses and invalid expressions', async () => {
    expect(await send('<Grep:hit path=core.agnt>')).toContain(
      "ResourceError: core has no symbol 'agnt' (path: expected a symbol). Did you mean agent?",
    );
    expect(await send('<Grep:hit path=packages/core>')).toContain('core\n  1: export const hit = 1;');
    expect(await send('<Grep:(>')).toContain('PatternError');
  });

  it('shows at most fifty lines, the true total, and a part with fewer', async () => {
    const { send } = openSource(many(132, () => 'a;\n'));
    const result = await send('<Grep:a>');
    const lines = result.split('\n');
    expect(lines.filter((line) => line.startsWith('  ')).length).toBe(50);
    expect(lines.at(-1)).toBe(
      '50 of 132 matches in 132 modules; narrow with path=group-0 or a longer pattern: <Grep:a path=group-0>',
    );
    expect((await send('<Grep:a path=group-0>')).split('\n').filter((line) => line.startsWith('  ')).length).toBe(44);
    expect(countUnits(result)).toBeLessThanOrEqual(2000);
  });

  it('suggests what has the matches: a module where there is no folder of that name', async () => {
    const { send } = openSource({ 'a.ts': '', 'a.test.ts': 'x;\n'.repeat(60), 'b.ts': 'x;\n' });
    expect((await send('<Grep:x>')).split('\n').at(-1)).toBe(
      '50 of 61 matches in 2 modules; narrow with path=a.test or a longer pattern: <Grep:x path=a.test>',
    );
    expect(await send('<Grep:x path=a.test>')).toContain('50 of 60 matches in 1 module');
  });

  it('never suggests anything broader, and of one module only a longer pattern', async () => {
    const { send } = openSource({ 'a/b.ts': 'x;\n'.repeat(200), 'a/c.ts': 'x;\n' });
    expect((await send('<Grep:x path=a.b>')).split('\n').at(-1)).toBe(
      '50 of 200 matches in 1 module; narrow with a longer pattern',
    );
    expect((await send('<Grep:x path=a>')).split('\n').at(-1)).toBe(
      '50 of 201 matches in 2 modules; narrow with path=a.b or a longer pattern: <Grep:x path=a.b>',
    );
  });
});

it('search leads to lines that can be read', async () => {
  const { agent, send } = openSource(MONOREPO);
  const { SourceSpace } = await import('../source-space.ts');
  const { WorkspaceRoot } = await import('@bae/workspace');
  const { temporaryFolder } = await import('../../test/temporary-folder.ts');
  const hits = await new SourceSpace(new WorkspaceRoot(temporaryFolder(MONOREPO))).search('const hit', 5);
  expect(hits).toEqual([
    { target: 'core.agent.turn:1', text: 'const hit = 1;' },
    { target: 'core.agent.turn:3', text: 'const hit2 = hit;' },
    { target: 'core:1', text: 'export const hit = 1;' },
  ]);
  expect(await send(`<R:${hits[1]?.target}>`)).toBe('3|const hit2 = hit;');
  await agent.close();
});
