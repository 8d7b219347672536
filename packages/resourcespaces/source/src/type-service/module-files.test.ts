import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ModuleIndex } from '../modules/module-index.ts';
import { LineIndex, ModuleFiles } from './module-files.ts';
import { QueriedTypes } from '../../test/queried-types.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { TSCONFIG } from '../../test/temporary-project.ts';

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
  const types = new QueriedTypes(new ModuleFiles(root, new ModuleIndex(root)));
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

const LINES = fc.array(fc.oneof(fc.constantFrom('\n', '\r\n', '\r', '🙂', '\uFEFF'), fc.string()));

describe('LineIndex', () => {
  it('leads from every offset to its position and back', () => {
    fc.assert(
      fc.property(LINES, fc.nat(), (parts, seed) => {
        const text = `x${parts.join('')}`;
        const lines = new LineIndex(text);
        const offset = seed % (text.length + 1);
        expect(lines.offsetAt(lines.positionAt(offset))).toBe(offset);
      }),
    );
  });

  it('recognizes the three kinds of line ends', () => {
    const lines = new LineIndex('a\r\nb\rc\n');
    expect([0, 1, 2, 3, 4].map((line) => lines.lineText(line))).toEqual(['a', 'b', 'c', '', '']);
    expect(lines.positionAt(3)).toEqual({ line: 1, character: 0 });
    expect(lines.positionAt(7)).toEqual({ line: 3, character: 0 });
  });

  it('does not count a byte order mark', () => {
    const lines = new LineIndex('\uFEFFabc\nd');
    expect(lines.offsetAt({ line: 0, character: 0 })).toBe(1);
    expect(lines.positionAt(2)).toEqual({ line: 0, character: 1 });
    expect(lines.positionAt(0)).toEqual({ line: 0, character: 0 });
    expect(lines.lineText(0)).toBe('abc');
  });

  it('takes the nearest offset for a position that is not there', () => {
    const lines = new LineIndex('ab\ncd');
    expect(lines.offsetAt({ line: 0, character: 9 })).toBe(3);
    expect(lines.offsetAt({ line: 9, character: 0 })).toBe(5);
  });
});
