import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SymbolTarget } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import { typescriptOutline } from '../language/typescript-outline.ts';
import { CodeCatalog } from '../modules/code-catalog.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { type CheckLimits, checkTypes, findSymbolOffset, renderTypeError } from './query-types.ts';
import { ModuleFiles } from '../type-service/module-files.ts';
import { TypeService } from '../type-service/type-service.ts';
import { openSource } from '../../test/open-source.ts';
import { toolContext } from '../../test/tool-context.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { TSCONFIG } from '../../test/temporary-project.ts';

const CONTEXT = toolContext('write');
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
  const source = { module: { name: 'a', path: 'a.ts' }, text: TEXT } as SymbolTarget['source'];
  const offset = findSymbolOffset({ kind: 'symbol', source, path, passedOn: false });
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
    'does not exist for %j, which has no name for the compiler',
    (names) => {
      expect(() => placeOf(...names)).toThrow('has no name that the compiler knows. Search for its text instead.');
    },
  );
});

const packages = [
  { label: 'core', name: '@x/core', folder: 'packages/core', description: '' },
  { label: '', name: undefined, folder: '', description: '' },
];
const catalog = new CodeCatalog(['packages/core/src/lib/a.ts', 'packages/core/src/index.ts'], {
  packages,
  root: '/home/me/x',
});
const shown = (message: string) => renderTypeError({ code: 2322, message }, catalog);

describe('a message of the compiler', () => {
  it('has its number and its first line', () => {
    expect(shown("Type 'A' is wrong.\n  It has no b.")).toBe("TS2322: Type 'A' is wrong.");
  });

  it('names modules where it has paths', () => {
    expect(shown('Type \'import("/home/me/x/packages/core/src/lib/a").A\' is not "b".')).toBe(
      'TS2322: Type \'import("core.lib.a").A\' is not "b".',
    );
    expect(shown("File '/home/me/x/packages/core/src/index.ts' is not a module, nor is '/home/me/x/notes.md'.")).toBe(
      "TS2322: File 'core' is not a module, nor is 'notes.md'.",
    );
  });
});

const FILES = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': TSCONFIG,
  'src/lib/one.ts': 'export function one(): number {\n  return 1;\n}\n',
  'src/lib/two.ts': "import { one } from './one.ts';\nexport const two: number = one() + one();\n",
  'src/wrong.ts': "export const wrong: number = 'before';\n",
};
const WRONG = "export function one(): string {\n  return '1';\n}";

describe('an edit that brings type errors', () => {
  it('names them by module, and can be undone', async () => {
    const { edit, send, content } = openSource(FILES);
    const result = await edit('lib.one.one', WRONG);
    expect(result.slice(result.indexOf('introduced'))).toBe(`introduced 1 type error:
  lib.two:2: TS2322: Type 'string' is not assignable to type 'number'.
Try: <undo:>`);
    expect(content('src/lib/one.ts')).toContain("return '1'");
    await send('<undo:>');
    expect(content('src/lib/one.ts')).toBe(FILES['src/lib/one.ts']);
  });

  it('is refused when it has to be strict, and changes nothing', async () => {
    const { send, content } = openSource(FILES);
    expect(await send(`<E:lib.one.one strict=true>\n${WRONG}\n</E>`)).toBe(
      `EditError: it would introduce 1 type error; nothing was changed:
  lib.two:2: TS2322: Type 'string' is not assignable to type 'number'.
Try: <R:lib.one.one>`,
    );
    expect(content('src/lib/one.ts')).toBe(FILES['src/lib/one.ts']);
    expect(await send('<undo:>')).toBe('Nothing to undo: no change of this session is left.');
  });

  it('does not count errors that were there before', async () => {
    const { edit } = openSource(FILES);
    expect(await edit('wrong.wrong', "/** It is. */\nexport const wrong: number = 'before';")).not.toContain(
      'introduced',
    );
  });

  it('sees what was changed from outside since the last one', async () => {
    const { edit, change, send } = openSource(FILES);
    await edit('lib.one.one', 'export function one(): number {\n  return 2;\n}');
    change('src/lib/two.ts', 'export const two = 2;\n');
    await send('<R:lib.one>');
    expect(await edit('lib.one.one', WRONG)).not.toContain('introduced');
  });
});

describe('a written module', () => {
  it('is checked as a part of its project, by its future name', { tags: ['long'] }, async () => {
    const { send, content } = openSource(FILES);
    const body = "import { one } from './one.ts';\nexport const text: string = one();";
    expect(await send(`<W:lib.three strict=true>\n${body}\n</W>`)).toBe(
      `EditError: it would introduce 1 type error; nothing was changed:
  lib.three:2: TS2322: Type 'number' is not assignable to type 'string'.
Try: <W:lib.three>…</W>`,
    );
    expect(() => content('src/lib/three.ts')).toThrow();
    expect(await send(`<W:lib.three>\n${body}\n</W>`)).toBe(`Created module lib.three (2 lines)
introduced 1 type error:
  lib.three:2: TS2322: Type 'number' is not assignable to type 'string'.
Try: <undo:>`);
  });
});

describe('a project without settings', () => {
  const SCRIPTS = { 'package.json': '{}', 'lib/a.js': 'export const a = nowhere();\n' };

  it('is edited without a compiler, which would load its libraries for nothing', async () => {
    const root = new WorkspaceRoot(temporaryFolder(SCRIPTS));
    const types = new TypeService(new ModuleFiles(root, new ModuleIndex(root)));
    onTestFinished(() => types[Symbol.asyncDispose]());
    const change = { path: 'lib/a.js', before: SCRIPTS['lib/a.js'], after: 'nowhere();\n' };
    expect(await checkTypes(types)([change], CONTEXT)).toEqual({ type: 'untyped' });
    expect(types.pid).toBeUndefined();
  });

  it('is edited without a word on types', async () => {
    const { edit } = openSource(SCRIPTS);
    expect(await edit('lib.a.a', 'export const a = nothing + 1;')).not.toMatch(/types|introduced/);
  });

  it('has nothing to be strict with', async () => {
    const { send, content } = openSource(SCRIPTS);
    expect(await send('<E:lib.a.a strict=true>\nexport const a = 1;\n</E>')).toBe(
      'EditError: types could not be checked, and strict=true asks for it: no tsconfig includes this module. ' +
        'Nothing was changed. Without strict it is changed unchecked.\nTry: <R:lib.a.a>',
    );
    expect(content('lib/a.js')).toBe(SCRIPTS['lib/a.js']);
  });
});

describe('without a compiler', () => {
  it('is reported in one line, and the change is made', async () => {
    const platform = process.platform;
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
    Object.defineProperty(process, 'platform', { value: 'plan9' });
    const { edit, send, content } = openSource(FILES);
    const result = await edit('lib.one.one', WRONG);
    expect(result.split('\n').at(-1)).toMatch(
      /^types were not checked: no TypeScript compiler is installed for plan9 on \w+$/,
    );
    expect(content('src/lib/one.ts')).toContain("return '1'");
    expect(await send('<diagnostics:>')).toMatch(
      /^ResourceError: types are not available: no TypeScript compiler is installed for plan9 on \w+\.\nTry: <R:>$/,
    );
  });
});

describe('the time for a check', () => {
  function check(limits: CheckLimits) {
    const root = new WorkspaceRoot(temporaryFolder(FILES));
    const index = new ModuleIndex(root);
    const types = new TypeService(new ModuleFiles(root, index));
    onTestFinished(() => types[Symbol.asyncDispose]());
    const change = { path: 'src/lib/one.ts', before: FILES['src/lib/one.ts'], after: `${WRONG}\nnope;\n` };
    return checkTypes(types, limits)([change], CONTEXT);
  }

  it('is enough for what is changed, and the others are counted', async () => {
    expect(await check({ budget: 0, longest: 20_000 })).toEqual({
      type: 'checked',
      problems: [{ path: 'src/lib/one.ts', line: 4, message: "TS2304: Cannot find name 'nope'." }],
      kept: [],
      unchecked: 2,
      version: '7.0.2',
    });
  });

  it('ends, and then nothing is known', async () => {
    expect(await check({ budget: 8000, longest: 1 })).toEqual({
      type: 'unknown',
      reason: 'it takes longer than 0.001 seconds',
    });
  });
});
