import { asModelText, createAgent, type Hook, type Provision } from '@bae/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from '../../test/scratch-folder.ts';
import { findDevPackage } from './dev-package.ts';
import { openLivePackage } from './live-package.ts';

const CORE = JSON.stringify(import.meta.resolve('@bae/core'));
const signal = new AbortController().signal;

/** A module with one space; `disposed` counts on the global object who let go. */
const spaceSaying = (text: string, name = 'tea') => `
import { defineResourcespace, resourcespace, tool } from ${CORE};
class Tea {
  enter() { return '${text}'; }
  dispose() { globalThis.disposedTeas = (globalThis.disposedTeas ?? 0) + 1; }
}
resourcespace({ name: '${name}', description: 'Tea.' })(Tea);
export { Tea };
`;

async function open(code: string, build?: string, parts: { provide?: readonly Provision[]; userHooks?: Hook[] } = {}) {
  const { provide = [], userHooks } = parts;
  const folder = scratchFolder();
  folder.put('package.json', { type: 'module', main: 'index.js', ...(build !== undefined && { scripts: { build } }) });
  folder.put('index.js', code);
  const live = openLivePackage(await findDevPackage('.', folder.path), provide, userHooks);
  onTestFinished(() => live.close());
  const agent = createAgent({ home: live.home, hooks: live.hooks });
  live.follow(agent);
  const say = async (text: string) => (await agent.run(asModelText(text))).calls.at(-1)?.result.text;
  return { ...folder, live, agent, say };
}

describe('openLivePackage', () => {
  it('shows the spaces as the code is now, to a session that stands in one of them', async () => {
    const { live, put, say } = await open(spaceSaying('hot'));
    expect(await live.reload(signal)).toMatchObject({ type: 'loaded', spaces: [{ name: 'tea' }] });
    expect(await say('@tea()')).toContain(' hot\n');
    put('index.js', spaceSaying('cold'));
    expect(await live.reload(signal)).toMatchObject({ type: 'loaded' });
    expect(await say('@home()\n@tea()')).toContain('\ncold\n');
  });

  it('hands a function that makes spaces what is provided', async () => {
    const code = `
import { defineResourcespace } from ${CORE};
export const spaces = (options, provided) =>
  defineResourcespace({ name: 'tea', description: 'Tea.', tools: {}, enter: () => provided.get('kind') });
`;
    const { live, say } = await open(code, undefined, { provide: [{ token: 'kind', value: 'green' }] });
    await live.reload(signal);
    expect(await say('@tea()')).toContain(' green\n');
  });

  it('disposes of what a function made, once it is replaced', async () => {
    const code = (text: string) => `
import { defineResourcespace } from ${CORE};
export const spaces = () => defineResourcespace({ name: 'tea', description: '${text}', tools: {},
  dispose() { globalThis.disposedByFunction = (globalThis.disposedByFunction ?? 0) + 1; } });
`;
    const disposed = () => (globalThis as { disposedByFunction?: number }).disposedByFunction;
    const { live, put } = await open(code('Hot.'));
    await live.reload(signal);
    put('index.js', code('Cold.'));
    expect(disposed()).toBeUndefined();
    await live.reload(signal);
    expect(disposed()).toBe(1);
    await live.close();
    expect(disposed()).toBe(2);
  });

  it("runs the user's hooks after those of the package, and passes each event to them once", async () => {
    const code = `
import { defineResourcespace, tool } from ${CORE};
const order = tool('A cup.', {}, () => 'a cup', { effect: 'read' });
export const tea = defineResourcespace({ name: 'tea', description: 'Tea.', tools: { order } });
export const hooks = [{ name: 'milk', afterCall: (_, { text }) => text + ', milk' }];
`;
    const heard: string[] = [];
    const user: Hook = {
      name: 'sugar',
      afterCall: (_, { text }) => `${text}, sugar`,
      onEvent: ({ type }) => void heard.push(type),
    };
    const { live, say } = await open(code, undefined, { userHooks: [user] });
    expect(await live.reload(signal)).toMatchObject({ hooks: ['milk'] });
    expect(await say('<tea.order:>')).toBe('a cup, milk, sugar');
    expect(heard.filter((type) => type === 'call-start')).toHaveLength(1);
  });

  it('runs the hooks as the code is now', async () => {
    const code = (day: string) => `
import { defineResourcespace, tool } from ${CORE};
import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
globalThis.heardByHooks ??= [];
export const options = z.object({ day: z.string().default('${day}').transform((text) => text + '!') });
const order = tool('A cup.', {}, () => 'a cup', { effect: 'read' });
export const tea = defineResourcespace({ name: 'tea', description: 'Tea.', tools: { order } });
export const spaces = () => tea;
export const hooks = ({ day }) => [
  { name: 'closed', beforeCall: ({ tool }) => (tool === 'order' ? { refuse: 'closed on ' + day } : undefined) },
  { name: 'ears', onEvent: ({ type }) => void globalThis.heardByHooks.push('${day} ' + type) },
];
`;
    const heard = () => (globalThis as { heardByHooks?: readonly string[] }).heardByHooks ?? [];
    const { live, put, say } = await open(code('Sunday'));
    expect(await live.reload(signal)).toMatchObject({ hooks: ['closed', 'ears'] });
    expect(await say('<tea.order:>')).toBe(
      'ApprovalError: order was not run: the hook closed refuses it: closed on Sunday!',
    );
    expect(heard()).toContain('Sunday call-start');
    put('index.js', code('Monday'));
    await live.reload(signal);
    const before = heard().length;
    expect(await say('<tea.order:>')).toContain('closed on Monday!');
    expect(
      heard()
        .slice(before)
        .every((one) => one.startsWith('Monday ')),
    ).toBe(true);
    expect(heard()).toContain('Monday call-start');
    put('index.js', code('Tuesday').replace("name: 'closed'", "name: ''"));
    expect(await live.reload(signal)).toMatchObject({
      type: 'failed',
      reason: expect.stringContaining("hooks[0].name: expected a name like 'audit'") as string,
    });
    put('index.js', code('Tuesday').replace(/export const hooks[^]*/, ''));
    expect(await live.reload(signal)).toMatchObject({ type: 'loaded', hooks: [] });
    expect(await say('<tea.order:>')).toBe('a cup');
  });

  it('lets spaces come and go', async () => {
    const { live, put, say } = await open(spaceSaying('hot'));
    await live.reload(signal);
    await say('@tea()');
    put('index.js', spaceSaying('hot', 'coffee'));
    await live.reload(signal);
    expect(await say('@nav()')).toBe('home  <-- you are here\n  coffee()');
  });

  it.each([
    ["throw new Error('no licence');", 'Error: no licence'],
    ['export const answer = 42;', 'exports no spaces, but answer. Export a class'],
    [spaceSaying('hot', 'read'), "InvalidSpaceError: 'read' already has another meaning in bae."],
  ])('keeps what was there when the code is %j', async (code, reason) => {
    const { live, put, say } = await open(spaceSaying('hot'));
    await live.reload(signal);
    put('index.js', code);
    expect(await live.reload(signal)).toEqual({ type: 'failed', reason: expect.stringContaining(reason) as string });
    expect(await say('@tea()')).toContain(' hot\n');
  });

  it('does nothing when the code is as it was', async () => {
    const { live, put } = await open(spaceSaying('hot'));
    await live.reload(signal);
    put('README.md', 'more');
    expect(await live.reload(signal)).toEqual({ type: 'same' });
  });

  it('builds first, and reports the output of a failed build', async () => {
    const { live, put } = await open('', 'cp source.js index.js');
    put('source.js', spaceSaying('hot'));
    expect(await live.reload(signal)).toMatchObject({ type: 'loaded' });
    const failing = await open(spaceSaying('hot'), 'echo line 3 is wrong; exit 2');
    expect(await failing.live.reload(signal)).toEqual({
      type: 'failed',
      reason: 'it cannot be built:\nline 3 is wrong',
    });
  });

  it('lets go of the instances of each time, and takes one time after the other', async () => {
    const counts = globalThis as { disposedTeas?: number };
    counts.disposedTeas = 0;
    const { live, put } = await open(spaceSaying('hot'));
    const first = live.reload(signal);
    const second = live.reload(signal);
    expect((await first).type).toBe('loaded');
    expect((await second).type).toBe('same');
    put('index.js', spaceSaying('cold'));
    await live.reload(signal);
    expect(counts.disposedTeas).toBe(1);
    await live.close();
    expect(counts.disposedTeas).toBe(2);
  });
});
