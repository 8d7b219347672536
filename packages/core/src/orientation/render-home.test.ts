import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-path.ts';
import { estimateTokens, countUnits } from '../text-size/text-size.ts';
import { renderGroup, renderHome } from './render-home.ts';

const TARGET = z.string().meta({ examples: ['login'] });

function space(name: string, tools: readonly string[] = [], more: object = {}): SpaceDefinition {
  const named = tools.map((verb) => [verb, tool(`What ${verb} gives.`, { target: TARGET }, () => '')]);
  return defineResourcespace({ name, description: `About ${name}.`, tools: Object.fromEntries(named), ...more });
}

function treeOf(home: SpaceDefinition, roots: readonly SpaceDefinition[]): SpaceTree {
  const at = (path: SpacePath): SpaceDefinition | undefined =>
    path.reduce<SpaceDefinition | undefined>(
      (found, name, depth) => found && below(path.slice(0, depth)).find((one) => one.name === name),
      home,
    );
  const below = (path: SpacePath) =>
    path.length === 0 ? roots : (Object.values(at(path)?.children() ?? {}) as SpaceDefinition[]);
  return { home, at, below };
}

const FIVE = ['read', 'write', 'edit', 'glob', 'grep'];
const FILES = space('files', ['read']);
const orient = (roots: readonly SpaceDefinition[], { home = FILES, cap = 2000 } = {}) =>
  renderHome(treeOf(home, roots), cap);
const named = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => space(`${'abcd'[index % 4]}${100 + index}`, ['read'], more));

describe('renderHome', () => {
  it('shows the spaces with their counts, and the tools of home', async () => {
    const tasks = { description: 'Manage todo lists', status: () => ({ open: 3, in_progress: 1, blocked: 0 }) };
    const roots = [
      space('memory', FIVE),
      space('source', FIVE, { status: () => ({ late: 2 }) }),
      space('tasks', FIVE, tasks),
    ];
    expect(await orient(roots)).toBe(
      `home
Spaces:
  memory() -- About memory.
  source() -- About source. | late: 2
  tasks() -- Manage todo lists | Start here. | open: 3  in_progress: 1  blocked: 0
<R:target>  -- What read gives.
Example: <R:login>`,
    );
  });

  it('reports when there are no spaces', async () => {
    expect(await orient([], { home: space('start') })).toBe('home\nNo spaces registered.\nNo tools here.');
  });

  it('begins with the state of home if it has one, and with the transition after a move', async () => {
    const home = space('files', [], { enter: () => '/srv/project' });
    const text = await renderHome(treeOf(home, []), 2000, 'Left tasks -> home');
    expect(text).toBe('Left tasks -> home\nhome\n/srv/project\nNo spaces registered.\nNo tools here.');
  });

  it('is made anew each time', async () => {
    let open = 0;
    const tasks = space('tasks', FIVE, { status: () => ({ open: open++ }) });
    expect(await orient([tasks])).toContain('tasks() -- About tasks. | open: 0\n');
    expect(await orient([tasks])).toContain('tasks() -- About tasks. | Start here. | open: 1\n');
  });

  it('shows a space whose status() fails, with the reason', async () => {
    const broken = space('tasks', FIVE, { status: () => Promise.reject(new Error('db locked')) });
    expect(await orient([broken, space('zoo')])).toContain(
      '  tasks() -- About tasks. | status unavailable: Error: db locked\n  zoo() -- About zoo.\n',
    );
  });

  it('costs less than half of the cap for a home of six tools and three spaces of six', async () => {
    const roots = ['memory', 'source', 'tasks'].map((name) => space(name, [...FIVE, 'done']));
    expect(countUnits(await orient(roots, { home: space('files', [...FIVE, 'undo']) }))).toBeLessThan(1000);
  });
});

describe('a small world', () => {
  it('shows the tools of every space and how to call them from home', async () => {
    const meta = space('meta', ['grep']);
    const roots = [space('notes', ['read', 'jot']), space('source', [], { children: () => ({ meta }) })];
    const text = await orient(roots);
    expect(text.slice(text.indexOf('Example:'))).toBe(
      `Example: <R:login>
notes() tools, from here as <notes.R:…>:
<R:target>  -- What read gives.
<jot:target>  -- What jot gives.
source.meta() tools, from here as <source.meta.Grep:…>:
<Grep:target>  -- What grep gives.`,
    );
  });

  it('has ten tools at most, children included', async () => {
    const extra = space('extra', ['done']);
    expect(await orient([space('a', FIVE), space('b', FIVE)])).toContain('b() tools, from here as');
    // Others wrote the texts of its tools.
    const foreign = { ...space('b', FIVE, { children: () => ({ inner: space('inner', FIVE) }) }), isForeign: true };
    const home = await orient([space('a', FIVE), foreign]);
    expect(home).toContain('a() tools, from here as');
    expect(home).not.toMatch(/b(?:\.inner)?\(\) tools/);
    expect(await orient([space('a', FIVE), space('b', FIVE, { children: () => ({ extra }) })])).not.toContain(
      'from here',
    );
  });

  it('shows no tables where they do not fit', async () => {
    const text = await orient([space('a', FIVE), space('b', FIVE)], { cap: 400 });
    expect(text).not.toContain('from here');
    expect(text).toContain('<R:target>');
  });
});

describe('many spaces', () => {
  it('are listed one by one up to twenty-four', async () => {
    expect((await orient(named(24))).match(/\n {2}[a-d]\d+\(\) -- /g)).toHaveLength(24);
  });

  it('are listed by their names from then on', async () => {
    expect(await orient(named(26))).toMatch(
      /^home\nSpaces: 26, entered with @name\(\); <R:group:a> describes a group\n {2}a100, b101, c102, .*, b125\n<R:target>/,
    );
  });

  it('are grouped by their own groups where they have one', async () => {
    const text = await orient([
      ...named(2),
      ...named(30, { group: 'dev tools' }).map((one) => ({ ...one, name: `x${one.name}` })),
    ]);
    expect(text).toContain('\n  a: a100\n  b: b101\n  dev tools: xa100, xb101, ');
    expect(text).toContain('xb129\n');
  });

  it('are named while there is room, and counted behind that', async () => {
    const text = await orient(named(200, { group: 'dev' }), { cap: 400 });
    expect(text).toContain(
      '\n  dev: a100, b101, c102, d103, a104, b105, c106, d107, a108, b109, c110, d111, +188 <R:group:dev>',
    );
  });

  it('take few tokens', async () => {
    const names =
      'airtable asana aws brightdata circleci confluence currents docker eslint exa figma filesystem git gitlab';
    const more =
      'grafana jira kubernetes linear mapbox memory mobile mongodb notion pinecone playwright postgres puppeteer';
    const last = 'redis sentry shopify slack source stripe supabase tasks tavily vercel zapier';
    const spaces = [names, more, last].flatMap((line) => line.split(' ')).map((name) => space(name, FIVE));
    const text = await orient(spaces);
    const list = text.slice(text.indexOf('Spaces:'), text.indexOf('\n<R:'));
    expect(spaces).toHaveLength(38);
    expect(estimateTokens(list)).toBeLessThanOrEqual(135);
  });

  it('are not asked for their counts while only their groups are shown', async () => {
    let asked = 0;
    await orient(named(25, { status: () => ({ open: asked++ }) }));
    expect(asked).toBe(0);
  });
});

describe('the cap', () => {
  const long = {
    description: 'x'.repeat(300),
    status: () => ({ open: 1, in_progress: 22, blocked: 333 }),
    enter: () => 'y'.repeat(3000),
  };
  const home = space('files', FIVE, long);

  it.each([200, 400, 800, 1200, 2000, 4000])('of %i units holds whatever there is to show', async (cap) => {
    for (const count of [1, 5, 24, 25, 400]) {
      const text = await orient(named(count, long), { home, cap });
      expect(countUnits(text)).toBeLessThanOrEqual(cap);
      expect(text.startsWith('home\n')).toBe(true);
    }
  });

  it('holds for a space for each of many groups', async () => {
    const roots = named(300).map((one) => ({ ...one, group: `group of ${one.name}` }));
    const text = await orient(roots, { home: FILES });
    expect(countUnits(text)).toBeLessThanOrEqual(2000);
    expect(text).toContain('+276 more groups');
    expect(text).toContain('<R:target>');
  });

  it('shortens descriptions before it gives up the tools', async () => {
    const text = await orient(named(14, long), { home: FILES });
    expect(text).toContain(`a100() -- ${'x'.repeat(44)}… | Start here. | open: 1  in_progress: 22  blocked: 333`);
    expect(text).toContain('<R:target>');
  });
});

function groupsOf(...spaces: readonly (readonly [name: string, group?: string])[]): SpaceTree {
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

const SHOP = groupsOf(['build', 'Dev'], ['deploy', 'Dev'], ['docs'], ['data'], ['mail', 'office']);

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

  it('ignores upper and lower case', async () => {
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
    await expect(renderGroup(groupsOf(...names), 'zzz')).rejects.toThrow(
      /^no group 'zzz'\.\nGroups: g10, .*, g33, \+6 more$/,
    );
  });
});
