import { describe, expect, it } from 'vitest';
import { WorkspaceRoot } from '@bae/workspace';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolContext } from '../../test/tool-context.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { CodeBase, ModuleIndex } from '../modules/module-index.ts';
import {
  type ChangeVerdict,
  type CheckChange,
  type IntroducedProblem,
  type ProposedChange,
  reportProblems,
} from './module-change.ts';
import { planEdit } from './edit-symbol.ts';
import { planWrite } from './write-module.ts';

const nameOf = (path: string) => (path === 'src/lib/a.ts' ? 'lib.a' : path);
const instead = '<R:lib.a>';
const signal = new AbortController().signal;
const tag = (text: string) => text;
const problem = (line: number): IntroducedProblem => ({
  path: 'src/lib/a.ts',
  line,
  message: `Type ${line} is wrong.`,
});
const CONTEXT = toolContext('write');

function reportOf(verdict: ChangeVerdict, strict: boolean): Promise<readonly string[]> {
  return reportProblems([], { check: async () => verdict, strict, nameOf, signal, tag, instead });
}

describe('the report on a change', () => {
  const report = (problems: readonly IntroducedProblem[], strict = false) =>
    reportOf({ type: 'checked', problems, unchecked: 0 }, strict);

  it('is empty when nothing is worse', async () => {
    expect(await report([])).toEqual([]);
  });

  it('names the new problems by module and line, and how to go back', async () => {
    expect(await report([problem(3)])).toEqual([
      'introduced 1 type error:',
      '  lib.a:3: Type 3 is wrong.',
      'Try: <undo:>',
    ]);
    expect(await report(Array.from({ length: 7 }, (_, line) => problem(line)))).toContain('  … 2 more');
    expect(await report([{ path: 'other.md', line: 1, message: 'Odd.' }])).toContain('  other.md:1: Odd.');
  });

  it('refuses the change in strict mode', async () => {
    await expect(report([problem(3)], true)).rejects.toThrow(
      'it would introduce 1 type error; nothing was changed:\n  lib.a:3: Type 3 is wrong.',
    );
  });
});

describe('the report on a change that was not wholly checked', () => {
  it('counts the modules for which there was no time', async () => {
    expect(await reportOf({ type: 'checked', problems: [], unchecked: 1 }, true)).toEqual([
      '1 other module was not checked: no time',
    ]);
    expect(await reportOf({ type: 'checked', problems: [problem(3)], unchecked: 40 }, false)).toEqual([
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
      return { type: 'checked', problems: [problem(1)], unchecked: 0 };
    };
    return {
      base: new CodeBase(root, new ModuleIndex(root)),
      asked,
      check,
      content: (path: string) => readFileSync(join(folder, path), 'utf8'),
    };
  }

  it('is checked before anything is written', async () => {
    const { base, asked, check, content } = openBase();
    const request = { target: 'lib.a.a', content: 'export const a = "";', rename: false, delete: false, check };
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
    const { base, asked, check, content } = openBase();
    const request = { target: 'lib.b', content: 'export const b = 1;', overwrite: false, export: true, strict: true };
    const change = await planWrite(base, { ...request, check }, CONTEXT);
    await expect(change.apply(CONTEXT)).rejects.toThrow('nothing was changed');
    expect(() => content('src/lib/b.ts')).toThrow();
    expect(asked[0]?.map(({ path, before }) => [path, before === undefined])).toEqual([
      ['src/lib/b.ts', true],
      ['src/lib/index.ts', false],
    ]);
  });
});
