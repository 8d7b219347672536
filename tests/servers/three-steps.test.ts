import { allowAll, asModelText, createAgent, type Agent } from '@bae/core';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, describe, expect, it } from 'vitest';
import { mcpServer } from '@bae/mcp';
import { readServers } from './mounted-servers.ts';
import { findNamedTools } from './named-tools.ts';

/** Most tokens of a screen, as a tokenizer counts them. */
const LIMIT = 500;

const servers = readServers();
const SERVER = fileURLToPath(new URL('stdio-server.mjs', import.meta.url));

function toPlaceName(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_');
}

/** A place whose server is a process that is spoken to over its input and output, started when its place is entered. */
function mount(place: string, server: string) {
  const file = fileURLToPath(new URL(`../data/mcp-tools/${server}.jsonl`, import.meta.url));
  const settings = { command: process.execPath, args: [SERVER, file], env: {} };
  return mcpServer({ name: place, settings, place: { folder: tmpdir(), env: process.env } });
}

// More than twice as many as most people have: each of them a second time, under another name.
const agent = createAgent({
  spaces: servers.flatMap(({ name }) => [mount(toPlaceName(name), name), mount(`${toPlaceName(name)}_2`, name)]),
  approver: allowAll,
});
afterAll(() => agent.close());

/** What one tag shows. */
async function show(session: Agent, tag: string): Promise<string> {
  const { calls, problems } = await session.run(asModelText(tag));
  expect(problems).toEqual([]);
  expect(calls).toHaveLength(1);
  const { ok, text } = calls[0]!.result;
  expect(ok, `${tag}\n${text}`).toBe(true);
  return text;
}

let sessions = 0;

/** A session that enters a place for the first time, and what it is shown. */
async function enter(place: string): Promise<{ readonly session: Agent; readonly entry: string }> {
  const session = agent.session(`session-${sessions++}`);
  return { session, entry: await show(session, `@${place}()`) };
}

/** The tool that is called when the example of a screen is typed as it is shown. */
async function callExample(session: Agent, screen: string): Promise<string | undefined> {
  const [, shown = ''] = /^Example: (<[^]*)/m.exec(screen) ?? [];
  const text = await show(session, shown.replace(/\n\[shortened; full: <R:result:\d+>\]$/, ''));
  return /^called (\S+) with/.exec(text)?.[1];
}

describe('the tools of 19 servers, mounted as places', () => {
  it('are 373', () => {
    expect(servers).toHaveLength(19);
    expect(servers.reduce((sum, { tools }) => sum + tools.length, 0)).toBe(373);
  });

  it('are in places that home names on one screen, also when there are 38 of them', async () => {
    const home = await agent.describe([]);
    expect(countTokens(home)).toBeLessThanOrEqual(LIMIT);
    const groups = await Promise.all(
      Array.from(home.matchAll(/<R:group:[^>]+>/g), ([tag], index) => show(agent.session(`home-${index}`), tag)),
    );
    const screens = [home, ...groups].join('\n');
    for (const { name } of servers) expect(screens).toMatch(new RegExp(`\\b${toPlaceName(name)}(?:\\(\\)|\\b)`));
  });

  describe.each(servers.map((server) => [toPlaceName(server.name), server] as const))('%s', (name, { tools }) => {
    it('has every tool in one place, at most two steps from home', async () => {
      const { session } = await enter(name);
      const places = [session.tree.at([name])!, ...session.tree.below([name])];
      const all = places.flatMap((place) => Object.keys(place.tools));
      expect(all.toSorted()).toEqual(tools.map((one) => one.name).toSorted());
      expect(Math.max(...places.map((place) => Object.keys(place.tools).length))).toBeLessThanOrEqual(30);
    });

    it('names every tool on the screen of its place, with an example that can be called', async () => {
      const { session, entry } = await enter(name);
      const below = session.tree.below([name]);
      for (const child of below) expect(entry).toContain(`${name}.${child.name}()`);
      for (const path of [name, ...below.map((child) => `${name}.${child.name}`)]) {
        const screen = path === name ? entry : await show(session, `@${path}()`);
        const names = Object.keys(session.tree.at(path.split('.'))!.tools);
        const list = await show(session, '<help:>');
        for (const text of [screen, list]) expect(countTokens(text), text).toBeLessThanOrEqual(LIMIT);
        const named = findNamedTools(screen);
        expect(
          names.filter((one) => !named.has(one)),
          screen,
        ).toEqual([]);
        if (names.length > 0) expect(names).toContain(await callExample(session, screen));
      }
    });

    it('explains every tool on one screen, with an example that can be called', async () => {
      const { session } = await enter(name);
      const places = [[name], ...session.tree.below([name]).map((child) => [name, child.name])];
      for (const path of places) {
        await show(session, `@${path.join('.')}()`);
        for (const one of Object.keys(session.tree.at(path)!.tools)) {
          const screen = await show(session, `<help:${one}>`);
          expect(countTokens(screen), screen).toBeLessThanOrEqual(LIMIT);
          expect(await callExample(session, screen), screen).toBe(one);
        }
      }
    });
  });
});
