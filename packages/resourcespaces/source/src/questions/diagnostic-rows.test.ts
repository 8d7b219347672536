import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { ModuleFiles } from '../module-types/module-types.ts';
import { diagnosticRemarks } from './diagnostic-remarks.ts';
import { diagnosticRows } from './diagnostic-rows.ts';

const NOTHING = { diagnostics: [], total: 0, problems: [], unchecked: [], loose: [], isOutOfTime: false };

async function project() {
  const root = new WorkspaceRoot(temporaryFolder({ 'lib/a.ts': '', 'lib/b.ts': '' }));
  const index = new ModuleIndex(root);
  const files = new ModuleFiles(root, index);
  return { files, catalog: await index.catalog(), fileOf: (path: string) => files.fileOf(path) };
}

describe('the rows of a check', () => {
  it('are none when all was checked and nothing is wrong', async () => {
    expect(diagnosticRows(NOTHING, [], await project())).toBe('');
  });

  it('are none for what no tsconfig includes', async () => {
    const { fileOf, ...names } = await project();
    const loose = [fileOf('lib/a.ts')];
    expect(diagnosticRows({ ...NOTHING, unchecked: loose, loose }, [], names)).toBe('');
  });

  it('say what could not be checked: that nothing was found there means nothing', async () => {
    const { fileOf, ...names } = await project();
    const unchecked = [fileOf('lib/a.ts'), fileOf('lib/b.ts')];
    expect(diagnosticRows({ ...NOTHING, unchecked, isOutOfTime: true }, [], names)).toBe(
      'lib.a: not checked (no time)\nlib.b: not checked (no time)',
    );
    expect(diagnosticRows({ ...NOTHING, unchecked }, [], names)).toContain('lib.b: not checked (unreadable)');
  });

  it('are more than remarks for whoever reads, of which there are three at most', async () => {
    const { fileOf, ...names } = await project();
    const problems = [1, 2, 3, 4, 5].map((code) => ({ file: fileOf('tsconfig.json'), code, message: 'Wrong.' }));
    const shown = [1, 2, 3].map((code) => `settings: tsconfig.json: TS${code}: Wrong.`);
    expect(diagnosticRemarks({ ...NOTHING, problems }, { ...names, modules: [] })).toEqual([
      ...shown,
      'settings: 2 more problems',
    ]);
  });

  it('name every problem with settings once, after the type errors', async () => {
    const { fileOf, ...names } = await project();
    const problems = [1, 2, 3, 4, 4].map((code) => ({ file: fileOf('tsconfig.json'), code, message: 'Wrong.' }));
    const groups = [{ module: 'lib.a', lines: ['1: TS2322: No.', '2: TS2322: No.'] }];
    expect(diagnosticRows({ ...NOTHING, problems }, groups, names)).toBe(
      [
        'lib.a:1: TS2322: No.',
        'lib.a:2: TS2322: No.',
        ...[1, 2, 3, 4].map((code) => `settings: tsconfig.json: TS${code}: Wrong.`),
      ].join('\n'),
    );
  });
});
