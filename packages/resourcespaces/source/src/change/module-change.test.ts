import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitLines, WorkspaceRoot } from '@bae/workspace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planEdit } from './edit-symbol.ts';
import { findLinePatch, planModules, renderShortDiff, reportProblems } from './module-change.ts';
import { planWrite } from './write-module.ts';
import {
  type ChangeVerdict,
  type CheckChange,
  CodeBase,
  type IntroducedProblem,
  ModuleIndex,
  type ProposedChange,
} from '../modules/module-index.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { toolContext } from '../../test/tool-context.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''));

describe('the lines that a change is about', () => {
  it.each([
    ['a\nb\nc\n', 'a\nx\ny\nc\n', { first: 2, removed: 1, added: 2 }],
    ['a\nb\n', 'a\nb\nc\n', { first: 3, removed: 0, added: 1 }],
    ['a\na\na\n', 'a\na\n', { first: 3, removed: 1, added: 0 }],
    ['', 'a\n', { first: 1, removed: 0, added: 1 }],
  ])('of %j to %j', (before, after, expected) => {
    expect(findLinePatch(before, after)).toEqual(expected);
  });

  it('have everything that is different between them', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { first, removed, added } = findLinePatch(before, after);
        const [old, now] = [splitLines(before), splitLines(after)];
        const patched = [
          ...old.slice(0, first - 1),
          ...now.slice(first - 1, first - 1 + added),
          ...old.slice(first - 1 + removed),
        ];
        expect(patched).toEqual(now);
      }),
    );
  });
});

describe('the difference between two texts', () => {
  it('comes without the names of files', () => {
    expect(renderShortDiff({ before: 'a\n', after: 'b\n' })).toBe('@@ -1 +1 @@\n-a\n+b');
    expect(renderShortDiff({ before: 'a\n', after: 'a\n' })).toBe('');
  });

  it('has at most twenty lines, and counts the others', () => {
    const many = Array.from({ length: 30 }, (_, number) => `${number}\n`).join('');
    expect(renderShortDiff({ before: '', after: many }, '<R:a>').split('\n').slice(-2)).toEqual([
      '+18',
      '… 11 more lines of changes: <R:a>',
    ]);
  });
});

describe('a change of modules', () => {
  const context = toolContext('write');

  function plan(files: Readonly<Record<string, string>>, texts: Readonly<Record<string, string>>) {
    const folder = temporaryFolder(files);
    const root = new WorkspaceRoot(folder);
    const hashOf = async (path: string) => (files[path] === undefined ? null : (await root.readText(path)).hash);
    const change = async () =>
      planModules({
        base: new CodeBase(root, new ModuleIndex(root)),
        files: await Promise.all(
          Object.entries(texts).map(async ([path, after]) => {
            return { path, after, before: files[path], expected: await hashOf(path) };
          }),
        ),
        output: { text: 'Done', hint: 'all' },
      });
    return { change, read: (path: string) => readFileSync(join(folder, path), 'utf8'), folder };
  }

  it('is one object that names its files, shows what it does, and does it', async () => {
    const { change, read } = plan({ 'a.ts': 'old\n' }, { 'a.ts': 'new\n', 'b.ts': 'more\n' });
    const planned = await change();
    expect(planned.touches).toEqual([{ path: 'a.ts' }, { path: 'b.ts' }]);
    expect(planned.preview()).toBe(
      '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-old\n+new\n--- /dev/null\n+++ b.ts\n@@ -0,0 +1 @@\n+more\n',
    );
    expect(read('a.ts')).toBe('old\n');
    expect(await planned.apply(context)).toEqual({ text: 'Done', hint: 'all', format: 'code' });
    expect([read('a.ts'), read('b.ts')]).toEqual(['new\n', 'more\n']);
  });

  it('is not made when a file changed since it was planned', async () => {
    const { change, read, folder } = plan({ 'b.ts': 'old\n' }, { 'a.ts': 'more\n', 'b.ts': 'new\n' });
    const planned = await change();
    writeFileSync(join(folder, 'b.ts'), 'theirs\n');
    await expect(planned.apply(context)).rejects.toThrow('b.ts');
    expect(readdirSync(folder)).toEqual(['b.ts']);
    expect(read('b.ts')).toBe('theirs\n');
  });
});

const nameOf = (path: string) => (path === 'src/lib/a.ts' ? 'lib.a' : path);
const instead = '<R:lib.a>';
const tag = (text: string) => text;
const problem = (line: number): IntroducedProblem => ({
  path: 'src/lib/a.ts',
  line,
  message: `Type ${line} is wrong.`,
});
const CONTEXT = toolContext('write');

async function reportOf(verdict: ChangeVerdict, strict: boolean): Promise<readonly string[]> {
  return reportProblems(verdict, { strict, instead }, { nameOf, tag });
}

describe('the report on a change', () => {
  const report = (problems: readonly IntroducedProblem[], strict = false) =>
    reportOf({ type: 'checked', problems, kept: [], unchecked: 0, version: '7.0.2' }, strict);

  it('is empty when nothing is worse', async () => {
    expect(await report([])).toEqual([]);
  });

  it('names the new problems by module and line, and how to go back', async () => {
    expect(await report([problem(3)])).toEqual([
      'introduced 1 type error:',
      '  lib.a:3: Type 3 is wrong.',
      'Try: <undo:>',
    ]);
    expect(await report(Array.from({ length: 7 }, (_, line) => problem(line)))).toContain('  … 2 more: <diagnostics:>');
    expect(await report([{ path: 'other.md', line: 1, message: 'Odd.' }])).toContain('  other.md:1: Odd.');
  });

  it('tells problems that the changed lines had before from new ones, also in strict mode', async () => {
    const verdict = { type: 'checked', problems: [], kept: [problem(2)], unchecked: 0, version: '7.0.2' } as const;
    const rows = ['1 type error from before is still in the changed lines:', '  lib.a:2: Type 2 is wrong.'];
    expect(await reportOf(verdict, true)).toEqual(rows);
    expect(await reportOf({ ...verdict, problems: [problem(3)] }, false)).toEqual([
      'introduced 1 type error:',
      '  lib.a:3: Type 3 is wrong.',
      ...rows,
      'Try: <undo:>',
    ]);
  });

  it('refuses the change in strict mode', async () => {
    await expect(report([problem(3)], true)).rejects.toThrow(
      'it would introduce 1 type error; nothing was changed:\n  lib.a:3: Type 3 is wrong.',
    );
  });
});

describe('the report on a change that was not wholly checked', () => {
  it('counts the modules for which there was no time', async () => {
    expect(await reportOf({ type: 'checked', problems: [], kept: [], unchecked: 1, version: '7.0.2' }, true)).toEqual([
      '1 other module was not checked: no time',
    ]);
    expect(
      await reportOf({ type: 'checked', problems: [problem(3)], kept: [], unchecked: 40, version: '7.0.2' }, false),
    ).toEqual([
      'introduced 1 type error:',
      '  lib.a:3: Type 3 is wrong.',
      '40 other modules were not checked: no time',
      'Try: <undo:>',
    ]);
  });

  it('leaves out what has no types, except in strict mode', async () => {
    expect(await reportOf({ type: 'untyped' }, false)).toEqual([]);
    await expect(reportOf({ type: 'untyped' }, true)).rejects.toThrow(
      'types could not be checked, and strict=true asks for it: no tsconfig includes this module.',
    );
  });

  it('is one line when types could not be checked, and a refusal in strict mode', async () => {
    const verdict = { type: 'unknown', reason: 'no TypeScript compiler is installed for riscv' } as const;
    expect(await reportOf(verdict, false)).toEqual([
      'types were not checked: no TypeScript compiler is installed for riscv',
    ]);
    await expect(reportOf(verdict, true)).rejects.toThrow(
      'types could not be checked, and strict=true asks for it: no TypeScript compiler is installed for riscv. ' +
        'Nothing was changed. Without strict it is changed unchecked.',
    );
  });
});

describe('a change that is checked', () => {
  function openBase() {
    const folder = temporaryFolder({
      'src/lib/a.ts': 'export const a = 1;\n',
      'src/lib/index.ts': "export { a } from './a.ts';\n",
    });
    const root = new WorkspaceRoot(folder);
    const asked: (readonly ProposedChange[])[] = [];
    const check: CheckChange = async (changes) => {
      asked.push(changes);
      return { type: 'checked', problems: [problem(1)], kept: [], unchecked: 0, version: '7.0.2' };
    };
    return {
      base: new CodeBase(root, new ModuleIndex(root), check),
      asked,
      content: (path: string) => readFileSync(join(folder, path), 'utf8'),
    };
  }

  it('is checked before anything is written', async () => {
    const { base, asked, content } = openBase();
    const request = { target: 'lib.a.a', content: 'export const a = "";', rename: false, delete: false };
    const strict = await planEdit(base, { ...request, strict: true }, CONTEXT);
    await expect(strict.apply(CONTEXT)).rejects.toThrow('nothing was changed');
    expect(content('src/lib/a.ts')).toBe('export const a = 1;\n');
    expect(asked).toMatchObject([
      [{ path: 'src/lib/a.ts', before: 'export const a = 1;\n', after: 'export const a = "";\n' }],
    ]);
    const { text } = await (await planEdit(base, { ...request, strict: false }, CONTEXT)).apply(CONTEXT);
    expect(text.split('\n').slice(-3)).toEqual([
      'introduced 1 type error:',
      '  lib.a:1: Type 1 is wrong.',
      'Try: <undo:>',
    ]);
    expect(content('src/lib/a.ts')).toBe('export const a = "";\n');
  });

  it('is checked as a whole when it is about two files', async () => {
    const { base, asked, content } = openBase();
    const request = { target: 'lib.b', content: 'export const b = 1;', overwrite: false, export: true, strict: true };
    const change = await planWrite(base, request, CONTEXT);
    await expect(change.apply(CONTEXT)).rejects.toThrow('nothing was changed');
    expect(() => content('src/lib/b.ts')).toThrow();
    expect(asked[0]?.map(({ path, before }) => [path, before === undefined])).toEqual([
      ['src/lib/b.ts', true],
      ['src/lib/index.ts', false],
    ]);
  });
});
