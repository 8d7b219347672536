import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TemporaryProject, TSCONFIG } from '../../test/temporary-project.ts';
import { applyEdits } from '../language/outline.ts';

type Files = Readonly<Record<string, string>>;

/** What is renamed, the files before, and the files that change. */
interface Case {
  readonly what: string;
  readonly at: readonly [path: string, marked: string];
  readonly before: Files;
  readonly after: Files;
}

const CASES: readonly Case[] = [
  {
    what: 'a name that passes through three modules, one of which exports everything',
    at: ['src/a.ts', 'const |one'],
    before: {
      'src/a.ts': 'export const one = 1;\n',
      'src/b.ts': "export * from './a.ts';\n",
      'src/c.ts': "export { one } from './b.ts';\n",
      'src/d.ts': "import { one } from './c.ts';\none.toFixed();\n",
    },
    after: {
      'src/a.ts': 'export const two = 1;\n',
      'src/c.ts': "export { two } from './b.ts';\n",
      'src/d.ts': "import { two } from './c.ts';\ntwo.toFixed();\n",
    },
  },
  {
    what: 'a type, in imports of types and inside of types',
    at: ['src/a.ts', 'interface |one'],
    before: {
      'src/a.ts': 'export interface one<T> {\n  t: T;\n}\nexport type List = readonly one<one<string>>[];\n',
      'src/b.ts':
        "import type { one } from './a.ts';\nexport type { one } from './a.ts';\nexport const x: one<1> | undefined = undefined;\n",
      'src/c.ts': "import { type one as Other } from './a.ts';\nexport type X = import('./a.ts').one<Other<1>>;\n",
    },
    after: {
      'src/a.ts': 'export interface two<T> {\n  t: T;\n}\nexport type List = readonly two<two<string>>[];\n',
      'src/b.ts':
        "import type { two } from './a.ts';\nexport type { two } from './a.ts';\nexport const x: two<1> | undefined = undefined;\n",
      'src/c.ts': "import { type two as Other } from './a.ts';\nexport type X = import('./a.ts').two<Other<1>>;\n",
    },
  },
  {
    what: 'all signatures of an overloaded function',
    at: ['src/a.ts', 'function |one(x: string)'],
    before: {
      'src/a.ts':
        'export function one(x: string): string;\nexport function one(x: number): number;\n' +
        'export function one(x: unknown): unknown {\n  return x;\n}\none(1);\n',
    },
    after: {
      'src/a.ts':
        'export function two(x: string): string;\nexport function two(x: number): number;\n' +
        'export function two(x: unknown): unknown {\n  return x;\n}\ntwo(1);\n',
    },
  },
  {
    what: 'a getter with its setter, and those who implement them',
    at: ['src/a.ts', 'readonly |one'],
    before: {
      'src/a.ts':
        'export interface Has {\n  readonly one: number;\n}\nexport class A implements Has {\n  #n = 1;\n' +
        '  get one(): number {\n    return this.#n;\n  }\n  set one(n: number) {\n    this.#n = n;\n  }\n}\n' +
        'const { one } = new A();\none.toFixed();\nnew A().one++;\n',
    },
    after: {
      'src/a.ts':
        'export interface Has {\n  readonly two: number;\n}\nexport class A implements Has {\n  #n = 1;\n' +
        '  get two(): number {\n    return this.#n;\n  }\n  set two(n: number) {\n    this.#n = n;\n  }\n}\n' +
        'const { two: one } = new A();\none.toFixed();\nnew A().two++;\n',
    },
  },
  {
    what: 'a member of an enum, and the enum itself nowhere',
    at: ['src/a.ts', '|one'],
    before: { 'src/a.ts': 'export enum E {\n  one = 1,\n  other = one + 1,\n}\nexport const x: E.one = E.one;\n' },
    after: { 'src/a.ts': 'export enum E {\n  two = 1,\n  other = two + 1,\n}\nexport const x: E.two = E.two;\n' },
  },
  {
    what: 'a class and a namespace that are one, in two modules that import each other',
    at: ['src/a.ts', 'class |one'],
    before: {
      'src/a.ts':
        "import { make } from './b.ts';\nexport class one {\n  static made = (): one => make();\n}\n" +
        'export declare namespace one {\n  type Option = string;\n}\n',
      'src/b.ts':
        "import { one } from './a.ts';\nexport const make = (): one => new one();\nexport type O = one.Option;\n",
    },
    after: {
      'src/a.ts':
        "import { make } from './b.ts';\nexport class two {\n  static made = (): two => make();\n}\n" +
        'export declare namespace two {\n  type Option = string;\n}\n',
      'src/b.ts':
        "import { two } from './a.ts';\nexport const make = (): two => new two();\nexport type O = two.Option;\n",
    },
  },
  {
    what: 'a default export, and imports that call it the same',
    at: ['src/a.ts', 'function |one'],
    before: {
      'src/a.ts': 'export default function one(): number {\n  return 1;\n}\none();\n',
      'src/b.ts': "import one from './a.ts';\nexport { default as made } from './a.ts';\none();\n",
      'src/c.ts': "import other from './a.ts';\nother();\n",
    },
    after: {
      'src/a.ts': 'export default function two(): number {\n  return 1;\n}\ntwo();\n',
      'src/b.ts': "import two from './a.ts';\nexport { default as made } from './a.ts';\ntwo();\n",
    },
  },
  {
    what: 'a parameter and a type parameter, inside of their function only',
    at: ['src/a.ts', '(|one: T'],
    before: {
      'src/a.ts':
        'export const f = <T>(one: T, { other = one } = {}) => ({ one, other });\nexport const one = f(1).one;\n',
    },
    after: {
      'src/a.ts':
        'export const f = <T>(two: T, { other = two } = {}) => ({ one: two, other });\nexport const one = f(1).one;\n',
    },
  },
];

describe('renameEdits', () => {
  it.each(CASES)('renames $what', async ({ at: [path, marked], before, after }) => {
    const project = new TemporaryProject({ 'tsconfig.json': TSCONFIG, ...before });
    const service = project.service();
    expect((await service.diagnostics()).diagnostics).toEqual([]);
    const plan = await service.renameEdits({ ...project.find(path, marked), newName: 'two' });
    if (plan.type !== 'edits') throw new Error(JSON.stringify(plan));
    const changed = plan.files.map(({ file, edits }) => {
      project.write(relative(project.folder, file), applyEdits(project.read(relative(project.folder, file)), edits));
      return file;
    });
    const texts = changed.map((file) => [relative(project.folder, file), project.read(relative(project.folder, file))]);
    expect(Object.fromEntries(texts)).toEqual(after);
    expect((await service.diagnostics()).diagnostics).toEqual([]);
  });

  it('finds the tests of a package that have settings of their own', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG.replace('"include":["src"]', '"include":["src"],"exclude":["src/*.test.ts"]'),
      'test/tsconfig.json': TSCONFIG.replace('["src"]', '["../src/*.test.ts","*.ts"]'),
      'src/a.ts': 'export const one = 1;\n',
      'test/more.ts': "import { one } from '../src/a.ts';\none.toFixed();\n",
    });
    const plan = await project.service().renameEdits({ ...project.find('src/a.ts', '|one'), newName: 'two' });
    expect(plan).toMatchObject({
      type: 'edits',
      files: [
        { file: project.path('src/a.ts') },
        { file: project.path('test/more.ts'), edits: [{ start: 9 }, { start: 35 }] },
      ],
      unchecked: [],
    });
  });
});
