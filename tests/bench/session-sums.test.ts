import { describe, expect, it } from 'vitest';
import { readServers } from '../servers/mounted-servers.ts';
import { createToolSearch, splitWords } from './rank-tools.ts';
import { SESSION_SCRIPTS } from './session-scripts.ts';
import { sumSession } from './session-sums.ts';
import { TextCosts } from './text-costs.ts';

describe('the costs of a conversation', () => {
  it('count a text once for each request that has it', () => {
    const costs = new TextCosts();
    costs.add('definitions', 100);
    costs.send();
    costs.add('calls', 10);
    costs.send();
    costs.add('prompt and results', 1000);
    costs.send();
    costs.add('calls', 7);
    expect(costs.requests).toBe(3);
    expect(costs.sum('tools')).toBe(300);
    expect(costs.sum('tools and calls')).toBe(320);
    expect(costs.sum('everything')).toBe(1320);
  });
});

describe('a search over tools', () => {
  it('finds a tool by the words of its name, best first', () => {
    const tools = readServers().flatMap((server) => server.tools);
    const [first, ...others] = createToolSearch(tools)('list merge request pipelines');
    expect(first?.name).toBe('list_merge_request_pipelines');
    expect(others).toHaveLength(tools.length - 1);
    expect(splitWords('getIssue_note')).toEqual(['get', 'issue', 'note']);
  });
});

const sessions = SESSION_SCRIPTS.map((script, index) => [script.name, script, index] as const);

describe.each(sessions)('the session "%s"', (_name, script, index) => {
  it('has 10 or 20 requests, to at most three servers, for four to eight tools', () => {
    expect([10, 20]).toContain(script.calls.length + 1);
    expect(new Set(script.calls.map(({ server }) => server)).size).toBeLessThanOrEqual(3);
    const tools = new Set(script.calls.map(({ server, tag }) => `${server}.${/[\w-]+/.exec(tag)![0]}`));
    expect(tools.size).toBeGreaterThanOrEqual(4);
    expect(tools.size).toBeLessThanOrEqual(8);
  });

  // Every session mounts 38 servers: `pnpm faults` plays all of them.
  const tags = index < 2 ? [] : ['long'];
  it(
    'has the same prompt and results in all three ways, but for requests that only places need',
    { tags },
    async () => {
      const { flat, search, places } = await sumSession(script);
      expect(search.sumOf('prompt and results')).toBe(flat.sumOf('prompt and results'));
      expect(places.requests).toBeGreaterThan(flat.requests);
      expect(places.sumOf('prompt and results')).toBeGreaterThan(flat.sumOf('prompt and results'));
    },
  );
});
