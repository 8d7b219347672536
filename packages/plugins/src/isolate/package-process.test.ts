import { allowAll, asModelText, createAgent } from '@bae/core';
import { expect, it, onTestFinished } from 'vitest';
import { IMPORTS, install, trustOf } from '../../test/sample-package.ts';
import { scratchFolder } from '../../test/scratch.ts';
import { placeMounts } from '../load/place-mounts.ts';
import { resolveMounts, type SpaceEntry } from '../load/resolve-mounts.ts';

/** Sessions with an installed package. */
async function open(code: string, entries: readonly SpaceEntry[] = ['box']) {
  const from = scratchFolder();
  await install(from, { name: 'bae-resourcespace-box', code: `${IMPORTS}\nconst read = { effect: 'read' };\n${code}` });
  const trust = trustOf('trusted');
  const found = await resolveMounts({ entries, discover: false, disabled: [], from, builtIn: {}, trust });
  expect(found.problems).toEqual([]);
  const spaces = placeMounts(found.mounts, []);
  return () => {
    const agent = createAgent({ spaces, approver: allowAll });
    onTestFinished(() => agent.close());
    return async (text: string) => (await agent.run(asModelText(text))).calls.at(-1)!.result.text;
  };
}

const SHELF = `
const made = new Map();
const item = (name) => defineResourcespace({ name, description: 'A drawer.', enter: () => 'in ' + name,
  status: () => ({ things: 2 }),
  tools: {
    read: tool('What is in it.', {}, () => 'things of ' + name, read),
    fill: tool('Another one in it.', { id: z.string() }, ({ id }) => { inner.set(id, item(id)); return 'filled'; }, read),
  },
  children: () => name === 'socks' ? Object.fromEntries(inner) : {} });
const inner = new Map();
export const space = defineResourcespace({ name: 'box', description: 'A place.',
  children: () => Object.fromEntries(made),
  tools: {
    pid: tool('Its number.', {}, () => process.pid, read),
    add: tool('A new drawer.', { id: z.string() }, ({ id }) => { made.set(id, item(id)); return 'added'; }, read),
    drop: tool('A drawer less.', { id: z.string() }, ({ id }) => { made.delete(id); throw new Error('gone'); }, read),
  } });`;

it('spaces that a package adds and removes while it runs come and go in a process of its own too', async () => {
  const run = (await open(SHELF))();
  expect(Number(await run('<box.pid:>'))).not.toBe(process.pid);
  expect(await run('@nav()')).not.toContain('socks');
  await run('<box.add:socks>');
  expect(await run('@nav()')).toContain('socks');
  expect(await run('<box.socks.R:>')).toBe('things of socks');
  await run('<box.socks.fill:left>\n<box.add:shirts>');
  expect(await run('@box.socks.left()')).toContain('in left');
  expect(await run('<home.box.shirts.R:>')).toBe('things of shirts');
  // Also when the call that removes it fails.
  expect(await run('<home.box.drop:shirts>')).toContain('gone');
  expect(await run('<home.box.shirts.R:>')).toMatch(/^ResourceError/);
});

it('tools that a space has only later are there', async () => {
  const run = (
    await open(`
    let tools = {};
    export const space = { name: 'box', description: 'A place.', enter: () => '', children: () => ({ lid }),
      tools: defineResourcespace({ name: 'x', description: 'x', tools: {
        learn: tool('More tools.', {}, () => { tools = sing; return 'learnt'; }, read) } }).tools };
    const sing = defineResourcespace({ name: 'x', description: 'x', tools: {
      sing: tool('A song.', { id: z.string() }, ({ id }) => 'la ' + id, read) } }).tools;
    const lid = { name: 'lid', description: 'The lid.', enter: () => '', children: () => ({}), get tools() { return tools; } };`)
  )();
  expect(await run('<box.lid.sing:la>')).toMatch(/^\w+Error/);
  await run('<box.learn:>');
  expect(await run('<box.lid.sing:la>')).toBe('la la');
});

it(
  'all spaces of a package share one process in a session, and each session has its own',
  { tags: ['long'] },
  async () => {
    const code = `
const make = (name) => defineResourcespace({ name, description: 'A place.', tools: {
  pid: tool('Its number.', {}, () => process.pid, read),
  crash: tool('Ends.', {}, () => process.exit(3), read),
} });
export const one = make('one');
export const two = make('two');`;
    const openSession = await open(code, [
      { use: 'box', as: 'left' },
      { use: 'box', as: 'right' },
    ]);
    const run = openSession();
    const first = await run('<left.one.pid:>');
    expect(Number(first)).not.toBe(process.pid);
    for (const place of ['left.two', 'right.one', 'right.two']) expect(await run(`<${place}.pid:>`)).toBe(first);
    expect(await openSession()('<left.one.pid:>')).not.toBe(first);
    expect(await run('<right.two.crash:>')).toContain('exited unexpectedly (exit 3)');
    const second = await run('<left.one.pid:>');
    expect(second).not.toBe(first);
    expect(await run('<right.two.pid:>')).toBe(second);
  },
);

it(
  'mounts in one process keep their own options, and go on when one of them cannot be opened',
  { tags: ['long'] },
  async () => {
    const code = `
export const options = z.strictObject({ name: z.string().default('nobody') });
export const spaces = ({ name }) => {
  if (name === 'bad') throw new Error('no such name');
  let count = 0;
  return defineResourcespace({ name: 'box', description: 'A place.', tools: {
    who: tool('Its name.', {}, () => name + ' ' + ++count, read) } });
};`;
    const entries = ['Ada', 'Ben', 'bad'].map((name) => ({ use: 'box', as: name.toLowerCase(), options: { name } }));
    const run = (await open(code, entries))();
    expect(await run('<ada.who:>')).toBe('Ada 1');
    expect(await run('<bad.who:>')).toContain('no such name');
    expect(await run('<ben.who:>')).toBe('Ben 1');
    expect(await run('<ada.who:>')).toBe('Ada 2');
  },
);
