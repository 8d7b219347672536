import {
  asModelText,
  createAgent,
  defineResourcespace,
  inject,
  resourcespace,
  tool,
  type SpaceSource,
} from '@bae/core';
import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import type { SpaceManifest } from '../manifest/plugin-manifest.ts';
import { trustOf } from '../../test/sample-package.ts';
import type { Plugin } from '../package/read-plugin.ts';
import type { Mount } from './resolve-mounts.ts';
import { placeMounts } from './place-mounts.ts';

const log: string[] = [];

const define = (name: string) =>
  defineResourcespace({
    name,
    description: `The ${name}.`,
    enter: () => `in ${name}`,
    tools: { read: tool('It.', {}, () => `read ${name}`) },
    children: () => ({ own: leaf }),
    dispose: () => void log.push(name),
  });
const leaf = defineResourcespace({ name: 'own', description: 'Own.', tools: {} });

@resourcespace({ name: 'clock', description: 'The time.' })
class ClockSpace {
  private readonly zone: string;

  constructor(@inject('zone') zone: string) {
    this.zone = zone;
    log.push('made');
  }

  enter() {
    return `time in ${this.zone}`;
  }

  dispose() {
    log.push('disposed');
  }
}

const mount = (path: string, source: SpaceSource): Mount => ({
  path: path.split('.'),
  label: path,
  thing: { type: 'source', source },
});
const provide = [{ token: 'zone', value: 'UTC' }];

function agentOf(mounts: readonly Mount[]) {
  log.length = 0;
  return createAgent({ spaces: placeMounts(mounts, provide), provide });
}

describe('placeMounts', () => {
  it('leaves a space as it is when nothing else was configured', () => {
    const space = define('a');
    expect(placeMounts([mount('a', space)], provide)).toEqual([space]);
    expect(placeMounts([mount('clock', ClockSpace)], provide)).toEqual([ClockSpace]);
  });

  it('calls spaces as the user does', async () => {
    const agent = agentOf([mount('a', define('a')), mount('b', define('a')), mount('watch', ClockSpace)]);
    expect(agent.tree.below([]).map(({ name }) => name)).toEqual(['a', 'b', 'watch']);
    expect((await agent.run(asModelText('<b.R:>\n@watch()'))).feedback).toMatch(/read a[^]*time in UTC/);
    await agent.close();
    expect(log).toEqual(['made', 'disposed']);
  });

  it('puts one space below another, besides what that one has itself', async () => {
    const agent = agentOf([mount('a', define('a')), mount('a.clock', ClockSpace), mount('a.b', define('x'))]);
    expect(agent.tree.below(['a']).map(({ name }) => name)).toEqual(['b', 'clock', 'own']);
    expect((await agent.run(asModelText('<a.b.R:>\n@a.clock()'))).feedback).toMatch(/read x[^]*time in UTC/);
    await agent.close();
    expect(log).toEqual(['made', 'disposed']);
  });

  it('makes a place of a name that only others stand below', async () => {
    const agent = agentOf([mount('work.shop.a', define('a')), mount('work.b', define('b'))]);
    expect(agent.tree.at(['work'])?.description).toBe('A place for work.shop(), work.b().');
    expect(agent.tree.below(['work']).map(({ name }) => name)).toEqual(['b', 'shop']);
    expect((await agent.run(asModelText('<work.shop.a.R:>'))).feedback).toContain('read a');
  });

  it('takes the spaces of bae itself by name', () => {
    const mounts: Mount[] = [
      { path: ['time'], label: '', thing: { type: 'source', source: ClockSpace, name: 'clock' } },
      { path: ['clock'], label: '', thing: { type: 'source', source: ClockSpace, name: 'clock' } },
    ];
    expect(
      agentOf(mounts)
        .tree.below([])
        .map(({ name }) => name),
    ).toEqual(['clock', 'time']);
  });

  it('makes a renamed class anew for each session', async () => {
    const agent = agentOf([mount('watch', ClockSpace)]);
    const other = agent.session('2');
    expect(log).toEqual(['made', 'made']);
    await other.close();
    expect(log).toEqual(['made', 'made', 'disposed']);
    await agent.close();
    expect(log).toHaveLength(4);
  });
});

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
  return {
    path: [name],
    label: name,
    thing: {
      type: 'plugin',
      plugin,
      space,
      options: undefined,
      process: { isOwn: false, reason: 'isolate is false' },
      digest: '',
      trust: trustOf('trusted'),
    },
  };
}

const mounts = Array.from({ length: SPACES }, (_, index) => mountOf(index));

describe(`${SPACES} packages with ${TOOLS} tools each`, () => {
  it('fit into home, whatever the cap', async () => {
    for (const cap of [100, 250, 500]) {
      const agent = createAgent({ spaces: placeMounts(mounts, []), cap });
      expect(countUnits(await agent.describe([]))).toBeLessThanOrEqual(cap * UNITS_PER_TOKEN);
    }
  });

  it('are all found from home: by a group, then by a space that shows each of its tools', async () => {
    const agent = createAgent({ spaces: placeMounts(mounts, []) });
    const read = async (tag: string) => (await agent.run(asModelText(tag))).calls[0]!.result.text;
    const home = await agent.describe([]);
    const groups = [...home.matchAll(/^ {2}([a-z]): /gm)].map((match) => match[1]!);
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
