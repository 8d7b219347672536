import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent } from '@bae/core';
import { provideWorkspace } from '@bae/workspace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { SourceSpace } from '../source-space.ts';

const PROJECT = {
  'a.ts': "import { b } from './b.ts';\n\nexport class A {\n  one() {}\n\n  two() {}\n}\n\nexport const c = 1;\n",
  'b.ts': 'export const b = 1;\r\nexport enum E {\r\n  X,\r\n  Y,\r\n}\r\n',
  'deep/index.ts': "export { b } from '../b.ts';\n",
};

/** All files of a folder, by path. */
function tree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name).slice(folder.length + 1),
      readFileSync(join(parentPath, name), 'utf8'),
    ]),
  );
}

const STEPS = [
  '<E:a.A.one>\none() {\n  return 1;\n}\n</E>',
  '<E:a.A.two>\n/** Two. */\ntwo() {}\nthree() {}\n</E>',
  '<E:a.A.three delete=true></E>',
  '<E:a.import>\nimport { b, E } from "./b.ts";\n</E>',
  '<E:a.c rename=true>\nexport const d = 2;\n</E>',
  '<E:b.E.X>\nX = 7,\n</E>',
  '<E:b.E.Y delete=true></E>',
  '<E:b.b>\nexport const b = [\n  1,\n];\n</E>',
  '<W:deep.fresh export=true>\nexport const fresh = 1;\n</W>',
  '<W:other.place>\nexport {};\n</W>',
  '<W:a overwrite=true>\nexport class A { one() {} }\n</W>',
  '<E:deep.b>\nexport const b = 5;\n</E>',
] as const;

describe('any sequence of changes', () => {
  const undoChanges = async (numRuns: number) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 8 }), async (steps) => {
        const { folder, send } = openSource(PROJECT);
        const before = tree(folder);
        for (const step of steps) await send(step);
        await send('<undo:40>');
        expect(tree(folder)).toEqual(before);
      }),
      { numRuns },
    );
  };

  it('is undone to exactly what was there', { tags: ['long'] }, () => undoChanges(2));
  it('is undone to exactly what was there, 20 times', { tags: ['long'] }, () => undoChanges(20));

  const readChanged = async (numRuns: number) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 8 }), async (steps) => {
        const { send } = openSource(PROJECT);
        for (const step of steps) await send(step);
        for (const module of ['a', 'b', 'deep.index'])
          expect(await send(`<R:${module}>`)).not.toContain('syntax error');
      }),
      { numRuns },
    );
  };

  it('leaves every module well formed', { tags: ['long'] }, () => readChanged(2));
  it('leaves every module well formed, 20 times', { tags: ['long'] }, () => readChanged(20));
});

describe('one response', () => {
  it('may change several symbols of a module, each by its name', async () => {
    const { sendAll, content } = openSource(PROJECT);
    const results = await sendAll(
      '<E:a.A.one>\none() {\n  return 1;\n}\n</E>\n<E:a.A.two>\ntwo() {\n  return 2;\n}\n</E>\n<R:a.A.two>',
    );
    expect(results.map((result) => result.split('\n')[0])).toEqual([
      'Edited A.one in a (1 -> 3 lines)',
      'Edited A.two in a (1 -> 3 lines)',
      '  two() {',
    ]);
    expect(content('a.ts')).toContain('  one() {\n    return 1;\n  }\n\n  two() {\n    return 2;\n  }\n');
  });

  it('finds a module that it has just written', async () => {
    const { sendAll } = openSource(PROJECT);
    const [, read, edited] = await sendAll(
      '<W:deep.fresh>\nexport const x = 1;\n</W>\n<R:deep.fresh.x>\n<E:deep.fresh.x>\nexport const x = 2;\n</E>',
    );
    expect(read).toBe('export const x = 1;');
    expect(edited).toContain('Edited x in deep.fresh');
  });
});

describe('two sessions', () => {
  it('do not overwrite one another, and undo their own changes only', async () => {
    const folder = temporaryFolder(PROJECT);
    const open = async () => {
      const agent = createAgent({ home: SourceSpace, provide: [provideWorkspace(folder)], approver: allowAll });
      return async (text: string) =>
        (await agent.run(asModelText(text))).calls.map(({ result }) => result.text)[0] ?? '';
    };
    const [one, two] = [await open(), await open()];
    await one('<R:a.c>');
    await two('<R:a.c>');
    expect(await one('<E:a.c>\nexport const c = 2;\n</E>')).toContain('Edited c');
    expect(await two('<E:a.c>\nexport const c = 3;\n</E>')).toContain('ConflictError: a changed since you read it');
    expect(await two('<undo:>')).toContain('Nothing to undo');
    expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toContain('export const c = 2;');
  });
});
