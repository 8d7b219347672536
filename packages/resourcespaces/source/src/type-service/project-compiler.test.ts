// @module-tag long

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { TemporaryProject } from '../../test/temporary-project.ts';

const TYPESCRIPT_5 = dirname(fileURLToPath(import.meta.resolve('typescript-5/package.json')));

// Version 5 is not strict by default, and includes all packages of types; version 7 is, and does not.
const FILES = {
  'tsconfig.json': '{ "compilerOptions": { "noEmit": true, "lib": ["es2022"] }, "include": ["src"] }',
  'node_modules/@types/clock/package.json': '{ "name": "@types/clock", "version": "1.0.0", "types": "index.d.ts" }',
  'node_modules/@types/clock/index.d.ts': 'declare const clock: { readonly now: number };\n',
  'src/a.ts': 'export function add(one, other) {\n  return one + other + clock.now;\n}\n',
  'src/b.ts': "import { add } from './a';\nexport const sum: string = add(1, 2);\nexport const wrong: string = 5;\n",
};

function createProject(files: Readonly<Record<string, string>> = FILES): TemporaryProject {
  const project = new TemporaryProject(files);
  project.link('node_modules/typescript', TYPESCRIPT_5);
  return project;
}

/** A project whose TypeScript has this text at its end. */
function changeLibrary(project: TemporaryProject, added: string, version = '5.9.3'): void {
  mkdirSync(project.path('node_modules/typescript/lib'), { recursive: true });
  const file = 'node_modules/typescript/lib/typescript.js';
  copyFileSync(join(TYPESCRIPT_5, 'lib/typescript.js'), project.path(file));
  writeFileSync(project.path(file), `${readFileSync(project.path(file), 'utf8')}${added}`);
  project.write('node_modules/typescript/package.json', JSON.stringify({ name: 'typescript', version }));
}

describe("a project's own TypeScript", () => {
  it('finds the errors that the project has, and no others', async () => {
    const { diagnostics, version } = await createProject().service().diagnostics();
    expect(diagnostics.map(({ line, code }) => [line, code])).toEqual([[3, 2322]]);
    expect(version).toBe('5.9.3');
    const others = await new TemporaryProject(FILES).service().diagnostics();
    expect(others.diagnostics.map(({ code }) => code)).toEqual([7006, 7006, 2304, 2322]);
  });

  it('is named where errors are listed', async () => {
    const { send, folder } = openSource(FILES);
    mkdirSync(join(folder, 'node_modules/typescript/lib'), { recursive: true });
    for (const file of ['package.json', 'lib/typescript.js', 'lib/lib.es2022.d.ts']) {
      copyFileSync(join(TYPESCRIPT_5, file), join(folder, 'node_modules/typescript', file));
    }
    expect((await send('<diagnostics:b>')).split('\n')[0]).toContain('(1 module checked with TypeScript 5.9.3)');
  });

  it('compares a change with what was there before, also of a file that does not exist', async () => {
    const project = createProject();
    const service = project.service();
    const fresh = project.path('src/c.ts');
    const changes = [
      { file: project.path('src/b.ts'), after: 'export const wrong: string = 5;\nexport const worse: number = "";\n' },
      { file: fresh, before: null, after: 'export const late: number = clock;\n' },
    ];
    const { introduced, checked } = await service.introduced({ changes });
    expect(introduced.map(({ file, line, code }) => [file.slice(-4), line, code])).toEqual([
      ['b.ts', 2, 2322],
      ['c.ts', 1, 2322],
    ]);
    expect(checked).toBe(3);
    expect((await service.diagnostics()).total).toBe(1);
  });

  it('sees what changes on disk', async () => {
    const project = createProject();
    const service = project.service();
    expect((await service.diagnostics()).total).toBe(1);
    project.write('src/b.ts', 'export const right = 5;\n');
    expect((await service.diagnostics()).total).toBe(0);
    project.write('src/c.ts', "import { right } from './b';\nexport const text: string = right;\n");
    expect((await service.diagnostics()).total).toBe(1);
    project.remove('src/b.ts');
    expect((await service.diagnostics()).diagnostics.map(({ code }) => code)).toEqual([2307]);
    project.write('tsconfig.json', FILES['tsconfig.json'].replace('"noEmit"', '"strict": true, "noEmit"'));
    expect((await service.diagnostics()).diagnostics.map(({ code }) => code)).toEqual([7006, 7006, 2307]);
  });

  it('reports settings that cannot be read, and files that are missing', async () => {
    const project = createProject({ ...FILES, 'tsconfig.json': '{ "extends": "./none.json", "include": ["src"] }' });
    const missing = project.path('src/none.ts');
    const report = await project.service().diagnostics({ files: [project.path('src/a.ts'), missing] });
    expect(report.problems.map(({ message }) => message)).toEqual([expect.stringContaining(`none.json'`)]);
    expect(report.unchecked).toEqual([missing]);
  });

  it('is not executed when its text is not the published one', async () => {
    const project = new TemporaryProject(FILES);
    const trace = project.path('executed');
    changeLibrary(project, `\nrequire('fs').writeFileSync(${JSON.stringify(trace)}, '');\n`);
    const report = await project.service().diagnostics();
    expect(report).toMatchObject({ version: '7.0.2', installed: '5.9.3' });
    expect(existsSync(trace)).toBe(false);
  });

  it('is not executed when its version is not known', async () => {
    const project = new TemporaryProject(FILES);
    changeLibrary(project, '', '5.9.99');
    expect(await project.service().diagnostics()).toMatchObject({ version: '7.0.2', installed: '5.9.99' });
  });

  it('loads no module and no plugin of the project', async () => {
    const settings = { compilerOptions: { noEmit: true, plugins: [{ name: 'spy' }] }, include: ['src'] };
    const project = createProject({ ...FILES, 'tsconfig.json': JSON.stringify(settings) });
    const trace = project.path('executed');
    const spy = `require('fs').writeFileSync(${JSON.stringify(trace)}, '');`;
    for (const name of ['spy', 'source-map-support']) {
      project.write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
      project.write(`node_modules/${name}/index.js`, spy);
    }
    expect(await project.service().diagnostics()).toMatchObject({ total: 1, version: '5.9.3' });
    expect(existsSync(trace)).toBe(false);
  });

  it('starts again when it was killed', async () => {
    const project = createProject();
    const service = project.service();
    await service.diagnostics();
    const { pid } = service;
    process.kill(pid as number, 'SIGKILL');
    expect((await service.diagnostics()).total).toBe(1);
    expect(service.pid).not.toBe(pid);
  });
});
