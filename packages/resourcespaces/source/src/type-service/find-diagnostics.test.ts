// @module-tag long

import { describe, expect, it } from 'vitest';
import { type CheckedText, compareErrors } from './find-diagnostics.ts';
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
          lineText: 'export const two: string = one;',
        },
      ],
      total: 1,
      problems: [],
      unchecked: [],
      loose: [],
      isOutOfTime: false,
      version: '7.0.2',
      installed: undefined,
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

const FILES = {
  'tsconfig.json': TSCONFIG,
  'src/a.ts': 'export function one(): number {\n  return 1;\n}\n',
  'src/b.ts': "import { one } from './a.ts';\n\nexport const two: number = one();\n",
  'src/c.ts': 'export const wrong: string = 1;\n',
};

describe('introduced', () => {
  it('finds the new errors of a change that is not written, in the file and in those that use it', async () => {
    const project = new TemporaryProject(FILES);
    const after = 'export function one(): string {\n  return 1;\n}\n';
    const report = await project.service().introduced({ changes: [{ file: project.path('src/a.ts'), after }] });
    expect(report.introduced).toMatchObject([
      {
        file: project.path('src/a.ts'),
        line: 2,
        column: 3,
        code: 2322,
        message: "Type 'number' is not assignable to type 'string'.",
      },
      {
        file: project.path('src/b.ts'),
        line: 3,
        column: 14,
        code: 2322,
        message: "Type 'string' is not assignable to type 'number'.",
      },
    ]);
    expect(report).toMatchObject({ fixed: [], checked: 3, unchecked: [] });
    expect(project.read('src/a.ts')).toBe(FILES['src/a.ts']);
  });

  it('finds the errors that a change mends', async () => {
    const project = new TemporaryProject(FILES);
    const file = project.path('src/c.ts');
    const report = await project
      .service()
      .introduced({ changes: [{ file, after: "export const wrong: string = '1';\n" }] });
    expect(report.introduced).toEqual([]);
    expect(report.fixed).toMatchObject([{ file, line: 1, code: 2322 }]);
  });

  it('does not count an error that only moved to another line', async () => {
    const project = new TemporaryProject(FILES);
    const file = project.path('src/c.ts');
    const report = await project
      .service()
      .introduced({ changes: [{ file, after: `// A note.\n\n${FILES['src/c.ts']}` }] });
    expect(report).toMatchObject({ introduced: [], fixed: [] });
  });

  it('counts the same error once more when there is one more of it', async () => {
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG, 'src/a.ts': 'nope;\nnope;\nexport {};\n' });
    const file = project.path('src/a.ts');
    const report = await project
      .service()
      .introduced({ changes: [{ file, after: 'nope;\nnope;\nnope;\nexport {};\n' }] });
    expect(report.introduced).toHaveLength(1);
  });

  it('compares with the text that it is given, also when the change is written already', async () => {
    const project = new TemporaryProject(FILES);
    const service = project.service();
    const file = project.path('src/a.ts');
    await service.diagnostics();
    const after = "export function one(): string {\n  return 'one';\n}\n";
    project.write('src/a.ts', after);
    const { introduced } = await service.introduced({ changes: [{ file, before: FILES['src/a.ts'], after }] });
    expect(introduced).toMatchObject([{ file: project.path('src/b.ts'), code: 2322 }]);
  });

  it('compares with what is on disk now', async () => {
    const project = new TemporaryProject(FILES);
    const service = project.service();
    const changes = [{ file: project.path('src/c.ts'), after: FILES['src/c.ts'] }];
    expect(await service.introduced({ changes })).toMatchObject({ introduced: [], fixed: [] });
    project.write('src/c.ts', "export const wrong: string = '1';\n");
    expect((await service.introduced({ changes })).introduced).toMatchObject([{ code: 2322 }]);
  });

  it('checks a new file, and what looks for it', async () => {
    const project = new TemporaryProject({ ...FILES, 'src/d.ts': "export { five } from './e.ts';\n" });
    const file = project.path('src/e.ts');
    const report = await project.service().introduced({
      changes: [{ file, before: null, after: 'export const five: string = 5;\n' }],
    });
    expect(report.introduced).toMatchObject([{ file, code: 2322 }]);
    expect(report.fixed).toMatchObject([{ file: project.path('src/d.ts'), code: 2307 }]);
  });

  it('takes several changes as one', async () => {
    const project = new TemporaryProject(FILES);
    const report = await project.service().introduced({
      changes: [
        { file: project.path('src/a.ts'), after: FILES['src/a.ts'].replace('one', 'first') },
        { file: project.path('src/b.ts'), after: FILES['src/b.ts'].replaceAll('one', 'first') },
      ],
    });
    expect(report).toMatchObject({ introduced: [], fixed: [] });
  });

  it('always checks the changed files, and lists the others for which there was no time', async () => {
    const project = new TemporaryProject(FILES);
    const file = project.path('src/a.ts');
    const report = await project.service().introduced({ changes: [{ file, after: 'nope;\n' }], budgetMs: 0 });
    expect(report.introduced).toMatchObject([{ file, code: 2304 }]);
    expect(report.checked).toBe(1);
    expect(report.unchecked).toEqual([project.path('src/b.ts'), project.path('src/c.ts')]);
  });

  it('leaves nothing of the change behind', async () => {
    const project = new TemporaryProject(FILES);
    const service = project.service();
    await service.introduced({ changes: [{ file: project.path('src/a.ts'), after: 'nope;\n' }] });
    expect((await service.diagnostics()).diagnostics).toMatchObject([{ file: project.path('src/c.ts') }]);
  });
});

const compare = (...texts: Parameters<typeof compareErrors>) => {
  const { introduced, fixed, kept } = compareErrors(...texts);
  const linesOf = (some: typeof introduced) => some.map(({ line }) => line);
  return {
    introduced: linesOf(introduced),
    fixed: linesOf(fixed),
    kept: kept.map(({ was, is }) => [was.line, is.line]),
  };
};

describe('compareErrors', () => {
  it('sees the same error on another line, with another indentation, as the same', () => {
    expect(compare(errors('x;', [1]), errors('if (y) {\n  x;\n}', [2]))).toEqual({
      introduced: [],
      fixed: [],
      kept: [],
    });
  });

  it('sees another message or code as new', () => {
    const before = errors('x;', [1]);
    const other = { text: 'x;', diagnostics: before.diagnostics.map((one) => ({ ...one, message: 'other' })) };
    const code = { text: 'x;', diagnostics: before.diagnostics.map((one) => ({ ...one, code: 1 })) };
    for (const after of [other, code])
      expect(compare(before, after)).toEqual({ introduced: [1], fixed: [1], kept: [] });
  });

  it('sees the same error in a line that takes the place of its line as kept, elsewhere as new', () => {
    const before = errors('a;\nx;\nb;\nc;', [2]);
    expect(compare(before, errors('a;\ny;\nb;\nc;', [2]))).toEqual({ introduced: [], fixed: [], kept: [[2, 2]] });
    expect(compare(before, errors('a;\ny;\nz;\nb;\nc;', [3]))).toEqual({ introduced: [], fixed: [], kept: [[2, 3]] });
    expect(compare(before, errors('a;\n0;\nb;\ny;', [4]))).toEqual({ introduced: [4], fixed: [2], kept: [] });
    expect(compare(before, errors('a;\ny;\nb;\nc;\nx2;', [2, 5]))).toEqual({
      introduced: [5],
      fixed: [],
      kept: [[2, 2]],
    });
  });

  it('sees messages that differ by a renamed symbol as the same', () => {
    const named = (text: string, name: string) => ({
      text,
      diagnostics: errors(text, [1]).diagnostics.map((one) => ({ ...one, message: `no x in ${name}, ${name}s` })),
    });
    const renamed = { from: 'Box', to: 'Crate' };
    expect(compare(named('x;', 'Box'), named('x;', 'Crate'), renamed)).toMatchObject({ introduced: [1] });
    const quoted = (name: string): CheckedText => {
      const { text, diagnostics } = errors('x;', [1]);
      return { text, diagnostics: diagnostics.map((one) => ({ ...one, message: `no x in '${name}'` })) };
    };
    const [old, now] = [quoted('Box'), quoted('Crate')];
    expect(compare(old, now)).toMatchObject({ introduced: [1] });
    expect(compare(old, now, renamed)).toEqual({ introduced: [], fixed: [], kept: [] });
  });

  it('counts each of several that are the same, and takes the last ones for new', () => {
    expect(compare(errors('x;\nx;', [1, 2]), errors('x;\nx;\nx;\nx;', [1, 2, 3, 4]))).toEqual({
      introduced: [3, 4],
      fixed: [],
      kept: [],
    });
  });
});

function errors(text: string, lines: readonly number[]): CheckedText {
  return { text, diagnostics: lines.map((line) => ({ file: '/a.ts', line, column: 1, code: 2304, message: 'no x' })) };
}
