import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolContext } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { MetaHost } from '../provide-source.ts';
import { Reloader } from './meta-space.ts';

const HOST: Partial<MetaHost> = {
  reload: () => Promise.reject(new Error('broken')),
  rebuild: async () => undefined,
};
const CONTEXT = {
  fromCode: false,
  batch: [],
  session: { id: 'mine', seen: new Map<string, string>() },
  signal: new AbortController().signal,
} as unknown as ToolContext;
const PATHS = ['lib/other.js', 'spaces/shop/shop.js'];

/** Changes files in this order, as one change, and loads the space anew; returns the result. */
async function reloadAfter(paths: readonly string[]) {
  const folder = temporaryFolder(Object.fromEntries(PATHS.map((path) => [path, 'old'])));
  const root = new WorkspaceRoot(folder);
  for (const path of paths) await root.write(path, 'new', { session: 'mine', group: 'one' });
  const space = { name: 'shop', folder: 'spaces/shop', needsRestart: false };
  const result = await new Reloader(root, HOST as MetaHost).reload(space, CONTEXT).catch(String);
  return { result, texts: PATHS.map((path) => readFileSync(join(folder, path), 'utf8')) };
}

describe('code that cannot be loaded', () => {
  it('is put back when nothing else was changed together with it', async () => {
    const { result, texts } = await reloadAfter(['spaces/shop/shop.js']);
    expect(result).toContain('Rolled back.');
    expect(texts).toEqual(['old', 'old']);
  });

  it.each([[PATHS], [PATHS.toReversed()]])(
    'stays when other files were changed together with it: %j',
    async (paths) => {
      const { result, texts } = await reloadAfter(paths);
      expect(result).toContain('Not rolled back: other files were changed in between, or together with it.');
      expect(texts).toEqual(['new', 'new']);
    },
  );
});
