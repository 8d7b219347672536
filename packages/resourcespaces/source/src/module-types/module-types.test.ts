import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WorkspaceRoot } from '@bae/workspace';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { TSCONFIG } from '../../test/temporary-project.ts';
import type { SymbolTarget } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import { typescriptOutline } from '../language/typescript-outline.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { ModuleTypes, symbolOffset } from './module-types.ts';

const { signal } = new AbortController();
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
  const types = new ModuleTypes(root, new ModuleIndex(root));
  onTestFinished(() => types[Symbol.asyncDispose]());
  return {
    types,
    change: (path: string, text: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    remove: (path: string): void => rmSync(join(folder, path)),
    link: (path: string, target: string): void => symlinkSync(target, join(folder, path)),
    total: () => types.ask(async (service) => (await service.diagnostics({}, signal)).total, signal),
    pid: () => types.ask(async (service) => service.pid, signal),
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
    const { change, total, pid } = open({
      ...FILES,
      'src/a.ts': "import { z } from 'z';\nexport const a: number = z;\n",
    });
    expect(await total()).toBe(1);
    const first = await pid();
    change('node_modules/z/package.json', '{ "name": "z", "version": "1.0.0", "types": "./index.d.ts" }');
    change('node_modules/z/index.d.ts', 'export declare const z: number;\n');
    change('node_modules/.package-lock.json', '{}');
    expect(await total()).toBe(0);
    expect(await pid()).not.toBe(first);
  });

  it('are known also where packages are installed outside', async () => {
    const { link, total } = open();
    link('node_modules', temporaryFolder({ '.package-lock.json': '{}' }));
    expect(await total()).toBe(0);
  });

  it('need no compiler before the first question, and leave none behind', async () => {
    const { types, total, pid } = open();
    expect(await pid()).toBeUndefined();
    await total();
    const running = (await pid()) as number;
    await types[Symbol.asyncDispose]();
    await types[Symbol.asyncDispose]();
    expect(() => process.kill(running, 0)).toThrow('ESRCH');
  });
});

const TEXT = `import { x } from './x.ts';
/** The default of default values. */
export default function () {}
@dec() export class A<T> {
  static async *make() {}
  #state = 1;
  [Symbol.iterator]() {}
  'two words' = 2;
}
export const { a, b: c } = o;
export enum E { One, 'Two' }
export { c as d } from './x.ts';
namespace N.M { export const q = 1 }
`;

/** The text around the offset, with a bar at it. */
function placeOf(...names: readonly string[]): string {
  const outline = typescriptOutline.outline({ text: TEXT, path: 'a.ts' });
  const path: SymbolOutline[] = [];
  for (const name of names) {
    const all: readonly SymbolOutline[] = path.at(-1)?.members ?? outline.symbols;
    path.push(all.find((one) => one.name === name) as SymbolOutline);
  }
  const source = { module: { name: 'a' }, text: TEXT } as SymbolTarget['source'];
  const offset = symbolOffset({ kind: 'symbol', source, path, passedOn: false });
  const line = TEXT.slice(TEXT.lastIndexOf('\n', offset) + 1, TEXT.indexOf('\n', offset));
  const at = offset - TEXT.lastIndexOf('\n', offset) - 1;
  return `${line.slice(0, at)}|${line.slice(at)}`.trim();
}

describe('the place where a symbol is named', () => {
  it.each([
    [['A'], '@dec() export class |A<T> {'],
    [['A', 'make'], 'static async *|make() {}'],
    [['A', '#state'], '|#state = 1;'],
    [['a'], 'export const { |a, b: c } = o;'],
    [['c'], 'export const { a, b: |c } = o;'],
    [['E', 'Two'], "export enum E { One, '|Two' }"],
    [['d'], "export { c as |d } from './x.ts';"],
    [['N', 'M', 'q'], 'namespace N.M { export const |q = 1 }'],
    [['default'], 'export |default function () {}'],
  ])('%j is %s', (names, place) => {
    expect(placeOf(...names)).toBe(place);
  });

  it.each([[['import']], [['A', '[Symbol.iterator]']], [['A', "['two words']"]]])(
    'is not there for %j, which the compiler knows by no name',
    (names) => {
      expect(() => placeOf(...names)).toThrow('has no name that the compiler knows. Search for its text instead.');
    },
  );
});
