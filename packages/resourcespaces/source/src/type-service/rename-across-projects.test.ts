import { describe, expect, it } from 'vitest';
import { TemporaryProject } from '../../test/temporary-project.ts';
import { listReferencedProjects } from './project-facts.ts';

/** Tests in a project of their own, which references that of the sources. */
function referencing(): TemporaryProject {
  const options = { target: 'es2022', module: 'nodenext', strict: true, lib: ['es2022'], types: [], composite: true };
  return new TemporaryProject({
    'tsconfig.json': '{ "files": [], "references": [{ "path": "./src" }, { "path": "./tests" }] }',
    'package.json': '{ "type": "module" }',
    'src/tsconfig.json': JSON.stringify({ compilerOptions: { ...options, outDir: '../dist' }, include: ['.'] }),
    'src/box.ts': 'export class Box { size = 1; }\n',
    'tests/tsconfig.json': `{
      // with a comment
      "compilerOptions": ${JSON.stringify({ ...options, outDir: '../dist' })},
      "include": ["."],
      "references": [{ "path": "../src/tsconfig.json" }],
    }`,
    'tests/box.test.ts': "import { Box } from '../src/box.js';\nexport const size: number = new Box().size;\n",
  });
}

describe('a project that references another one', () => {
  it('is changed with it, and checked at once', async () => {
    const project = referencing();
    const query = { ...project.find('src/box.ts', 'class |Box'), newName: 'Crate' };
    const plan = await project.service().renameEdits(query);
    expect(plan).toMatchObject({ type: 'edits', unchecked: [] });
    const files = plan.type === 'edits' ? plan.files.map(({ file }) => file) : [];
    expect(files).toEqual([project.path('src/box.ts'), project.path('tests/box.test.ts')]);
  });

  it('is the reason to refuse, when the change breaks it', async () => {
    const project = referencing();
    project.write(
      'tests/box.test.ts',
      "import { Box } from '../src/box.js';\nclass Crate {}\nexport const all = [Box, Crate];\n",
    );
    const query = { ...project.find('src/box.ts', 'class |Box'), newName: 'Crate' };
    expect(await project.service().renameEdits(query)).toMatchObject({ type: 'breaking' });
  });

  it('names those that it sees, directly or not', async () => {
    const project = new TemporaryProject({
      'a/tsconfig.json': '{ "references": [{ "path": "../b" }, { "path": "../c/tsconfig.build.json" }, null, {}] }',
      'b/tsconfig.json': '{ "references": [{ "path": "../a" }, { "path": "../d" }] }',
      'c/tsconfig.build.json': 'no settings',
    });
    const found = await listReferencedProjects(project.path('a/tsconfig.json'), project.files);
    const paths = ['b/tsconfig.json', 'c/tsconfig.build.json', 'a/tsconfig.json', 'd/tsconfig.json'];
    expect([...found]).toEqual(paths.map((path) => project.path(path)));
  });
});

describe('a file that is in two projects', () => {
  it('is changed with the symbol, whichever of the two the compiler names for it', async () => {
    const project = referencing();
    project.write('src/use.ts', "import { Box } from './box.js';\nexport const one = new Box();\n");
    project.write('tests/box.test.ts', "import { one } from '../src/use.js';\nexport const size: number = one.size;\n");
    const service = project.service();
    await service.diagnostics({ files: [project.path('tests/box.test.ts')] });
    await service.diagnostics();
    const plan = await service.renameEdits({ ...project.find('src/box.ts', 'class |Box'), newName: 'Crate' });
    expect(plan).toMatchObject({ type: 'edits', unchecked: [] });
  });
});
