import { defineResourcespace, tool, type SpaceDefinition, type SpaceTree } from '@bae/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ToolIndex, WordIndex } from './tool-index.ts';

const act = (description: string, params: Record<string, z.ZodType> = {}) => tool(description, params, () => '');
const github = defineResourcespace({
  name: 'github',
  description: 'Repositories and their issues.',
  tools: {
    create_issue: act('The new issue.', { title: z.string() }),
    listIssues: act('Issues of a repository.'),
    get_file: act('A file of a repository.'),
  },
});
const tracker = defineResourcespace({ name: 'tracker', description: 'Work.', tools: { add: act('The new ticket.') } });
const home = defineResourcespace({ name: 'files', description: 'Files.', tools: { read: act('A file.') } });

function treeOf(...spaces: readonly SpaceDefinition[]): SpaceTree {
  return {
    home,
    at: ([name]) => (name === undefined ? home : spaces.find((space) => space.name === name)),
    below: ({ length }) => (length === 0 ? spaces : []),
  };
}

const findIn = (spaces: readonly SpaceDefinition[], query: string) =>
  new ToolIndex(treeOf(...spaces)).find(query).map(({ place, tool: { name } }) => `${place}.${name}`);

const find = (query: string) => findIn([github, tracker], query);

describe('ToolIndex', () => {
  it('puts the tool first whose name is the query, or a word of it that only a name can be', () => {
    const tools = {
      get_merge_request_note: act('A note of a merge request, got by its id.'),
      get_merge_request_discussion: act('A discussion of a merge request.'),
      get_merge_request: act('Details.'),
      get: act('Anything.'),
      Xq7: act('Anything.'),
    };
    const desk = defineResourcespace({ name: 'desk', description: 'Merge requests.', tools });
    const name = 'get_merge_request';
    for (const query of [
      name,
      'get merge request',
      'getMergeRequest',
      `desk.${name}`,
      `how do I call ${name} for a note`,
    ])
      expect(findIn([desk], query)[0]).toBe(`desk.${name}`);
    expect(findIn([desk], 'xq7')[0]).toBe('desk.Xq7');
    expect(findIn([desk], 'get')[0]).toBe('desk.get');
    expect(findIn([desk], name).filter((one) => one === `desk.${name}`)).toHaveLength(1);
  });

  it('ranks tools by their names, descriptions, parameters and places', () => {
    expect(find('create an issue')[0]).toBe('github.create_issue');
    expect(find('listing issues')[0]).toBe('github.listIssues');
    expect(find('title')).toEqual(['github.create_issue']);
    expect(find('read a file')[0]).toBe('home.read');
    expect(find('tracker')).toEqual(['tracker.add']);
  });

  it('reads of parameters what their tool has for a search, and makes none', () => {
    const run = () => '';
    const fail = (): Record<string, z.ZodType> => {
      throw new Error('made');
    };
    const search = tool('Something.', fail, run, { parameterDocs: () => [{ name: 'assignee', doc: 'A colleague' }] });
    const box = defineResourcespace({ name: 'box', description: 'A box.', tools: { search } });
    expect(findIn([box, tracker], 'colleague')[0]).toBe('box.search');
    expect(findIn([box, tracker], 'assignee')[0]).toBe('box.search');
  });

  it('knows other words for the same', () => {
    expect(find('make a bug')).toEqual(expect.arrayContaining(['github.create_issue', 'tracker.add']));
    expect(find('repo')).toContain('github.listIssues');
  });

  it('puts a tool first that has more of the question', () => {
    expect(find('which tool makes the new ticket of our work')[0]).toBe('tracker.add');
  });

  it('prefers tools that do the kind of action that is asked for', () => {
    const names = ['remove_note', 'get_note', 'new_note', 'edit_note'];
    const notes = defineResourcespace({
      name: 'notes',
      description: 'Notes.',
      tools: Object.fromEntries(names.map((name) => [name, act('A note.')])),
    });
    expect(findIn([notes], 'download a note')[0]).toBe('notes.get_note');
    expect(findIn([notes], 'insert a note')[0]).toBe('notes.new_note');
    expect(findIn([notes], 'drop a note')[0]).toBe('notes.remove_note');
    expect(findIn([notes], 'rename a note')[0]).toBe('notes.edit_note');
  });

  it('lists a tool that two places share for each of them', () => {
    const here = defineResourcespace({ name: 'here', description: 'Pages.', tools: { read: act('The page.') } });
    expect(findIn([here, { ...here, name: 'there' }], 'page').toSorted()).toEqual(['here.read', 'there.read']);
  });

  it('knows words that differ by one letter, and ends of words', () => {
    for (const question of ['creat an issue', 'craete issues', 'creation of the isssue'])
      expect(find(question)[0]).toBe('github.create_issue');
    expect(find('repositry')).toEqual(find('repositories'));
    expect(find('adt')).toEqual([]);
  });

  it('knows the words that a place says it is also known by', () => {
    const desk = defineResourcespace({
      name: 'desk',
      description: 'Requests.',
      synonyms: ['helpdesk'],
      tools: { answer: act('The reply.') },
    });
    const [best] = new ToolIndex(treeOf(github, desk)).find('helpdesk');
    expect(best).toMatchObject({ place: 'desk' });
  });

  it('prefers a place that is about the question to one that mentions it', () => {
    const names = ['open', 'close', 'list'];
    const doors = defineResourcespace({
      name: 'house',
      description: 'A house.',
      tools: Object.fromEntries(names.map((name) => [name, act('A door.')])),
    });
    const other = defineResourcespace({ name: 'shop', description: 'A shop.', tools: { buy: act('A door.') } });
    expect(new ToolIndex(treeOf(other, doors)).find('door')[0]).toMatchObject({ place: 'house' });
  });

  it('does not prefer a tool because it repeats the name of its place', () => {
    const tools = { count: act('Counts the rows of a sheet.'), sheet_sheet: act('The sheet of a sheet.') };
    const sheet = defineResourcespace({ name: 'sheet', description: 'Numbers.', tools });
    expect(findIn([sheet, tracker], 'count what is in a sheet')[0]).toBe('sheet.count');
    expect(findIn([sheet, tracker], 'sheet')).toEqual(['sheet.count', 'sheet.sheet_sheet']);
  });

  it('does not prefer a place with many tools that nearly match to one with a tool that does', () => {
    const names = ['open', 'close', 'delete', 'list', 'get', 'update', 'assign'];
    const desk = defineResourcespace({
      name: 'desk',
      description: 'Requests.',
      tools: Object.fromEntries(names.map((name) => [name, act('A request for a refund.')])),
    });
    const bank = defineResourcespace({ name: 'bank', description: 'Money.', tools: { refund: act('A payment.') } });
    expect(findIn([desk, bank], 'refund a payment')[0]).toBe('bank.refund');
  });

  it('finds words of a script without spaces', () => {
    const wiki = defineResourcespace({ name: 'wiki', description: 'Pages.', tools: { find: act('搜索维基百科页面') } });
    expect(new ToolIndex(treeOf(wiki, github)).find('百科页')[0]).toMatchObject({ place: 'wiki' });
    expect(new ToolIndex(treeOf(wiki, github)).find('天气')).toEqual([]);
  });

  it('knows when tools have changed', () => {
    const tree = treeOf(github, tracker);
    const index = new ToolIndex(tree);
    expect(index.renew(tree)).toBe(index);
    expect(index.renew(treeOf(github))).not.toBe(index);
  });

  it('finds nothing for words that no tool has', () => {
    expect(find('weather')).toEqual([]);
    expect(find('… the of')).toEqual([]);
  });

  it('does not let a long text that mentions everything win against a name', () => {
    const words = 'Before you add a file to a folder, read the guide; then run, list, read and delete what you need. ';
    const guide = defineResourcespace({
      name: 'pipelines',
      description: 'Pipelines.',
      tools: { rerun: act(`Runs a pipeline again. ${words.repeat(20)}`), stop: act(`Stops one. ${words.repeat(20)}`) },
    });
    const folders = defineResourcespace({
      name: 'disk',
      description: 'A disk.',
      tools: { delete_folder: act('What was in the folder.') },
    });
    expect(findIn([guide, folders], 'delete a folder')[0]).toBe('disk.delete_folder');
  });

  it('shows the tool that fits beside those of a place with many that nearly fit', () => {
    const names = ['create', 'close', 'delete', 'list', 'get', 'update', 'assign'];
    const issues = defineResourcespace({
      name: 'issues',
      description: 'Issues of a project.',
      tools: Object.fromEntries(names.map((name) => [`${name}_issue`, act('An issue.')])),
    });
    const chart = defineResourcespace({
      name: 'pictures',
      description: 'Drawings.',
      tools: { draw_chart: act('Draws a chart from numbers.') },
    });
    const found = findIn([issues, chart], 'chart of the issues of a project');
    expect(found[0]).toMatch(/^issues/);
    expect(found[1]).toBe('pictures.draw_chart');
  });

  /** Asks random questions about random tools. */
  const askAnything = (numRuns: number) => {
    const text = fc.string({ unit: 'grapheme' });
    const tools = fc.dictionary(fc.string({ unit: fc.constantFrom('get', 'I', 'ssue', '_'), minLength: 1 }), text, {
      maxKeys: 4,
    });
    const property = fc.property(fc.array(tools, { maxLength: 4 }), text, (places, question) => {
      const spaces = places.map((some, index) =>
        defineResourcespace({
          name: `place${index}`,
          description: `A ${question.replaceAll(/\s/g, ' ')}.`,
          tools: Object.fromEntries(Object.entries(some).map(([name, words]) => [name, act(`A ${words}`)])),
        }),
      );
      const found = new ToolIndex(treeOf(...spaces)).find(question);
      const scores = found.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score > 0)).toBe(true);
      expect(new Set(found.map(({ tool }) => tool)).size).toBe(found.length);
    });
    fc.assert(property, { numRuns });
  };

  it('answers any text about any tools, best first, with every tool once', () => askAnything(25));
  it('answers any text about any tools, 2,000 times', { tags: ['long'] }, () => askAnything(2000));
});

const index = new WordIndex(
  [
    { name: ['file'], text: ['file', 'read'] },
    { name: ['folder'], text: ['read', 'read', 'read', 'read', 'read', 'read'] },
    { name: ['page'], text: ['read', 'file', 'page', 'one', 'two', 'three'] },
  ],
  { name: 3, text: 1 },
);

const findStrengths = (word: string) => new Map(index.find(word).map((one) => [one.document, one.strength]));

describe('WordIndex', () => {
  it('finds the documents that contain a word in any field', () => {
    expect(Array.from(findStrengths('file').keys())).toEqual([0, 2]);
    expect(index.find('nothing')).toEqual([]);
    expect([index.has('page'), index.has('nothing')]).toEqual([true, false]);
  });

  it('counts a word more in a field with a higher weight, and less in a longer one', () => {
    const strengths = findStrengths('read');
    expect(findStrengths('page').get(2)).toBeGreaterThan(strengths.get(2)!);
    expect(strengths.get(0)).toBeGreaterThan(strengths.get(2)!);
  });

  it('counts repetitions less and less', () => {
    const [once, sixTimes] = [findStrengths('read').get(2)!, findStrengths('read').get(1)!];
    expect(sixTimes).toBeGreaterThan(once);
    expect(sixTimes).toBeLessThan(6 * once);
  });

  it('takes a word for rare that few documents contain', () => {
    expect(index.measureRarity('folder')).toBeGreaterThan(index.measureRarity('file'));
    expect(index.measureRarity('read')).toBeLessThan(0.2);
  });
});
