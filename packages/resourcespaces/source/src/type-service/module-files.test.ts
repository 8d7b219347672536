import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WorkspaceRoot } from '@bae/workspace';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { TSCONFIG } from '../../test/temporary-project.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { ModuleFiles } from './module-files.ts';
import { TypeService } from './type-service.ts';

const FILES = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': TSCONFIG,
  '.gitignore': 'node_modules\ndist\n',
  'src/a.ts': "import { b } from './b.ts';\nexport const a: number = b;\n",
  'src/b.ts': 'export const b = 1;\n',
};

function open(files: Readonly<Record<string, string>> = FILES) {
  const folder = temporaryFolder(files);
  const root = new WorkspaceRoot(folder);
  const types = new TypeService(new ModuleFiles(root, new ModuleIndex(root)));
  onTestFinished(() => types[Symbol.asyncDispose]());
  return {
    types,
    change: (path: string, text: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    remove: (path: string): void => rmSync(join(folder, path)),
    link: (path: string, target: string): void => symlinkSync(target, join(folder, path)),
    total: () => types.diagnostics().then(({ total }) => total),
  };
}

describe('the types of modules', () => {
  it('are those of the files as they are now: changed, removed, new', async () => {
    const { change, remove, total } = open();
    expect(await total()).toBe(0);
    change('src/b.ts', "export const b = '1';\n");
    expect(await total()).toBe(1);
    remove('src/b.ts');
    expect(await total()).toBe(1);
    change('src/b.ts', 'export const b = 2;\n');
    expect(await total()).toBe(0);
    change('src/c.ts', 'export const c: string = 3;\n');
    expect(await total()).toBe(1);
  });

  it('follow changed settings', async () => {
    const { change, total } = open();
    expect(await total()).toBe(0);
    change('tsconfig.json', TSCONFIG.replace('"strict":true', '"strict":true,"noUnusedLocals":true'));
    change('src/b.ts', 'const unused = 1;\nexport const b = 1;\n');
    expect(await total()).toBe(1);
  });

  it('follow what is built of a package', async () => {
    const { change, total } = open({
      ...FILES,
      'src/a.ts': "import { b } from '../dist/b.js';\nexport const a: number = b;\n",
      'dist/b.d.ts': 'export declare const b: number;\n',
    });
    expect(await total()).toBe(0);
    change('dist/b.d.ts', 'export declare const b: string;\n');
    expect(await total()).toBe(1);
  });

  it('follow what is installed, with a new compiler', async () => {
    const { types, change, total } = open({
      ...FILES,
      'src/a.ts': "import { z } from 'z';\nexport const a: number = z;\n",
    });
    expect(await total()).toBe(1);
    const first = types.pid;
    change('node_modules/z/package.json', '{ "name": "z", "version": "1.0.0", "types": "./index.d.ts" }');
    change('node_modules/z/index.d.ts', 'export declare const z: number;\n');
    change('node_modules/.package-lock.json', '{}');
    expect(await total()).toBe(0);
    expect(types.pid).not.toBe(first);
  });

  it('are known also where packages are installed outside', async () => {
    const { link, total } = open();
    link('node_modules', temporaryFolder({ '.package-lock.json': '{}' }));
    expect(await total()).toBe(0);
  });

  it('need no compiler before the first query, and leave none behind', async () => {
    const { types, total } = open();
    expect(types.pid).toBeUndefined();
    await total();
    const running = types.pid as number;
    await types[Symbol.asyncDispose]();
    await types[Symbol.asyncDispose]();
    expect(() => process.kill(running, 0)).toThrow('ESRCH');
  });
});
