import type { Agent } from '@bae/core';
import { expect, it } from 'vitest';
import { Clients, type ClientSessions } from './clients.ts';

function open() {
  const closed: string[] = [];
  const session = (label: string): Agent => ({ session, close: async () => void closed.push(label) }) as Agent;
  const clients = new Clients({ agent: { session } as unknown as Agent, patienceMs: 0 });
  const use = (sessions: ClientSessions) => sessions.actors.do({}, async () => undefined);
  return { clients, closed, use };
}

it('a connection has its own sessions, which close with it', async () => {
  const { clients, closed, use } = open();
  const [one, other] = [{}, {}];
  expect(clients.ofConnection(one)).toBe(clients.ofConnection(one));
  expect(clients.ofConnection(other).results).not.toBe(clients.ofConnection(one).results);
  await use(clients.ofConnection(one));
  await clients.end(one);
  expect(closed).toEqual(['mcp-1-act-1']);
  await clients.end(one);
  expect(closed).toHaveLength(1);
});

it('of sessions without a connection, the least recently used are closed when there are too many', async () => {
  const { clients, closed, use } = open();
  const [first, second] = [clients.open(), clients.open()];
  await use(first[1]);
  await use(second[1]);
  for (let count = 0; count < 14; count++) clients.open();
  expect(clients.find(first[0])).toBe(first[1]);
  clients.open();
  await expect.poll(() => closed).toEqual(['mcp-2-act-1']);
  expect(clients.find(second[0])).toBeUndefined();
  expect(clients.find(first[0])).toBe(first[1]);
});

it('handles cannot be guessed where nothing else keeps clients apart', () => {
  const { clients } = open();
  const handles = Array.from({ length: 10 }, () => clients.open()[0]);
  expect(new Set(handles).size).toBe(10);
  expect(handles.every((handle) => /^[\w-]{16}$/.test(handle))).toBe(true);
  const { results } = clients.common;
  expect(results.keep('a')).toMatch(/^result:\d{15}$/);
  expect(results.handles?.()).toBeUndefined();
  expect(clients.ofConnection({}).results.keep('a')).toBe('result:1');
});
