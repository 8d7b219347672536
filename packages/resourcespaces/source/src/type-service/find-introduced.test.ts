import { describe, expect, it } from 'vitest';
import { TemporaryProject, TSCONFIG } from '../../test/temporary-project.ts';
import { compareDiagnostics, type CheckedText } from './find-diagnostics.ts';

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
    expect(report.introduced).toEqual([
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

describe('compareDiagnostics', () => {
  it('sees the same error on another line, with another indentation, as the same', () => {
    expect(compareDiagnostics(errors('x;', [1]), errors('if (y) {\n  x;\n}', [2]))).toEqual({
      introduced: [],
      fixed: [],
    });
  });

  it('sees another message, or the same on another text, as new', () => {
    const before = errors('x;', [1]);
    const after = errors('y;', [1]);
    expect(compareDiagnostics(before, after)).toEqual({ introduced: after.diagnostics, fixed: before.diagnostics });
    const other = { text: 'x;', diagnostics: before.diagnostics.map((one) => ({ ...one, message: 'other' })) };
    expect(compareDiagnostics(before, other)).toEqual({ introduced: other.diagnostics, fixed: before.diagnostics });
    const code = { text: 'x;', diagnostics: before.diagnostics.map((one) => ({ ...one, code: 1 })) };
    expect(compareDiagnostics(before, code).introduced).toHaveLength(1);
  });

  it('counts each of several that are the same, and takes the last ones for new', () => {
    const { introduced, fixed } = compareDiagnostics(errors('x;\nx;', [1, 2]), errors('x;\nx;\nx;\nx;', [1, 2, 3, 4]));
    expect(introduced.map(({ line }) => line)).toEqual([3, 4]);
    expect(fixed).toEqual([]);
  });
});

function errors(text: string, lines: readonly number[]): CheckedText {
  return { text, diagnostics: lines.map((line) => ({ file: '/a.ts', line, column: 1, code: 2304, message: 'no x' })) };
}
