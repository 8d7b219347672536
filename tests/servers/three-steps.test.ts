import { allowAll, asModelText, createAgent, type Agent } from '@bae/core';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, describe, expect, it } from 'vitest';
import { mountServer, readServers } from './mounted-servers.ts';
import { findNamedTools } from './named-tools.ts';

/** Most tokens of a screen, as a tokenizer counts them. */
const LIMIT = 500;

const servers = readServers();
const received: string[] = [];
const agent = createAgent({
  spaces: servers.map((server) =>
    mountServer(server, (tool) => {
      received.push(tool);
      return 'done';
    }),
  ),
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

/** The tools that are called when the example of a screen is typed as it is shown. */
async function callExample(session: Agent, screen: string): Promise<readonly string[]> {
  const [, shown = ''] = /^Example: (<[^]*)/m.exec(screen) ?? [];
  const before = received.length;
  await show(session, shown.replace(/\n\[shortened; full: <R:result:\d+>\]$/, ''));
  return received.slice(before);
}

describe('the tools of 19 servers, mounted as places', () => {
  it('are 373', () => {
    expect(servers).toHaveLength(19);
    expect(servers.reduce((sum, { tools }) => sum + tools.length, 0)).toBe(373);
  });

  it('are in places that home names on one screen', async () => {
    const home = await agent.describe([]);
    for (const { name } of servers) expect(home).toContain(`${name}()`);
    expect(countTokens(home)).toBeLessThanOrEqual(LIMIT);
  });

  describe.each(servers.map((server) => [server.name, server] as const))('%s', (place, { tools }) => {
    it('names every tool in its list of tools', async () => {
      const { session, entry } = await enter(place);
      const list = await show(session, '<help:>');
      for (const screen of [entry, list]) expect(countTokens(screen), screen).toBeLessThanOrEqual(LIMIT);
      const named = findNamedTools(list);
      expect(tools.filter(({ name }) => !named.has(name))).toEqual([]);
    });

    it('shows an example that can be called', async () => {
      const { session, entry } = await enter(place);
      expect(await callExample(session, entry)).toHaveLength(1);
    });

    it('explains every tool on one screen, with an example that can be called', async () => {
      const { session } = await enter(place);
      for (const { name } of tools) {
        const screen = await show(session, `<help:${name}>`);
        expect(countTokens(screen), screen).toBeLessThanOrEqual(LIMIT);
        expect(await callExample(session, screen), screen).toEqual([name]);
      }
    });
  });
});
