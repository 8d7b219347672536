import { describe, expect, it } from 'vitest';
import { TemporaryProject, TSCONFIG } from '../../test/temporary-project.ts';

const WRONG = "import { one } from './a.ts';\n\nexport const two: string = one;\n";

describe('diagnostics', () => {
  it('names file, line, column, code and message of an error', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': 'export const one = 1;\n',
      'src/b.ts': WRONG,
    });
    expect(await project.service().diagnostics()).toEqual({
      diagnostics: [
        {
          file: project.path('src/b.ts'),
          line: 3,
          column: 14,
          code: 2322,
          message: "Type 'number' is not assignable to type 'string'.",
        },
      ],
      total: 1,
      problems: [],
      unchecked: [],
      loose: [],
      isOutOfTime: false,
    });
  });

  it('checks only the requested files, and lists those that it cannot check', async () => {
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG, 'src/a.ts': 'export {};\n', 'src/b.ts': 'x;\n' });
    const missing = project.path('src/c.ts');
    const report = await project.service().diagnostics({ files: [project.path('src/a.ts'), missing] });
    expect(report).toMatchObject({ total: 0, unchecked: [missing] });
  });

  it('reports syntax errors', async () => {
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG, 'src/a.ts': 'export const one = ;\n' });
    const { diagnostics } = await project.service().diagnostics();
    expect(diagnostics).toMatchObject([{ line: 1, code: 1109, message: 'Expression expected.' }]);
  });

  it('leaves out hints and warnings', async () => {
    const text =
      'export function f(): void {\n  const unused = 1;\n}\n/** @deprecated */\nexport const old = 1;\nold;\n';
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG, 'src/a.ts': text });
    expect((await project.service().diagnostics()).total).toBe(0);
  });

  it('checks each file by the settings of its own project', async () => {
    const loose = JSON.stringify({ compilerOptions: { strict: false, types: [], noEmit: true } });
    const text = 'export function f(a): number { return a; }\n';
    const project = new TemporaryProject({
      'one/tsconfig.json': TSCONFIG,
      'one/src/a.ts': text,
      'two/tsconfig.json': loose,
      'two/src/a.ts': text,
    });
    const { diagnostics } = await project.service().diagnostics();
    expect(diagnostics).toMatchObject([{ file: project.path('one/src/a.ts'), code: 7006 }]);
  });

  it('finds the errors of JavaScript files that belong to no project', async () => {
    const project = new TemporaryProject({
      'a.js': "import { b } from './b.js';\nexport const c = b +;\n",
      'b.js': 'export const b = 1;\n',
    });
    const { diagnostics } = await project.service().diagnostics();
    expect(diagnostics).toMatchObject([{ file: project.path('a.js'), line: 2, code: 1109 }]);
  });

  it('reports the options of an old project that the compiler has removed', async () => {
    const compilerOptions = { target: 'es5', module: 'commonjs', moduleResolution: 'node', baseUrl: '.', types: [] };
    const project = new TemporaryProject({
      'tsconfig.json': JSON.stringify({ compilerOptions }, undefined, 2),
      'src/a.ts': 'export const a = 1;\n',
    });
    const { problems } = await project.service().diagnostics();
    const file = project.path('tsconfig.json');
    expect(problems).toEqual([
      {
        file,
        line: 3,
        code: 5108,
        message: "Option 'target=ES5' has been removed. Please remove it from your configuration.",
      },
      {
        file,
        line: 5,
        code: 5108,
        message: "Option 'moduleResolution=node10' has been removed. Please remove it from your configuration.",
      },
      {
        file,
        line: 6,
        code: 5102,
        message:
          "Option 'baseUrl' has been removed. Please remove it from your configuration. " +
          `Use '"paths": {"*": ["./*"]}' instead.`,
      },
    ]);
  });

  it('reports settings that cannot be read', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': '{ "extends": "./base.json", "compilerOptions": { "strict": tru } }',
      'src/a.ts': 'export const a: string = 1;\n',
    });
    const { problems, total } = await project.service().diagnostics();
    expect(total).toBe(1);
    expect(problems.map(({ message }) => message)).toContain(`Cannot read file '${project.path('base.json')}'.`);
  });

  it('follows the references of a project that has no files of its own', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.build.json" }] }',
      'tsconfig.build.json': TSCONFIG.replace('"noEmit":true', '"composite":true,"emitDeclarationOnly":true'),
      'src/a.ts': 'export function f(a) {}\n',
    });
    const report = await project.service().diagnostics();
    expect(report).toMatchObject({ total: 1, problems: [], diagnostics: [{ code: 7006 }] });
  });

  it('sees what changed on disk', async () => {
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG, 'src/b.ts': WRONG });
    const service = project.service();
    expect((await service.diagnostics()).diagnostics).toMatchObject([{ code: 2307 }]);
    project.write('src/a.ts', "export const one = 'one';\n");
    expect((await service.diagnostics()).total).toBe(0);
    project.write('src/a.ts', 'export const one = 1;\n');
    expect((await service.diagnostics()).diagnostics).toMatchObject([{ code: 2322 }]);
    project.remove('src/a.ts');
    expect((await service.diagnostics()).diagnostics).toMatchObject([{ code: 2307 }]);
  });

  it('counts what settings forbid as errors', async () => {
    const settings = TSCONFIG.replace('"strict":true', '"strict":true,"noUnusedLocals":true');
    const files = { 'src/a.ts': 'const unused = 1;\nexport {};\n' };
    const forbidden = new TemporaryProject({ ...files, 'tsconfig.json': settings });
    expect((await forbidden.service().diagnostics()).diagnostics).toMatchObject([{ code: 6133 }]);
    expect((await new TemporaryProject({ ...files, 'tsconfig.json': TSCONFIG }).service().diagnostics()).total).toBe(0);
  });

  it('leaves out what no settings include, unless that is all there is', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': 'export {};\n',
      'tool.ts': 'nope;\nexport {};\n',
    });
    const service = project.service();
    const tool = project.path('tool.ts');
    const left = { total: 0, unchecked: [tool], loose: [tool], isOutOfTime: false };
    expect(await service.diagnostics({ projectsOnly: true })).toMatchObject(left);
    expect(await service.diagnostics({ projectsOnly: true, files: [tool] })).toMatchObject({ total: 1, loose: [tool] });
    expect(await service.diagnostics()).toMatchObject({ total: 1, unchecked: [] });
  });

  it('begins no further file when the time is used up', async () => {
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG, 'src/a.ts': 'nope;\nexport {};\n' });
    const report = await project.service().diagnostics({ budgetMs: 0 });
    expect(report).toMatchObject({ total: 0, unchecked: [project.path('src/a.ts')], isOutOfTime: true });
  });

  it('sees changed settings', async () => {
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG, 'src/a.ts': 'export function f(a) {}\n' });
    const service = project.service();
    expect((await service.diagnostics()).total).toBe(1);
    project.write('tsconfig.json', TSCONFIG.replace('"strict":true', '"strict":false,"baseUrl":"."'));
    expect(await service.diagnostics()).toMatchObject({ total: 0, problems: [{ code: 5102 }] });
  });
});
