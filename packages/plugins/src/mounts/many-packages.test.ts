import { asModelText, createAgent } from '@bae/core';
import { units, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import type { SpaceManifest } from '../manifest/plugin-manifest.ts';
import type { Plugin } from '../package/plugin.ts';
import type { Mount } from './mount.ts';
import { placeMounts } from './place-mounts.ts';

const SPACES = 200;
const TOOLS = 10;

/** A package that has nothing but a manifest: whoever loads it fails. */
function mountOf(index: number): Mount {
  const name = `${'abcdefghijklmnopqrstuvwxyz'[index % 26]}space${index}`;
  const tools = Array.from({ length: TOOLS }, (_, tool) => ({
    name: `do_${tool}_${index}`,
    description: `What comes back of ${tool}.`,
    effect: 'read' as const,
    params: [{ name: 'id', type: 'int' }],
  }));
  const space: SpaceManifest = { name, description: `The things of ${name}, all of them.`, tools, children: [] };
  const manifest = { manifest: 1 as const, name, version: '1.0.0', code: '', spaces: [space] };
  const plugin: Plugin = { name, version: '1.0.0', folder: '/nowhere', entry: '/nowhere', manifestFile: '', manifest };
  return { path: [name], label: name, thing: { type: 'plugin', plugin, space, options: undefined, digest: '' } };
}

const mounts = Array.from({ length: SPACES }, (_, index) => mountOf(index));

describe(`${SPACES} packages with ${TOOLS} tools each`, () => {
  it('fit into home, whatever the cap', async () => {
    for (const cap of [100, 250, 500]) {
      const agent = createAgent({ spaces: placeMounts(mounts, { provide: [], builtIn: {} }), cap });
      expect(units(await agent.describe([]))).toBeLessThanOrEqual(cap * UNITS_PER_TOKEN);
    }
  });

  it('are all found from home: by a group, then by a space that shows each of its tools', async () => {
    const agent = createAgent({ spaces: placeMounts(mounts, { provide: [], builtIn: {} }) });
    const read = async (tag: string) => (await agent.run(asModelText(tag))).calls[0]!.result.text;
    const home = await agent.describe([]);
    const groups = [...home.matchAll(/\b([a-z]) \(\d+\)/g)].map((match) => match[1]!);
    expect(groups).toHaveLength(26);
    const found = new Set<string>();
    for (const group of groups) {
      const listed = await read(`<R:group:${group}>`);
      for (const [, name] of listed.matchAll(/^ {2}(\w+)\(\)/gm)) found.add(name!);
    }
    expect([...found].toSorted()).toEqual(mounts.map(({ path }) => path[0]!).toSorted());
    for (const { path } of mounts) {
      const place = await agent.describe(path);
      const tools = Object.keys(agent.tree.at(path)!.tools);
      expect(tools.filter((tool) => !place.toLowerCase().includes(tool))).toEqual([]);
    }
  });
});
