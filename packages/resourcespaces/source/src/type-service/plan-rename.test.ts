// @module-tag long

import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TemporaryProject, TSCONFIG } from '../../test/temporary-project.ts';
import { findCompiler } from './project-facts.ts';
import type { RenamePlan } from './plan-rename.ts';
import { applyEdits } from '../language/outline.ts';

const JSX = TSCONFIG.replace('"strict"', '"jsx":"preserve","strict"');

describe('renameEdits', () => {
  it('changes imports and exports, keeps other names, and follows modules that pass the name on', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': 'export function make(n: number): number {\n  return n;\n}\nexport default make;\n',
      'src/b.ts':
        "import { make } from './a.ts';\nimport { make as m } from './a.ts';\nimport d from './a.ts';\nmake(m(d(1)));\n",
      'src/c.ts': "export { make } from './a.ts';\nexport { make as brew } from './a.ts';\n",
      'src/d.ts': "import { brew, make } from './c.ts';\nimport * as all from './c.ts';\nall.make(brew(make(1)));\n",
    });
    expect(await renamed(project, 'src/a.ts', 'function |make', 'build')).toEqual({
      'src/a.ts': 'export function build(n: number): number {\n  return n;\n}\nexport default build;\n',
      'src/b.ts':
        "import { build } from './a.ts';\nimport { build as m } from './a.ts';\nimport d from './a.ts';\nbuild(m(d(1)));\n",
      'src/c.ts': "export { build } from './a.ts';\nexport { build as brew } from './a.ts';\n",
      'src/d.ts': "import { brew, build } from './c.ts';\nimport * as all from './c.ts';\nall.build(brew(build(1)));\n",
    });
  });

  it('follows a name that is exported in a list', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': 'function make(): void {}\nexport { make };\n',
      'src/b.ts': "import { make } from './a.ts';\nmake();\n",
    });
    expect(await renamed(project, 'src/a.ts', 'function |make', 'build')).toEqual({
      'src/a.ts': 'function build(): void {}\nexport { build };\n',
      'src/b.ts': "import { build } from './a.ts';\nbuild();\n",
    });
  });

  it('writes short properties out when only the value or only the property changes its name', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': 'export const size = 1;\nexport const box = { size };\nexport const { size: again } = box;\n',
      'src/b.ts':
        'export interface Point {\n  x: number;\n}\nconst x = 1;\nexport const p: Point = { x };\nexport const f = ({ x }: Point) => x;\n',
    });
    expect(await renamed(project, 'src/a.ts', 'const |size', 'width')).toEqual({
      'src/a.ts': 'export const width = 1;\nexport const box = { size: width };\nexport const { size: again } = box;\n',
    });
    expect(await renamed(project, 'src/b.ts', '|x: number', 'left')).toEqual({
      'src/b.ts':
        'export interface Point {\n  left: number;\n}\nconst x = 1;\nexport const p: Point = { left: x };\nexport const f = ({ left: x }: Point) => x;\n',
    });
  });

  it('changes the tags of JSX, and links but no prose in doc comments', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': JSX,
      'src/a.tsx':
        'declare global { namespace JSX { interface Element {} interface ElementClass {} } }\n' +
        '/** A Panel; see {@link Panel}. */\nexport function Panel(props: { children?: unknown }) {\n  return props as JSX.Element;\n}\n' +
        "export const page = <Panel>Panel</Panel>;\nexport const text = 'Panel';\n",
    });
    const result = await renamed(project, 'src/a.tsx', 'function |Panel', 'Card');
    expect((result as Record<string, string>)['src/a.tsx']).toBe(
      'declare global { namespace JSX { interface Element {} interface ElementClass {} } }\n' +
        '/** A Panel; see {@link Card}. */\nexport function Card(props: { children?: unknown }) {\n  return props as JSX.Element;\n}\n' +
        "export const page = <Card>Panel</Card>;\nexport const text = 'Panel';\n",
    );
  });

  it('renames members, private ones and those that a subclass overrides', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts':
        'export class A {\n  #n = 1;\n  run(): number {\n    return this.#n;\n  }\n}\n' +
        'export class B extends A {\n  override run(): number {\n    return super.run();\n  }\n}\n' +
        "new B().run();\nnew B()['run']();\n",
    });
    expect(await renamed(project, 'src/a.ts', '|run', 'go')).toEqual({
      'src/a.ts':
        'export class A {\n  #n = 1;\n  go(): number {\n    return this.#n;\n  }\n}\n' +
        'export class B extends A {\n  override go(): number {\n    return super.go();\n  }\n}\n' +
        "new B().go();\nnew B()['go']();\n",
    });
    const secret = (await renamed(project, 'src/a.ts', '|#n = 1', '#count')) as Record<string, string>;
    expect(secret['src/a.ts']).toContain('#count = 1;\n  run(): number {\n    return this.#count;');
  });

  it('renames in JavaScript files that belong to no project', async () => {
    const project = new TemporaryProject({
      'd.js': 'export const kind = 1;\n',
      'e.js': "import { kind } from './d.js';\nexport const o = { kind };\n",
      'sub/g.mjs': "export { kind } from '../d.js';\n",
      'sub/h.mjs': "import { kind } from './g.mjs';\nkind;\n",
    });
    expect(await renamed(project, 'd.js', '|kind', 'sort')).toEqual({
      'd.js': 'export const sort = 1;\n',
      'e.js': "import { sort } from './d.js';\nexport const o = { kind: sort };\n",
      'sub/g.mjs': "export { sort } from '../d.js';\n",
      'sub/h.mjs': "import { sort } from './g.mjs';\nsort;\n",
    });
  });

  it('refuses a name that is invalid, reserved, or the same', async () => {
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG, 'src/a.ts': 'export const one = 1;\n' });
    const reasons = [];
    for (const name of ['a-b', '', '1st', 'class', 'one', '#one', 'a b']) {
      reasons.push(await renamed(project, 'src/a.ts', '|one', name));
    }
    expect(reasons).toEqual([
      "'a-b' is not an identifier",
      "'' is not an identifier",
      "'1st' is not an identifier",
      "'class' is a reserved word",
      'it is called one already',
      "'#one' and 'one' are not both private",
      "'a b' is not an identifier",
    ]);
  });

  it('refuses a place without a name, and a symbol that others declare', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts':
        "import { three } from '../dist/b.ts';\nexport const one = Math.max(three); // here\nexport const two = 'two';\n",
      'dist/b.ts': 'export const three = 3;\n',
    });
    expect(await renamed(project, 'src/a.ts', '|// here', 'x')).toBe('there is no name at this place');
    expect(await renamed(project, 'src/a.ts', '|three', 'four')).toBe('three is declared outside of the sources');
    expect(await renamed(project, 'src/a.ts', '|max', 'most')).toBe('max cannot be renamed');
    expect(await renamed(project, 'src/a.ts', "'|two'", 'x')).toBe('two cannot be renamed');
  });

  it('is refused when a new name causes errors', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': 'export const one = 1;\nexport const two = 2;\n',
    });
    expect(await renamed(project, 'src/a.ts', '|one', 'two')).toMatchObject({
      introduced: [
        { file: project.path('src/a.ts'), line: 1, message: "Cannot redeclare block-scoped variable 'two'." },
        { file: project.path('src/a.ts'), line: 2, message: "Cannot redeclare block-scoped variable 'two'." },
      ],
    });
  });

  it('is refused when a use would silently refer to something else', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': 'export const one = 1;\n',
      'src/b.ts': "import { one } from './a.ts';\nexport function f(two: number): number {\n  return one + two;\n}\n",
    });
    expect(await renamed(project, 'src/a.ts', '|one', 'two')).toEqual({
      type: 'breaking',
      introduced: [],
      captured: ['src/b.ts'],
    });
  });

  it('is refused when two interfaces would become one', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': 'export interface One {\n  a?: 1;\n}\nexport interface Two {\n  b?: 1;\n}\n',
    });
    expect(await renamed(project, 'src/a.ts', '|One', 'Two')).toEqual({
      type: 'breaking',
      introduced: [],
      captured: ['src/a.ts'],
    });
  });

  it('changes no file that is not among the sources, and is refused when such a file would need a change', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG.replace('["src"]', '["src","dist"]'),
      'src/a.ts': 'export const one = 1;\n',
      'dist/b.ts': "import { one } from '../src/a.ts';\none;\n",
    });
    expect(await renamed(project, 'src/a.ts', '|one', 'two')).toMatchObject({
      introduced: [
        { file: project.path('dist/b.ts'), line: 1, message: `Module '"../src/a.ts"' has no exported member 'one'.` },
      ],
    });
  });

  it('does not mind errors that were there before', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts':
        'export class Box {}\nnew Box().size;\nexport const b: Box = 1 as unknown as Box;\nconst s: string = new Box();\n',
    });
    expect(await renamed(project, 'src/a.ts', 'class |Box', 'Crate')).toEqual({
      'src/a.ts':
        'export class Crate {}\nnew Crate().size;\nexport const b: Crate = 1 as unknown as Crate;\nconst s: string = new Crate();\n',
    });
  });

  it.each(['source', 'built'])('changes another package that sees the %s', async (seen) => {
    const project = workspace(seen === 'built');
    const plan = await project
      .service()
      .renameEdits({ ...project.find('one/src/a.ts', 'class |Box'), newName: 'Crate' });
    expect(resultOf(project, plan)).toEqual({
      'one/src/a.ts': 'export class Crate { size = 1; }\n',
      'one/src/index.ts': "export { Crate } from './a.ts';\n",
      'two/src/b.ts':
        "import { Crate } from 'one';\nexport const o = { Box: Crate, size: new Crate().size };\nexport { Crate } from 'one';\n",
      'two/src/c.ts': "import { Crate } from './b.ts';\nnew Crate();\n",
    });
    const unchecked = seen === 'built' ? [project.path('two/src/b.ts'), project.path('two/src/c.ts')] : [];
    expect(plan).toMatchObject({ unchecked });
    expect(await renamed(project, 'one/src/a.ts', '|size', 'width')).toMatchObject({
      'one/src/a.ts': 'export class Box { width = 1; }\n',
      'two/src/b.ts':
        "import { Box } from 'one';\nexport const o = { Box, size: new Box().width };\nexport { Box } from 'one';\n",
    });
  });
});

function workspace(built: boolean): TemporaryProject {
  const settings = TSCONFIG.replace(
    '"noEmit":true,"allowImportingTsExtensions":true',
    '"rootDir":"src","outDir":"dist","declaration":true,"declarationMap":true,"rewriteRelativeImportExtensions":true',
  );
  const project = new TemporaryProject({
    'one/package.json': JSON.stringify({
      name: 'one',
      type: 'module',
      exports: built ? { types: './dist/index.d.ts', default: './dist/index.js' } : './src/index.ts',
    }),
    'one/tsconfig.json': settings,
    'one/src/a.ts': 'export class Box { size = 1; }\n',
    'one/src/index.ts': "export { Box } from './a.ts';\n",
    'two/tsconfig.json': TSCONFIG,
    'two/src/b.ts':
      "import { Box } from 'one';\nexport const o = { Box, size: new Box().size };\nexport { Box } from 'one';\n",
    'two/src/c.ts': "import { Box } from './b.ts';\nnew Box();\n",
  });
  project.link('two/node_modules/one', project.path('one'));
  if (built) execFileSync(findCompiler(), ['-p', 'one'], { cwd: project.folder });
  return project;
}

/** The changed files, by path; or why there are none. */
async function renamed(project: TemporaryProject, path: string, marked: string, newName: string): Promise<unknown> {
  return resultOf(project, await project.service().renameEdits({ ...project.find(path, marked), newName }));
}

function resultOf(project: TemporaryProject, plan: RenamePlan): unknown {
  if (plan.type === 'refused') return plan.reason;
  if (plan.type === 'breaking')
    return { ...plan, captured: plan.captured.map((file) => relative(project.folder, file)) };
  const texts = plan.files.map(({ file, edits }) => {
    const path = relative(project.folder, file);
    return [path, applyEdits(project.read(path), edits)];
  });
  return Object.fromEntries(texts);
}
