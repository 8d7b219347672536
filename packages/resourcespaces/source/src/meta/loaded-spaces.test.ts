import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { toolContext } from '../../test/tool-context.ts';
import { CodeBase, ModuleIndex } from '../modules/module-index.ts';
import { readSpace } from './meta-space.ts';

const MANY = Object.fromEntries(
  Array.from({ length: 200 }, (_, n) => [`spaces/shop/part-${n}.js`, `export const part${n} = 1;\n`]),
);
const SPACE = { name: 'shop', folder: 'spaces/shop', needsRestart: false };

function read(page: number) {
  const root = new WorkspaceRoot(temporaryFolder(MANY));
  return readSpace(new CodeBase(root, new ModuleIndex(root)), { space: SPACE, page }, toolContext('read'));
}

describe('the modules of a space', () => {
  it('are shown in pages, with conventions at the end', async () => {
    expect((await read(1)).text).toMatch(/\n\[page 1 of \d+; next: <R:shop page=2>\]$/);
    expect((await read(99)).text).toContain('\nconventions:\n');
  });

  it('are all that code gets, unless it asks for a page', async () => {
    const rows = ((await (await read(1)).whole?.()) ?? '').split('\n');
    expect(rows[0]).toBe('shop -- spaces/shop (200 modules)');
    expect(rows.slice(1)).toHaveLength(200);
    expect(rows.slice(1).every((row) => row.startsWith('spaces.shop.part-'))).toBe(true);
    expect((await read(2)).whole).toBeUndefined();
  });
});
