import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';

/** Moves, then sends the edits that the answer lists, and returns what the files are then. */
async function moveAndCorrect(files: Readonly<Record<string, string>>, move: string) {
  const { send, folder } = openHome(files);
  const [answer = ''] = await send(move);
  const edits = answer.split('\n').filter((line) => line.startsWith('<E:'));
  for (const edit of edits) expect(await send(edit)).toEqual([expect.stringMatching(/^(?:Replaced|Edited)/)]);
  return { answer, edits, content: (path: string) => readFileSync(join(folder, path), 'utf8') };
}

it('lists the edits that correct the imports of a moved module and of those that import it', async () => {
  const { answer, content } = await moveAndCorrect(
    {
      'src/math.ts': 'export const one = 1;\n',
      'src/s.ts': `import { one } from './math.ts';\nimport type { B } from "./kit";\nexport const two = one;\n`,
      'src/kit/index.ts': 'export type B = 1;\n',
      'src/main.ts': `import { two } from './s.js';\nexport * from './s.js';\nimport './other.ts';\n`,
      'src/other.ts': '1;\n',
      'test/s.test.ts': `const s = await import('../src/s');\n`,
    },
    '<move:src/s.ts to=src/deep/t.ts>',
  );
  expect(answer).toContain('\n4 imports to correct:\n');
  expect(content('src/deep/t.ts')).toContain(`from '../math.ts';\nimport type { B } from "../kit";`);
  expect(content('src/main.ts')).toBe(
    `import { two } from './deep/t.js';\nexport * from './deep/t.js';\nimport './other.ts';\n`,
  );
  expect(content('test/s.test.ts')).toBe(`const s = await import('../src/deep/t');\n`);
});

it('lists only imports across the border of a moved folder', async () => {
  const { edits, content } = await moveAndCorrect(
    {
      'src/old/a.ts': `import './b.ts';\nimport '../c.ts';\n`,
      'src/old/b.ts': '1;\n',
      'src/c.ts': `import './old/b.ts';\n`,
    },
    '<move:src/old to=lib/new>',
  );
  expect(edits).toHaveLength(2);
  expect(content('lib/new/a.ts')).toBe(`import './b.ts';\nimport '../../src/c.ts';\n`);
  expect(content('src/c.ts')).toBe(`import '../lib/new/b.ts';\n`);
});
