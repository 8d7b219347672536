import { describe, expect, it } from 'vitest';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import type { SpaceTree } from '../protocol/space-path.ts';
import { renderGroup } from './render-group.ts';

function treeOf(...spaces: readonly (readonly [name: string, group?: string])[]): SpaceTree {
  const roots = spaces.map(([name, group]) =>
    defineResourcespace({
      name,
      description: `About ${name}.`,
      tools: {},
      ...(group !== undefined && { group }),
      ...(name === 'build' && { status: () => ({ open: 2 }) }),
    }),
  );
  return { home: roots[0]!, at: () => undefined, below: () => roots };
}

const SHOP = treeOf(['build', 'Dev'], ['deploy', 'Dev'], ['docs'], ['data'], ['mail', 'office']);

describe('renderGroup', () => {
  it('lists the spaces of a group with their counts', async () => {
    expect(await renderGroup(SHOP, 'Dev')).toBe(
      `Group Dev (2 spaces):
  build() -- About build. | Start here. | open: 2
  deploy() -- About deploy.`,
    );
    expect(await renderGroup(SHOP, ' office ')).toBe('Group office (1 space):\n  mail() -- About mail.');
  });

  it('lists the spaces without a group by their first letter', async () => {
    expect(await renderGroup(SHOP, 'd')).toBe('Group d (2 spaces):\n  docs() -- About docs.\n  data() -- About data.');
  });

  it('does not mind the case', async () => {
    expect(await renderGroup(SHOP, 'dev')).toContain('Group Dev (2 spaces):');
  });

  it('suggests the group that was meant, or lists what there is', async () => {
    await expect(renderGroup(SHOP, 'ofice')).rejects.toThrow("no group 'ofice'.\nDid you mean <R:group:office>?");
    await expect(renderGroup(SHOP, 'zzz')).rejects.toThrow("no group 'zzz'.\nGroups: Dev, d, office");
    const empty: SpaceTree = { ...SHOP, below: () => [] };
    await expect(renderGroup(empty, 'zzz')).rejects.toThrow("no group 'zzz'.\nNo spaces registered.");
  });

  it('lists a part of many groups', async () => {
    const names = Array.from({ length: 30 }, (_, index) => [`s${index}`, `g${10 + index}`] as const);
    await expect(renderGroup(treeOf(...names), 'zzz')).rejects.toThrow(
      /^no group 'zzz'\.\nGroups: g10, .*, g33, \+6 more$/,
    );
  });
});
