import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { expect, it } from 'vitest';
import { plantTree, treeOf } from './file-tree.ts';
import { operate } from './random-operations.ts';
import { RandomSource } from './random-source.ts';
import { scratchFolder } from './scratch-folder.ts';

const SEQUENCES = 500;

it.each(['memory', 'disk'] as const)(
  'as many undos as there were operations give the same tree back (journal: %s)',
  async (journal) => {
    const folder = scratchFolder();
    plantTree(folder);
    const before = treeOf(folder);
    for (let seed = 1; seed <= SEQUENCES; seed++) {
      const root = new WorkspaceRoot(folder, { journal });
      const random = new RandomSource(seed * 7919);
      for (let step = 2 + random.below(6); step > 0; step--) await operate(root, random, 'me');
      const report = await root.undo({ steps: 1000, session: 'me' });
      expect(report.problem, `seed ${seed}`).toBeUndefined();
      expect(treeOf(folder), `seed ${seed}`).toEqual(before);
      rmSync(join(folder, '.bae'), { recursive: true, force: true });
    }
  },
);
