import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent, type AgentEvent } from '@bae/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { install, spaceModule, trustOf } from '../../test/sample-package.ts';
import { scratchFolder } from '../../test/scratch.ts';
import { readPlugin } from '../package/read-plugin.ts';
import { pluginSubject } from '../trust/trust-subject.ts';
import { placeHooks, placeMounts } from './place-mounts.ts';
import { resolveMounts, type SpaceMount } from './resolve-mounts.ts';

const NAME = 'bae-resourcespace-clock';
const OPTIONS = `export const options = z.strictObject({ until: z.string().default('six'), key: z.string().default('').meta({ secret: true }) });\n`;
const NIGHT = `({ name: 'night', beforeCall: ({ tool, space }) => ({ refuse: tool + ' in ' + space + ' waits until ' + until }) })`;

let project: string;
beforeEach(() => {
  project = scratchFolder();
});

async function mount(hooks: string, wanted: Partial<SpaceMount> = {}) {
  const code = `globalThis.loads = (globalThis.loads ?? 0) + 1;\n${spaceModule('clock')}${OPTIONS}export const hooks = ${hooks};\n`;
  const folder = await install(project, { name: NAME, code });
  const entries = [{ use: NAME, ...wanted }];
  const request = { entries, discover: false, disabled: [], builtIn: {}, from: project, trust: trustOf('trusted') };
  return { folder, ...(await resolveMounts(request)) };
}

/** What a call of the clock becomes with the hooks of its package, and which of them ran. */
async function call(mounts: Awaited<ReturnType<typeof mount>>['mounts'], env = {}) {
  const place = { env, folder: project };
  const hooks = placeHooks(mounts, [], place);
  const agent = createAgent({ spaces: placeMounts(mounts, [], place), hooks, approver: allowAll });
  const runs: string[] = [];
  agent.subscribe((event: AgentEvent) => {
    if (event.type === 'hook') runs.push(`${event.hook} ${event.part} ${event.outcome}`);
  });
  const { calls } = await agent.run(asModelText('<clock.R:7>'));
  await agent.close();
  return { text: calls[0]!.result.text, runs };
}

describe('a hook of a package', () => {
  it('takes part in calls, with the options of its mount, and is an event with the name of its package', async () => {
    const { mounts } = await mount(`({ until }) => [${NIGHT}]`, { options: { until: 'seven' } });
    expect(await call(mounts)).toEqual({
      text: `ApprovalError: read was not run: the hook ${NAME}: night refuses it: read in clock waits until seven`,
      runs: [`${NAME}: night beforeCall refused`],
    });
  });

  it('is described by the manifest, and in the question whether to trust the package', async () => {
    const { folder } = await mount(`[{ name: 'ear', timeoutMs: 50, onEvent() {}, afterCall() {} }]`);
    const plugin = readPlugin(folder);
    expect(plugin.manifest.hooks).toEqual([{ name: 'ear', parts: ['afterCall', 'onEvent'], timeoutMs: 50 }]);
    expect(pluginSubject(plugin).about).toContain('hook ear: reads and changes every result, hears everything');
  });

  it('loads the code of its package when it is first needed', async () => {
    const { mounts } = await mount(`[{ name: 'late', afterCall: (_call, { text }) => text + ' late' }]`);
    const loads = () => Number(Reflect.get(globalThis, 'loads') ?? 0);
    const before = loads();
    const hooks = placeHooks(mounts, []);
    expect(loads()).toBe(before);
    const result = { ok: true, text: 'six' };
    expect(await hooks[0]!.afterCall!({ tool: 'read', space: 'clock', arg: '' }, result)).toBe('six late');
    expect(loads()).toBe(before + 1);
  });

  it('hears events in order, and no more after it has failed', async () => {
    const { mounts } = await mount(
      `[{ name: 'ear', onEvent: async ({ at }) => { await null; (globalThis.heard ??= []).push(at); if (at === 2) throw new Error('full'); } }]`,
    );
    const [hook] = placeHooks(mounts, []);
    for (const at of [1, 2, 3]) hook!.onEvent!({ at } as never);
    await expect.poll(() => Reflect.get(globalThis, 'heard') as unknown).toEqual([1, 2]);
  });

  it('shows no secret of the options', async () => {
    const { mounts } = await mount(
      `({ key }) => [{ name: 'open', beforeCall: () => ({ refuse: 'the key is ' + key }) }]`,
      {
        options: { key: { env: 'CLOCK_KEY' } },
      },
    );
    const { text } = await call(mounts, { CLOCK_KEY: 's3cret-of-the-clock' });
    expect(text).toContain('the key is ‹masked secret›');
  });

  it('refuses the call when the code is not the one that was trusted', async () => {
    const { mounts, folder } = await mount(`[{ name: 'night', beforeCall: () => undefined }]`);
    appendFileSync(join(folder, 'dist/index.js'), '// more');
    expect((await call(mounts)).text).toContain(`${NAME} was changed since you trusted it, and nothing of it was run.`);
  });

  it('refuses the call when its manifest does not name it', async () => {
    const { mounts } = await mount(
      `() => [{ name: 'now ' + (globalThis.turn = (globalThis.turn ?? 0) + 1), beforeCall: () => undefined }]`,
    );
    expect((await call(mounts)).text).toContain(`the manifest of ${NAME} does not match its code: it has other hooks.`);
  });

  it('does not run in a process of its own', async () => {
    const { problems } = await mount(`({ until }) => [${NIGHT}]`, { isolate: 'process' });
    expect(problems).toEqual([
      `spaces[0].isolate: ${NAME} has hooks, which run in the process of bae. Remove isolate.`,
    ]);
  });

  it.each([
    ['without a name', `[{ beforeCall() {} }]`, `hooks[0].name: expected a name like 'audit'.`],
    ['with an empty name', `[{ name: ' ', beforeCall() {} }]`, `hooks[0].name: expected a name like 'audit'.`],
    ['without a function', `[{ name: 'x' }]`, `hooks[0] (x): expected one of the functions beforeCall, afterCall,`],
    ['with a function that there is not', `[{ name: 'x', beforeTurn() {} }]`, `hooks[0] (x): expected one of`],
    ['that is a text', `['x']`, `hooks[0].name: expected a name`],
    ['whose maker throws', `() => { throw new Error('no clock') }`, `its hooks cannot be made: Error: no clock`],
  ])('%s is refused when the manifest is written', async (_what, hooks, message) => {
    await expect(mount(hooks)).rejects.toThrow(`${NAME}: ${message}`);
  });
});
