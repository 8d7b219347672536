import { readFileSync } from 'node:fs';
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

/** A question as people ask it, and the tools that answer it, with their servers before them. */
interface AskedTool {
  readonly question: string;
  readonly tools: readonly string[];
}

function readQuestions(): readonly AskedTool[] {
  const lines = readFileSync(new URL('../data/tool-questions.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const [question, tools] = line.split('\t');
    return { question: question!, tools: tools!.split(' ') };
  });
}

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

  it('are found for questions that share few words with them', () => {
    const asked = readQuestions();
    const all = new Set(servers.flatMap(({ name, tools }) => tools.map((tool) => `${name}.${tool.name}`)));
    expect(asked.flatMap(({ tools }) => tools).filter((tool) => !all.has(tool))).toEqual([]);

    const ranks = asked.map(({ question, tools }) => {
      const found = index.find(question);
      const places = Array.from(new Set(found.map(({ place }) => place)));
      const right = new Set(tools.map((tool) => tool.split('.')[0]!));
      return {
        place: places.findIndex((place) => right.has(place)),
        tool: found.findIndex(({ place, tool }) => tools.includes(`${place}.${tool.name}`)),
      };
    });
    const share = (some: readonly number[], most: number): number =>
      some.filter((rank) => rank >= 0 && rank < most).length / asked.length;
    const places = ranks.map(({ place }) => place);
    expect(asked.length).toBe(181);
    expect(share(places, 1)).toBeGreaterThan(0.82);
    expect(share(places, 5)).toBeGreaterThan(0.97);
    expect(
      share(
        ranks.map(({ tool }) => tool),
        5,
      ),
    ).toBeGreaterThan(0.81);
  });
});
