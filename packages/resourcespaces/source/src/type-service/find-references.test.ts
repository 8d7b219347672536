import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TemporaryProject, TSCONFIG } from '../../test/temporary-project.ts';
import { findCompiler } from './project-facts.ts';
import type { Reference } from './find-references.ts';

const FILES = {
  'tsconfig.json': TSCONFIG,
  'src/a.ts':
    "/** Makes: see {@link make}. */\nexport function make(n: number): number {\n  return n;\n}\nconst s = 'make';\n",
  'src/b.ts':
    "import { make } from './a.ts';\nexport { make as build } from './a.ts';\n\nconst o = { make };\no.make(make(1));\n",
  'src/c.ts': "import { build } from './b.ts';\n  build(2); // make\n",
};

describe('references', () => {
  it('finds where a symbol is named, through other names too, and nothing in comments and strings', async () => {
    const project = new TemporaryProject(FILES);
    const found = await project.service().references(project.find('src/a.ts', 'function |make'));
    expect(show(project, found)).toEqual([
      'src/a.ts:1 make  /** Makes: see {@link make}. */',
      'src/a.ts:2 make* export function make(n: number): number {',
      "src/b.ts:1 make  import { make } from './a.ts';",
      "src/b.ts:2 make  export { make as build } from './a.ts';",
      "src/b.ts:2 build  export { make as build } from './a.ts';",
      'src/b.ts:4 make  const o = { make };',
      'src/b.ts:5 make  o.make(make(1));',
      "src/c.ts:1 build  import { build } from './b.ts';",
      'src/c.ts:2 build  build(2); // make',
    ]);
  });

  it('finds the same from a use', async () => {
    const project = new TemporaryProject(FILES);
    const service = project.service();
    const here = await service.references(project.find('src/b.ts', 'o.make(|make(1)'));
    expect(here).toEqual(await service.references(project.find('src/a.ts', 'function |make')));
  });

  it('counts characters as UTF-16, and lines by any line end', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': "\uFEFF/* 🙂é */ export const one = '🙂'; one;\r\none;\rexport const two = one;\r\n",
    });
    const found = await project.service().references(project.find('src/a.ts', 'const |one'));
    const text = project.read('src/a.ts');
    expect(found.map(({ start }) => readName(text, start))).toEqual(['one', 'one', 'one', 'one']);
    expect(found.map(({ line }) => line)).toEqual([1, 1, 2, 3]);
  });

  it('finds nothing at a place without a name', async () => {
    const project = new TemporaryProject(FILES);
    expect(await project.service().references({ file: project.path('src/c.ts'), offset: 33 })).toEqual([]);
    expect(await project.service().references({ file: project.path('src/none.ts'), offset: 0 })).toEqual([]);
  });

  it('finds the uses in files that belong to no project', { tags: ['long'] }, async () => {
    const project = new TemporaryProject({
      'd.js': 'export const kind = 1;\n',
      'e.js': "import { kind } from './d.js';\nexport const twice = kind * 2;\n",
    });
    const found = await project.service().references(project.find('d.js', '|kind'));
    expect(show(project, found)).toEqual([
      'd.js:1 kind* export const kind = 1;',
      "e.js:1 kind  import { kind } from './d.js';",
      'e.js:2 kind  export const twice = kind * 2;',
    ]);
  });

  it.each(['source', 'built'])(
    'finds the uses in another package that sees the %s',
    { tags: ['long'] },
    async (seen) => {
      const project = workspace(seen === 'built');
      const found = await project.service().references(project.find('one/src/a.ts', 'class |Box'));
      expect(show(project, found)).toEqual([
        'one/src/a.ts:1 Box* export class Box { size = 1; }',
        "two/src/b.ts:1 Box  import { Box } from 'one';",
        'two/src/b.ts:2 Box  export const size = new Box().size;',
      ]);
      const member = await project.service().references(project.find('one/src/a.ts', '|size'));
      expect(show(project, member)).toEqual([
        'one/src/a.ts:1 size* export class Box { size = 1; }',
        'two/src/b.ts:2 size  export const size = new Box().size;',
      ]);
    },
  );
});

/** Two packages, of which one uses the other. */
function workspace(built: boolean): TemporaryProject {
  const project = new TemporaryProject({
    'one/package.json': JSON.stringify({
      name: 'one',
      type: 'module',
      exports: built ? { types: './dist/a.d.ts', default: './dist/a.js' } : './src/a.ts',
    }),
    'one/tsconfig.json': TSCONFIG.replace(
      '"noEmit":true,"allowImportingTsExtensions":true',
      '"rootDir":"src","outDir":"dist","declaration":true,"declarationMap":true',
    ),
    'one/src/a.ts': 'export class Box { size = 1; }\n',
    'two/tsconfig.json': TSCONFIG,
    'two/src/b.ts': "import { Box } from 'one';\nexport const size = new Box().size;\n",
    'two/src/c.ts': 'export class Box { size = 2; }\n',
  });
  project.link('two/node_modules/one', project.path('one'));
  if (built) execFileSync(findCompiler(), ['-p', 'one'], { cwd: project.folder });
  return project;
}

function show(project: TemporaryProject, references: readonly Reference[]): readonly string[] {
  return references.map(({ file, line, start, text, isDefinition }) => {
    const path = relative(project.folder, file);
    return `${path}:${line} ${readName(project.read(path), start)}${isDefinition ? '*' : ' '} ${text}`;
  });
}

function readName(text: string, start: number): string {
  return /^[\w$#]*/.exec(text.slice(start))![0];
}
