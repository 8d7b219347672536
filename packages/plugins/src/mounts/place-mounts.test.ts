import {
  asModelText,
  createAgent,
  defineResourcespace,
  inject,
  resourcespace,
  tool,
  type SpaceSource,
} from '@bae/core';
import { describe, expect, it } from 'vitest';
import type { Mount } from './mount.ts';
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

function agentOf(mounts: readonly Mount[], builtIn: Readonly<Record<string, SpaceSource>> = {}) {
  log.length = 0;
  return createAgent({ spaces: placeMounts(mounts, { provide, builtIn }), provide });
}

describe('placeMounts', () => {
  it('leaves a space as it is when nothing else was asked for', () => {
    const space = define('a');
    expect(placeMounts([mount('a', space)], { provide, builtIn: {} })).toEqual([space]);
    expect(placeMounts([mount('clock', ClockSpace)], { provide, builtIn: {} })).toEqual([ClockSpace]);
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
      { path: ['time'], label: '', thing: { type: 'built-in', name: 'clock' } },
      { path: ['clock'], label: '', thing: { type: 'built-in', name: 'clock' } },
    ];
    expect(
      agentOf(mounts, { clock: ClockSpace })
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
