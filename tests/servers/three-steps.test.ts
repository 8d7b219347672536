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

const agent = createAgent({
  // Each is a process that is spoken to over its input and output, started when its place is entered.
  spaces: servers.map(({ name }) => {
    const file = fileURLToPath(new URL(`../data/mcp-tools/${name}.jsonl`, import.meta.url));
    const settings = { command: process.execPath, args: [SERVER, file], env: {} };
    return mcpServer({ name: toPlaceName(name), settings, place: { folder: tmpdir(), env: process.env } });
  }),
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

  it('are in places that home names on one screen', async () => {
    const home = await agent.describe([]);
    for (const { name } of servers) expect(home).toContain(`${toPlaceName(name)}()`);
    expect(countTokens(home)).toBeLessThanOrEqual(LIMIT);
  });

  describe.each(servers.map((server) => [toPlaceName(server.name), server] as const))('%s', (place, { tools }) => {
    it('names every tool in its list of tools', async () => {
      const { session, entry } = await enter(place);
      const list = await show(session, '<help:>');
      for (const screen of [entry, list]) expect(countTokens(screen), screen).toBeLessThanOrEqual(LIMIT);
      const named = findNamedTools(list);
      expect(tools.filter(({ name }) => !named.has(name))).toEqual([]);
    });

    it('shows an example that can be called', async () => {
      const { session, entry } = await enter(place);
      expect(tools.map(({ name }) => name)).toContain(await callExample(session, entry));
    });

    it('explains every tool on one screen, with an example that can be called', async () => {
      const { session } = await enter(place);
      for (const { name } of tools) {
        const screen = await show(session, `<help:${name}>`);
        expect(countTokens(screen), screen).toBeLessThanOrEqual(LIMIT);
        expect(await callExample(session, screen), screen).toBe(name);
      }
    });
  });
});
