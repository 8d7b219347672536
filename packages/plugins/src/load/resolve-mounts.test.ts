import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineResourcespace } from '@bae/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { IMPORTS, install, putPackage, spaceModule, trustOf } from '../../test/sample-package.ts';
import { put, scratchFolder } from '../../test/scratch.ts';
import { resolveMounts, type MountRequest } from './resolve-mounts.ts';

const bare = defineResourcespace({ name: 'bare', description: 'Nothing.', tools: {} });
const all = trustOf('trusted');
const none = trustOf('unknown');

let from: string;
beforeEach(() => {
  from = scratchFolder();
});

async function resolve(request: Partial<MountRequest>) {
  const { mounts, ...rest } = await resolveMounts({
    entries: [],
    discover: false,
    disabled: [],
    builtIn: {},
    from,
    trust: all,
    ...request,
  });
  return { mounts: mounts.map(({ path, label }) => `${path.join('.')}: ${label}`), ...rest };
}

const sample = (name: string) => ({ name: `bae-resourcespace-${name}`, code: spaceModule(name) });
const OPTIONS = `${IMPORTS}
export const options = z.object({
  url: z.string().describe('address of the shop'),
  level: z.enum(['low', 'high']).default('low'),
  limits: z.object({ most: z.int() }).optional(),
}).meta({ examples: [{ url: 'x' }] });
export const spaces = ({ url, level }) => defineResourcespace({ name: 'shop', description: 'A shop.', enter: () => url + level, tools: {} });`;

describe('resolveMounts', () => {
  it('mounts packages by short and whole names, by folder, and spaces as they are', async () => {
    await install(from, sample('tickets'));
    await install(from, { name: '@acme/bae-resourcespace-orders', code: spaceModule('orders') });
    await install(from, sample('mail'));
    const space = defineResourcespace({ name: 'mine', description: 'Mine.', tools: {} });
    const entries = [
      'tickets',
      '@acme/orders',
      './node_modules/bae-resourcespace-mail',
      space,
      { use: space, as: 'yours' },
    ];
    expect(await resolve({ entries })).toEqual({
      mounts: [
        'tickets: bae-resourcespace-tickets',
        'orders: @acme/bae-resourcespace-orders',
        'mail: bae-resourcespace-mail',
        'mine: a space of the configuration (mine)',
        'yours: a space of the configuration (mine)',
      ],
      untrusted: [],
      notices: [],
      problems: [],
    });
  });

  it('mounts one package several times, under names and places of the user', async () => {
    await install(from, sample('tickets'));
    const entries = ['tickets', { use: 'tickets', as: 'support' }, { use: 'tickets', as: 'desk', under: 'work.shop' }];
    expect((await resolve({ entries })).mounts).toEqual([
      'tickets: bae-resourcespace-tickets',
      'support: bae-resourcespace-tickets',
      'work.shop.desk: bae-resourcespace-tickets',
    ]);
  });

  it('makes a place of a package of several spaces that is given one name', async () => {
    await install(from, {
      name: 'bae-resourcespace-two',
      code: `${spaceModule('a')}${spaceModule('b').replace(IMPORTS, '')}`,
    });
    expect(
      (await resolve({ entries: ['two', { use: 'two', as: 'pair' }] })).mounts.map((line) => line.split(':')[0]),
    ).toEqual(['a', 'b', 'pair.a', 'pair.b']);
  });

  it('takes installed packages that nobody listed, when it shall', async () => {
    for (const name of ['a', 'b', 'c']) await install(from, sample(name));
    expect((await resolve({ entries: [{ use: 'b', as: 'mine' }] })).mounts).toEqual(['mine: bae-resourcespace-b']);
    expect((await resolve({ entries: [{ use: 'b', as: 'mine' }], discover: true, disabled: ['c'] })).mounts).toEqual([
      'mine: bae-resourcespace-b',
      'a: bae-resourcespace-a',
    ]);
  });

  it('has the spaces of bae itself, unless they are moved or left out', async () => {
    const builtIn = { tasks: bare, source: bare };
    expect((await resolve({ builtIn })).mounts).toEqual(["tasks: bae's own tasks", "source: bae's own source"]);
    expect((await resolve({ builtIn, disabled: ['source'] })).mounts).toEqual(["tasks: bae's own tasks"]);
    expect((await resolve({ builtIn, entries: [{ use: 'tasks', as: 'todo', under: 'work' }] })).mounts).toEqual([
      "source: bae's own source",
      "work.todo: bae's own tasks",
    ]);
  });

  it('runs no line of a package', async () => {
    const marker = join(from, 'ran');
    const code = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(marker)}, '');\n${spaceModule('a')}`;
    await install(from, { name: 'bae-resourcespace-a', code });
    rmSync(marker);
    for (const trust of [all, none]) await resolve({ entries: ['a'], discover: true, trust });
    expect(existsSync(marker)).toBe(false);
  });

  it('leaves out what is not trusted, and reports what it is', async () => {
    const folder = await install(from, sample('tickets'));
    const { mounts, untrusted } = await resolve({
      entries: ['tickets', { use: 'tickets', as: 'b' }],
      discover: true,
      trust: none,
    });
    expect(mounts).toEqual([]);
    expect(untrusted).toEqual([
      {
        kind: 'plugin',
        name: 'bae-resourcespace-tickets',
        path: folder,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        about: ['version 1.0.0', 'tickets() -- The tickets.', '  reads: read'],
      },
    ]);
    expect((await resolve({ entries: ['tickets'], disabled: ['tickets'], trust: none })).untrusted).toEqual([]);
  });

  it('goes on without a package that cannot be used, and names it', async () => {
    await install(from, sample('a'));
    await install(from, { ...sample('b'), api: '^2' });
    await install(from, sample('c'));
    put(from, { 'node_modules/bae-resourcespace-c/dist/bae.manifest.json': '{' });
    const tool = await install(from, sample('d'));
    const { default: manifest } = (await import(join(tool, 'dist/bae.manifest.json'), { with: { type: 'json' } })) as {
      readonly default: { readonly spaces: readonly object[] };
    };
    const spaces = [{ ...manifest.spaces[0], name: 'home' }];
    put(from, { 'node_modules/bae-resourcespace-d/dist/bae.manifest.json': JSON.stringify({ ...manifest, spaces }) });
    const expected = {
      mounts: ['a: bae-resourcespace-a'],
      untrusted: [],
      problems: [],
      notices: [
        'bae-resourcespace-b is made for plugin API ^2; this bae has 1.0.0. Install a version of bae-resourcespace-b for it, or another bae.',
        `bae-resourcespace-c: its manifest cannot be used: Invalid input: expected object, received undefined. Its author updates it with bae manifest. Try: bae manifest ${from}/node_modules/bae-resourcespace-c`,
        "bae-resourcespace-d is not used: 'home' already has another meaning in bae. Give the space another name.",
      ],
    };
    expect(await resolve({ discover: true })).toEqual(expected);
    expect(await resolve({ entries: ['a', 'b', 'c', 'd'] })).toEqual(expected);
  });

  it('reports untrusted code that is not what the manifest describes', async () => {
    const folder = await install(from, sample('a'));
    put(folder, { 'dist/index.js': `${spaceModule('a')} // changed` });
    const { untrusted } = await resolve({ entries: ['a'], trust: none });
    expect(untrusted[0]?.about.at(-1)).toBe(
      'its code was changed after this was written down: it may do something else',
    );
  });

  it('explains how to rename one of two of a name', async () => {
    await install(from, sample('a'));
    await install(from, { name: '@acme/bae-resourcespace-a', code: spaceModule('a') });
    const space = defineResourcespace({ name: 'a', description: 'Mine.', tools: {} });
    expect((await resolve({ entries: ['a', '@acme/a'] })).problems).toEqual([
      'spaces[1]: two spaces are named a: bae-resourcespace-a and @acme/bae-resourcespace-a. Give one another name: {"use":"@acme/bae-resourcespace-a","as":"a2"}',
    ]);
    expect(
      (await resolve({ entries: [space, { use: space, as: 'a', under: 'x' }, { use: 'a', under: 'x' }] })).problems,
    ).toEqual([
      'spaces[2]: two spaces are named x.a: a space of the configuration (a) and bae-resourcespace-a. Give one another name: {"use":"bae-resourcespace-a","as":"a2","under":"x"}',
    ]);
    expect((await resolve({ entries: ['a', space] })).problems).toEqual([
      'spaces[1]: two spaces are named a: bae-resourcespace-a and a space of the configuration (a). Give one another name: {"use":…,"as":"a2"}',
    ]);
  });

  it('takes the first of two that were only found, and reports which one it left out', async () => {
    await install(from, sample('a'));
    await install(from, { name: 'bae-resourcespace-b', code: spaceModule('a') });
    const { mounts, notices, problems } = await resolve({ discover: true });
    expect(mounts).toEqual(['a: bae-resourcespace-a']);
    expect(problems).toEqual([]);
    expect(notices).toEqual([
      'bae-resourcespace-b is not used: bae-resourcespace-a has a space named a already. Give it another name in the configuration: "spaces": [{"use":"bae-resourcespace-b","as":"a2"}]',
    ]);
  });

  it.each([
    ['tickts', 'spaces[0].use: no package bae-resourcespace-tickts is installed. Did you mean "tickets"?'],
    [
      'zzz',
      'spaces[0].use: no package bae-resourcespace-zzz is installed. Install it: npm install bae-resourcespace-zzz',
    ],
    ['./nowhere', 'spaces[0].use: expected the folder of a package; got "./nowhere", and nothing is there.'],
    ['a b', 'spaces[0].use: expected a name like "tickets" or a folder like "./spaces/tickets"; got "a b".'],
    [
      { use: 'tickets', as: 'home' },
      "spaces[0].as: 'home' already has another meaning in bae. Give the space another name.",
    ],
    [
      { use: 'tickets', under: 'a.b c' },
      `spaces[0].under: a space's name is an identifier (letters, digits, _ and -); got "b c". Example: 'tickets'.`,
    ],
    [
      { use: 'tickets', options: { a: 1 } },
      'spaces[0].options: bae-resourcespace-tickets takes no options. Remove them.',
    ],
    [{ use: 'tasks', options: {} }, "spaces[0].options: bae's own tasks takes no options. Remove them."],
  ])('reports what is wrong with %j', async (entry, problem) => {
    await install(from, sample('tickets'));
    expect((await resolve({ entries: [entry], builtIn: { tasks: bare } })).problems).toEqual([problem]);
  });

  it('reports what is wrong with options, without running the package', async () => {
    await install(from, { name: 'bae-resourcespace-shop', code: OPTIONS });
    const problems = async (options?: Record<string, unknown>) =>
      (await resolve({ entries: [{ use: 'shop', ...(options && { options }) }] })).problems;
    expect(await problems({ url: 'x', level: 'high' })).toEqual([]);
    expect(await problems()).toEqual(['spaces[0].options.url: expected string (address of the shop); got nothing.']);
    expect(await problems({ url: 5, level: 'hihg' })).toEqual([
      'spaces[0].options.url: expected string (address of the shop); got 5.',
      'spaces[0].options.level: expected "low" or "high"; got "hihg" (did you mean "high"?).',
    ]);
    expect(await problems({ url: 'x', lvel: 'low' })).toEqual([
      'spaces[0].options.lvel: no such option of bae-resourcespace-shop. Did you mean level?',
    ]);
    expect(await problems({ url: 'x', limits: { most: 1.5 } })).toEqual([
      'spaces[0].options.limits.most: expected int; got 1.5.',
    ]);
  });

  it('suspects a misspelt name in what is left out', async () => {
    await install(from, sample('tickets'));
    const { problems } = await resolve({ entries: ['tickets'], disabled: ['tickest', 'not-installed-here'] });
    expect(problems).toEqual(['disabled[0]: nothing is named "tickest". Did you mean "tickets"?']);
  });

  it('finds no package outside of the folder and those above it', async () => {
    putPackage(join(scratchFolder(), 'node_modules/bae-resourcespace-a'), sample('a'));
    expect((await resolve({ entries: ['a'] })).problems).toHaveLength(1);
  });
});
