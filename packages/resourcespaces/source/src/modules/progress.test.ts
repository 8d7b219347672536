import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { ModuleIndex } from './module-index.ts';

const FILES = Object.fromEntries(
  Array.from({ length: 20 }, (_, number) => [`m${number}.ts`, `export const a${number} = 1;`]),
);

function openIndex() {
  const heard: (readonly [number, number])[] = [];
  const index = new ModuleIndex(new WorkspaceRoot(temporaryFolder(FILES)), (...step) => heard.push(step));
  return { index, heard };
}

describe('progress of the index', () => {
  it('is told module by module, and at the end once', async () => {
    const { index, heard } = openIndex();
    const { modules } = await index.catalog();
    expect(heard).toEqual([]);
    await index.outlines(modules);
    expect(heard).toEqual(Array.from({ length: 20 }, (_, number) => [number + 1, 20]));
  });

  it('has an end when it is broken off', async () => {
    const { index, heard } = openIndex();
    const { modules } = await index.catalog();
    const stop = new AbortController();
    await index.outlines(modules.slice(0, 1));
    const looking = index.outlines(modules, stop.signal);
    stop.abort(new Error('enough'));
    await expect(looking).rejects.toThrow('enough');
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard.at(-1)).toEqual([heard.at(-1)?.[1], heard.at(-1)?.[1]]);
  });
});
