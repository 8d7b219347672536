import { writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { allowAll, asModelText, createAgent, type Agent, type ToolDefinition } from '@bae/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { IMPORTS, putPackage, trustOf } from '../../test/sample-package.ts';
import { put, scratchFolder } from '../../test/scratch.ts';
import { describeTree } from '../manifest/describe-spaces.ts';
import type { PluginManifest } from '../manifest/plugin-manifest.ts';
import { writeManifest } from '../manifest/write-manifest.ts';
import { readPlugin } from '../package/read-plugin.ts';
import { folderDigest } from '../trust/trust-subject.ts';
import { TIME_LIMIT_MS } from './load-time.ts';
import { placeMounts } from './place-mounts.ts';

afterEach(() => void vi.useRealTimers());

const name = 'bae-resourcespace-shop';

/** Counts, per test, what a package does: it runs in this process. */
const counts = (globalThis as { shop?: Record<string, number> }).shop ?? {};
(globalThis as { shop?: Record<string, number> }).shop = counts;

const CODE = `${IMPORTS}
const shop = globalThis.shop;
shop.loaded = (shop.loaded ?? 0) + 1;
const spare = (n) => defineResourcespace({ name: n, description: 'The ' + n + '.', tools: { read: tool('It.', {}, () => 'read ' + n) } });
export function spaces() {
  shop.made = (shop.made ?? 0) + 1;
  return defineResourcespace({
    name: 'shop', description: 'A shop.', enter: () => '3 open', status: () => ({ open: 3 }),
    children: () => ({ archive: spare('archive'), ...(shop.late ? { late: spare('late') } : {}) }),
    dispose() { shop.disposed = (shop.disposed ?? 0) + 1; },
    search: (query) => [{ target: '7', text: query }],
    tools: {
      read: tool('One ticket.', { id: z.int().min(1).describe('Which.'), level: z.literal([1, 2]).default(1), tags: z.array(z.string()).optional() },
        ({ id, level, tags }) => 'ticket ' + (id + 1) + ' level ' + (level + 1) + ' ' + tags),
      note: tool('The note.', { id: z.int(), text: z.string().trim() }, ({ text }) => '[' + text + ']', {
        body: 'text', effect: 'external', timeoutMs: 50, preview: () => 'a preview', target: ({ id }) => 'ticket-' + id }),
      wait: tool('Nothing, ever.', {}, () => new Promise(() => {}), { effect: 'read', timeoutMs: 50 }),
      fail: tool('An error.', {}, () => { throw new TypeError('no'); }, { effect: 'read' }),
    },
  });
}`;

async function open(code = CODE): Promise<{ readonly agent: Agent; readonly folder: string }> {
  const folder = putPackage(scratchFolder(), { name, code });
  await writeManifest(folder, []);
  for (const key of Object.keys(counts)) delete counts[key];
  return { folder, agent: agentFor(folder) };
}

function agentFor(folder: string): Agent {
  const plugin = readPlugin(folder);
  const [space] = plugin.manifest.spaces;
  const thing = {
    type: 'plugin' as const,
    plugin,
    space: space!,
    options: undefined,
    process: { isOwn: false, reason: 'isolate is false' },
    digest: folderDigest(folder),
    trust: trustOf('trusted'),
  };
  const spaces = placeMounts([{ path: ['desk'], label: name, thing }], []);
  return createAgent({ spaces, approver: allowAll });
}

async function say(agent: Agent, text: string): Promise<string> {
  const { feedback } = await agent.run(asModelText(text));
  return feedback.replaceAll(/(?<=\[(?:Tool output|Output|end) |#\d+ )[0-9a-f]{6}\b/g, 'NONCE');
}

describe('a space that is described by a manifest', () => {
  it('is listed, with its tools, before any of its code has run', async () => {
    const { agent } = await open();
    expect(await agent.describe([])).toContain('desk() -- A shop.');
    expect(Object.keys(agent.tree.at(['desk'])!.tools)).toEqual(['read', 'note', 'wait', 'fail']);
    expect(agent.tree.below(['desk']).map((space) => space.name)).toEqual(['archive']);
    expect(await say(agent, '<desk.help:read>')).toContain('Which.');
    expect(counts).toEqual({});
  });

  it('is loaded when it is entered', async () => {
    const { agent } = await open();
    expect(await say(agent, '@desk()')).toContain('3 open');
    expect(counts).toEqual({ loaded: 1, made: 1 });
    expect(await agent.describe([])).toContain('Start here. | open: 3');
  });

  it('is loaded when it is called, with the arguments that its own schema gives', async () => {
    const { agent } = await open();
    expect(await say(agent, '<desk.R:6>')).toContain('ticket 7 level 2 undefined');
    expect(counts).toEqual({ loaded: 1, made: 1 });
    expect(await say(agent, '<desk.note:1>\n  two  \n</desk.note>')).toContain('[two]');
  });

  it('returns the same for the first call as for every other one', async () => {
    for (const call of [
      '<desk.R:0>',
      '<desk.R:x levl=2>',
      '<desk.R:1 level=2>',
      '<desk.R:1 level=3>',
      '<desk.R:1 tags=a,b>',
      '<desk.R:>',
      '<desk.note:1>',
    ]) {
      const { agent } = await open();
      const first = await say(agent, call);
      expect(await say(agent, call)).toBe(first);
    }
  });

  it('gives the tools as they are in the code', async () => {
    const { agent } = await open();
    const described = Object.values(agent.tree.at(['desk'])!.tools).map(comparable);
    await say(agent, '@desk()');
    expect(Object.values(agent.tree.at(['desk'])!.tools).map(comparable)).toEqual(described);
  });

  it('asks for consent with the target and preview of the tool itself', async () => {
    const { agent } = await open();
    const tool = agent.tree.at(['desk'])!.tools['note']!;
    expect(await tool.preview!({ id: 5, text: '' }, {} as never)).toBe('a preview');
    expect(await tool.target!({ id: 5, text: '' }, {} as never)).toBe('ticket-5');
    expect(agent.tree.at(['desk'])!.tools['wait']).not.toHaveProperty('preview');
  });

  it('does everything else that a space can do', async () => {
    const { agent } = await open(`${IMPORTS}
      export const spaces = () => ({
        ...defineResourcespace({ name: 'shop', description: 'A shop.', tools: {
          sell: tool('Sold.', { id: z.string(), note: z.string().default('') }, () => 'sold', { effect: 'external', selects: ['id'] }) } }),
        synonyms: ['store'], answerLimit: 40,
        contentOf: async (target) => 'content of ' + target,
        complete: async (typed) => [typed + 'd'],
        locate: async (name) => ({ target: name + '/1', isExact: true }),
        running: () => [{ id: '1', title: 'a sale', ms: 5, stop: async () => {} }],
        isIdle: () => true,
      });`);
    const space = () => agent.tree.at(['desk'])!;
    expect(space()).toMatchObject({ synonyms: ['store'], answerLimit: 40 });
    expect(space().tools['sell']!.selects).toEqual(['id']);
    expect([space().running!(), await space().isIdle!()]).toEqual([[], false]);
    expect(await space().contentOf!('7')).toBe('content of 7');
    expect(await space().complete!('sol', 5)).toEqual(['sold']);
    expect(await space().locate!('hat', false)).toEqual({ target: 'hat/1', isExact: true });
    expect(space().running!()).toMatchObject([{ id: '1', title: 'a sale', ms: 5 }]);
    expect(await space().isIdle!()).toBe(true);
    const { agent: plain } = await open();
    expect(Object.keys(plain.tree.at(['desk'])!)).not.toContain('contentOf');
  });

  it('plans with the code', async () => {
    const { agent } = await open(`${IMPORTS}
      export const spaces = () => defineResourcespace({ name: 'shop', description: 'A shop.', tools: {
        sell: tool('Sold.', { id: z.int() }, ({ id }) => ({
          touches: [{ outside: 'shop' }], preview: () => 'sells ' + id, apply: () => 'sold ' + id,
        }), { effect: 'write', plan: true }) } });`);
    const sell = agent.tree.at(['desk'])!.tools['sell']!;
    expect(await sell.plan!({ id: 5 }, {} as never)).toMatchObject({ touches: [{ outside: 'shop' }] });
    expect(await say(agent, '<desk.sell:5>')).toContain('sold 5');
  });

  const EDITABLE = `${IMPORTS}
    export const spaces = () => defineResourcespace({ name: 'shop', description: 'A shop.', tools: {
      write: tool('The list.', { id: z.int(), text: z.string() }, ({ text }) => text, { body: 'text' }),
      log: tool('The log.', {}, () => 'logged', { effect: 'write', confirms: true }) } });`;

  it('shows a result that confirms a change whole, from the first call on', async () => {
    const { agent } = await open(EDITABLE);
    const tools = Object.values(agent.tree.at(['desk'])!.tools);
    expect(tools.map(({ name: called, confirms }) => [called, confirms])).toEqual([
      ['write', true],
      ['log', true],
    ]);
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index} of a long confirmation`);
    const first = await say(agent, `<desk.W:1>\n${lines.join('\n')}\n</desk.W>`);
    expect(first).toContain(lines.join('\n'));
  });

  it('works with a manifest of version 1, which did not describe what confirms', async () => {
    const folder = putPackage(scratchFolder(), { name, code: EDITABLE.replace(', confirms: true', '') });
    const { manifest, file } = await writeManifest(folder, []);
    writeFileSync(file, asVersion1(manifest));
    const agent = agentFor(folder);
    expect(agent.tree.at(['desk'])!.tools['write']).toMatchObject({ confirms: true });
    expect(await say(agent, '<desk.W:1>\ntwo\n</desk.W>')).toContain('two');
  });

  it('suggests what to run when a manifest of version 1 lacks what the code has', async () => {
    const folder = putPackage(scratchFolder(), { name, code: EDITABLE });
    const { manifest, file } = await writeManifest(folder, []);
    writeFileSync(file, asVersion1(manifest));
    const said = await say(agentFor(folder), '<desk.log:>');
    expect(said).toContain(
      `PluginError: the manifest of ${name} does not match its code: tool log of shop has other confirms in the code.`,
    );
    expect(said).toContain(`Try: bae manifest ${folder}`);
  });

  it('shows what came below it while it ran', async () => {
    const { agent } = await open();
    expect(await say(agent, '<desk.archive.R:>')).toContain('read archive');
    counts['late'] = 1;
    expect(agent.tree.below(['desk']).map((space) => space.name)).toEqual(['archive', 'late']);
    expect(await say(agent, '<desk.late.R:>')).toContain('read late');
    delete counts['late'];
    expect(await say(agent, '<desk.late.R:>')).toContain("no space 'late' in desk.");
  });

  it('supports searches', async () => {
    const { agent } = await open();
    expect(await agent.tree.at(['desk'])!.search!('word', 3)).toEqual([{ target: '7', text: 'word' }]);
    expect(agent.tree.at(['desk', 'archive'])).not.toHaveProperty('search');
  });

  it('is made for each session, and disposed of at its end', async () => {
    const { agent, folder } = await open();
    const other = agentFor(folder);
    await say(agent, '@desk()');
    await say(other, '@desk()');
    expect(counts).toEqual({ loaded: 1, made: 2 });
    await agent.close();
    expect(counts['disposed']).toBe(1);
    await other.close();
    expect(counts['disposed']).toBe(2);
    await agentFor(folder).close();
    expect(counts['disposed']).toBe(2);
  });

  it('does not stop anything else when a tool never returns, or throws', async () => {
    const { agent } = await open();
    const said = await say(agent, '<desk.wait:>\n<desk.fail:>\n<desk.R:6>');
    expect(said).toContain('#1 NONCE <desk.wait:> [desk] TimeoutError\nTimeoutError: wait exceeded 0.05s.');
    expect(said).toContain('#2 NONCE <desk.fail:> [desk] TypeError\n');
    expect(said).toContain('ticket 7');
  });

  it('does not run code that was changed since it was trusted', async () => {
    const { agent, folder } = await open();
    put(folder, { 'dist/index.js': `${CODE} globalThis.shop.evil = 1;` });
    const said = await say(agent, '<desk.R:6>');
    expect(said).toContain(
      `PluginError: ${name} was changed since you trusted it, and nothing of it was run. Look at it and trust it again, then restart bae.\nTry: bae trust ${folder}`,
    );
    expect(counts).toEqual({});
  });

  it('calls nothing when the manifest does not fit the code, and reports that', async () => {
    const { folder } = await open();
    put(folder, { 'dist/index.js': CODE.replace("effect: 'external'", "effect: 'read'") });
    const agent = agentFor(folder);
    const said = await say(agent, '<desk.R:6>');
    expect(said).toContain(
      `PluginError: the manifest of ${name} does not match its code: tool note of shop has the effect external in the manifest, read in the code. Nothing of it was called; its author updates the manifest.`,
    );
    expect(said).toContain(`Try: bae manifest ${folder}`);
    expect(counts['disposed']).toBe(1);
  });

  it('names the package whose code fails, and stays where it is', async () => {
    const { folder } = await open();
    put(folder, { 'dist/index.js': 'throw new Error("boom");' });
    const agent = agentFor(folder);
    expect(await say(agent, '@desk()')).toContain(
      `state unavailable: PluginError: ${name} cannot be loaded: Error: boom.`,
    );
    expect(await say(agent, '<desk.R:6>')).toContain(`PluginError: ${name} cannot be loaded: Error: boom.`);
  });

  it('names the package that keeps it from being entered, and continues', async () => {
    const { agent } = await open(CODE.replace("enter: () => '3 open'", 'enter: () => new Promise(() => {})'));
    await say(agent, '<desk.R:6>');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const said = say(agent, '@desk()\n<R:6>');
    while (vi.getTimerCount() === 0) await setImmediate();
    await vi.advanceTimersByTimeAsync(TIME_LIMIT_MS);
    vi.useRealTimers();
    expect(await said).toMatch(
      /state unavailable: PluginError: bae-resourcespace-shop: desk was not entered within 10 s: its enter\(\) waits for something\.\n[^]*ticket 7 level 2/,
    );
  });

  it('is made by its manifest as its code would be', async () => {
    const { agent } = await open();
    const before = describeTree(agent.tree);
    await say(agent, '@desk()');
    expect(describeTree(agent.tree)).toEqual(before);
  });
});

function asVersion1(manifest: PluginManifest): string {
  const keep = (key: string, value: unknown): unknown => (key === 'confirms' ? undefined : value);
  return JSON.stringify({ ...manifest, manifest: 1 }, keep);
}

function comparable({ name: called, description, effect, spec, timeoutMs, confirms }: ToolDefinition): object {
  return { called, description, effect, spec, timeoutMs, confirms };
}
