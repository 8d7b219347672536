import { createAgent } from '@bae/core';
import { ToolIndex } from '@bae/search';
import { describe, expect, it } from 'vitest';
import { mountServer, readServers } from './mounted-servers.ts';

/** What people ask for, and the tools of any server that do it. */
const QUESTIONS: readonly (readonly [question: string, tools: RegExp])[] = [
  ['open a new issue in the repository', /issue_write|create_issue|save_issue|add_issue/],
  ['merge a pull request', /merge/],
  ['take a screenshot of the page', /screenshot/],
  ['list the pods of the cluster', /pod/],
  ['click a button', /click/],
  ['read a file', /read|file/],
  ['run a query against the database', /query|sql|aggregate/],
  ['search the web', /search/],
];

describe('the tools of 19 servers', () => {
  const servers = readServers();
  const { tree } = createAgent({ spaces: servers.map((server) => mountServer(server, () => '')) });
  const index = new ToolIndex(tree);

  it.each(QUESTIONS)('are found by what is to be done: %s', (question, tools) => {
    const best = index.find(question).slice(0, 5);
    expect(best.map(({ tool }) => tool.name).join(' ')).toMatch(tools);
  });

  it('are found by the words of their names', () => {
    const all = servers.flatMap((server) => server.tools.map(({ name }) => ({ server: server.name, name })));
    const found = all.filter(({ name }) => {
      const words = name.replaceAll(/[^A-Za-z0-9]+/g, ' ');
      return index
        .find(words)
        .slice(0, 10)
        .some(({ tool }) => tool.name === name);
    });
    expect(all.length).toBe(373);
    expect(found.length / all.length).toBeGreaterThan(0.97);
  });
});
