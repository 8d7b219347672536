import { describe, expect, it } from 'vitest';
import { TemporaryProject, TSCONFIG } from '../../test/temporary-project.ts';
import { parseProjectFacts, readProjectFacts } from './project-facts.ts';

const OUTPUT = `tsconfig.json(1,47): error TS5102: Option 'baseUrl' has been removed. Please remove it from your configuration.
  Use '"paths": {"*": ["./*"]}' instead.
../base.json(3,5): error TS5023: Unknown compiler option 'nonsense'.
error TS5083: Cannot read file '/p/nope.json'.
/p/node_modules/typescript/lib/lib.d.ts
/p/one/src/a.ts
/p/one/src/my file (1,2).tsx
/p/two/dist/index.d.ts
`;

describe('parseProjectFacts', () => {
  it('separates files from problems, and leaves out what is installed or built', () => {
    expect(parseProjectFacts(OUTPUT, '/p/one/tsconfig.json')).toEqual({
      files: ['/p/one/src/a.ts', '/p/one/src/my file (1,2).tsx'],
      problems: [
        {
          file: '/p/one/tsconfig.json',
          line: 1,
          code: 5102,
          message:
            "Option 'baseUrl' has been removed. Please remove it from your configuration. " +
            `Use '"paths": {"*": ["./*"]}' instead.`,
        },
        { file: '/p/base.json', line: 3, code: 5023, message: "Unknown compiler option 'nonsense'." },
        { file: '/p/one/tsconfig.json', code: 5083, message: "Cannot read file '/p/nope.json'." },
      ],
    });
  });

  it('is empty for an empty output', () => {
    expect(parseProjectFacts('', '/p/tsconfig.json')).toEqual({ files: [], problems: [] });
  });
});

describe('readProjectFacts', () => {
  it('lists the files of a project without checking or writing any', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG.replace(
        '"noEmit":true,"allowImportingTsExtensions":true',
        '"rootDir":"src","outDir":"dist"',
      ),
      'src/a.ts': 'const wrong: string = 1;\n',
      'other/b.ts': 'export {};\n',
    });
    const facts = await readProjectFacts(project.path('tsconfig.json'), new AbortController().signal);
    expect(facts).toEqual({ files: [project.path('src/a.ts')], problems: [] });
    expect(() => project.read('dist/a.js')).toThrow('ENOENT');
  });

  it('stops when the signal fires', async () => {
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG });
    const reason = new Error('enough');
    await expect(readProjectFacts(project.path('tsconfig.json'), AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
