import { asModelText, createAgent, defineResourcespace, tool, type SearchHit, type SpaceSource } from '@bae/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { provideSearch, SearchSpace } from './search-space.ts';

afterEach(() => void vi.useRealTimers());

const read = tool('One.', { target: z.string() }, ({ target }) => `This is ${target}.`, { effect: 'read' });
const space = (
  name: string,
  search?: (query: string, limit: number) => readonly SearchHit[] | Promise<readonly SearchHit[]>,
) => defineResourcespace({ name, description: `About ${name}.`, tools: { read }, ...(search && { search }) });
const hits = (count: number) => (query: string, limit: number) =>
  Array.from({ length: Math.min(count, limit) }, (_, index) => ({
    target: `${index}`,
    text: `${query} number ${index}`,
  }));
const github = defineResourcespace({
  name: 'github',
  description: 'Issues.',
  tools: { create_issue: tool('The new issue.', { title: z.string() }, () => '') },
});

function open(...spaces: readonly SpaceSource[]) {
  const agent = createAgent({
    home: space('files', hits(1)),
    spaces: [...spaces, SearchSpace],
    provide: [provideSearch(() => agent.tree)],
  });
  return async (text: string) => (await agent.run(asModelText(text))).calls.at(-1)!.result;
}

describe('search', () => {
  it('asks every place at once, and gives each hit a tag that reads it', async () => {
    const run = open(space('notes', hits(2)), space('empty', hits(0)), github);
    const { text } = await run('<search.R:login>');
    expect(text).toBe(
      `home (1)
  0 login number 0  <home.R:0>
notes (2)  @notes()
  0 login number 0  <notes.R:0>
  1 login number 1  <notes.R:1>
nothing in empty, github
narrow: in=home,notes`,
    );
    expect((await run('<notes.R:1>')).text).toBe('This is 1.');
    expect((await run('<home.R:0>')).text).toBe('This is 0.');
  });

  it('asks the places that are named, and suggests others', async () => {
    const run = open(space('notes', hits(2)));
    expect((await run('<search.grep:login in=notes>')).text).not.toContain('home');
    expect(await run('<search.grep:login in=nots>')).toMatchObject({ ok: false, errorType: 'ParameterError' });
  });

  it('masks a key in a hit before the hit is cut', async () => {
    const secret = `sk-proj-${'aB3d'.repeat(10)}`;
    const long = space('notes', () => [{ target: '1', text: `${'x'.repeat(60)} ${secret}` }]);
    expect((await open(long)('<search.R:key>')).text).toMatch(/x ‹masked sk-p…› {2}<notes\.R:1>/);
  });

  it('names a place that fails or takes too long, and shows the others', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const broken = space('broken', () => {
      throw new Error('the database is locked\nat x');
    });
    const { text } = await open(broken)('<search.R:login>');
    expect(text).toContain('broken: the database is locked');
    expect(text).toContain('home (1)');
  });

  it('names a place without tools that cannot be entered', async () => {
    const dead = {
      ...defineResourcespace({ name: 'dead', description: 'A server.', tools: {} }),
      enter: () => {
        throw new Error('dead: the server does not start\nat x');
      },
    };
    const empty = defineResourcespace({ name: 'empty', description: 'Nothing.', tools: {} });
    const { text } = await open(dead, empty)('<search.R:login>');
    expect(text).toMatch(/\ndead: the server does not start\nnothing in empty/);
  });

  it('lists the tools of places without a search that fit', async () => {
    expect((await open(github)('<search.R:issue>')).text).toContain(
      'github (1)  @github()\n  <github.create_issue:title> -- The new issue.',
    );
    expect((await open(github)('<search.find:create an issue>')).text).toMatch(
      /^<github\.create_issue:title> -- The new issue\./,
    );
    expect((await open(github)('<search.find:weather>')).text).toBe(
      '(no tool fits "weather") Other words may. Places: @home() @github()',
    );
  });

  it('finds no tool by a short word that only looks like one of its words', async () => {
    const maker = defineResourcespace({
      name: 'maker',
      description: 'Things.',
      tools: { make: tool('A thing to make.', { name: z.string() }, () => '') },
    });
    expect((await open(maker)('<search.find:bake a cake>')).text).toMatch(/^\(no tool fits "bake a cake"\)/);
    expect((await open(maker)('<search.find:make a cake>')).text).toMatch(/^<maker\.make:/);
  });

  it('finds no tool that can do nothing at the moment, though others of its place can', async () => {
    const isIdle = (name?: string) => name === 'create_issue';
    expect((await open({ ...github, isIdle })('<search.find:create an issue>')).text).not.toContain('create_issue');
  });

  it('shows the own search of a server ready to be called, and what the server has to read', async () => {
    const resources = { ...space('resources', hits(1)), search: hits(1) };
    const server = {
      ...defineResourcespace({
        name: 'wiki',
        description: 'Pages.',
        tools: {
          search_pages: tool('Pages with words.', { query: z.string() }, ({ query }) => `Found ${query}.`, {
            effect: 'read',
          }),
          delete_page: tool('The deleted page.', { id: z.string() }, () => ''),
        },
      }),
      children: () => ({ resources }),
    };
    const run = open(server);
    const { text } = await run('<search.R:release notes>');
    expect(text).toContain('wiki (1)  @wiki()\n  <wiki.search_pages:release notes> -- Pages with words.');
    expect(text).toContain('wiki.resources (1)  @wiki.resources()\n  0 release notes number 0  <wiki.resources.R:0>');
    expect((await run('<wiki.search_pages:release notes>')).text).toBe('Found release notes.');
    expect((await run('<wiki.resources.R:0>')).text).toBe('This is 0.');
  });

  it('shows fewer hits of each place where there are many, within the limit', async () => {
    const many = Array.from({ length: 20 }, (_, index) => space(`place${index}`, hits(9)));
    const result = await open(...many)('<search.R:login>');
    expect(result.pruned).toBeUndefined();
    expect(result.text).toMatch(/place0 \(5\+, 1 shown\) {2}@place0\(\)\n {2}0 login number 0 {2}<place0\.R:0>\n/);
    expect(result.text).toMatch(/\nalso in place\d+ 5\+, .*\nnarrow: in=home,place0$/);
  });

  it('says what it can do when nothing is asked', async () => {
    const { text } = await open(space('notes', hits(1)))('<search.R:>');
    expect(text).toBe('2 places; by their content: home, notes; the others by their tools.');
  });
});
