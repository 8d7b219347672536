import { defineResourcespace, openSpaces, tool } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { completeLine } from './complete-line.ts';

const meta = defineResourcespace({ name: 'meta', description: 'Below.', tools: { show: tool('It.', {}, () => '') } });
const { tree } = openSpaces({
  home: defineResourcespace({
    name: 'files',
    description: 'Home.',
    tools: {
      read: tool('A file.', {}, () => ''),
      grep: tool('Lines.', { pattern: z.string(), path: z.string().optional(), page: z.int().optional() }, () => ''),
      move: tool('A path.', {}, () => ''),
    },
  }),
  spaces: [
    {
      ...defineResourcespace({ name: 'source', description: 'Code.', tools: {}, children: () => ({ meta }) }),
      complete: async (typed: string) => ['Queue', 'Queues', 'Queue.add'].filter((name) => name.startsWith(typed)),
    },
  ],
});
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  '.': ['.git/', 'src/', 'README.md', 'a file.txt'],
  'src/': ['a.ts', 'app/'],
};
const COMMANDS = { view: { words: () => ['user', 'debug'] }, move: {}, export: {} };
const complete = (line: string) =>
  completeLine(line, { tree, location: [], commands: COMMANDS }, async (folder) => FOLDERS[folder] ?? []);

describe('completeLine', () => {
  it.each([
    ['<', ['<R:', '<Grep:', '<move:'], '<'],
    ['<m', ['<move:'], '<m'],
    ['@s', ['@source()', '@source.meta()', '@src/'], '@s'],
    ['@src/a', ['@src/a.ts', '@src/app/'], '@src/a'],
    ['@a', [], '@a'],
    ['see @src/a', ['src/a.ts', 'src/app/'], 'src/a'],
    ['see @', ['src/', 'README.md'], ''],
    ['source.', ['source.meta()', 'source.meta.show('], 'source.'],
    ['/mo', ['/move'], '/mo'],
    ['/wh', ['/where'], '/wh'],
    ['@wh', ['@where()'], '@wh'],
    ['<R:', ['src/', 'README.md', 'a file.txt'], ''],
    ['<R:.', ['.git/'], '.'],
    ['<R:src/a', ['src/a.ts', 'src/app/'], 'src/a'],
    ['<Grep:TODO path=s', ['src/'], 's'],
    ['<Grep:TODO pa', ['pattern=', 'path=', 'page='], 'pa'],
    ['<Grep:TODO path=src pa', ['pattern=', 'page='], 'pa'],
    ['<home.Grep:TODO pat', ['pattern=', 'path='], 'pat'],
    ['<nobody:TODO pat', [], 'pat'],
    ['/read src/ap', ['src/app/'], 'src/ap'],
    ['read("RE', ['README.md'], 'RE'],
    ['<R:nowhere/', [], 'nowhere/'],
    ['<source.R:Que', ['Queue', 'Queues', 'Queue.add'], 'Que'],
    ['<source.R:RE', [], 'RE'],
    ['source.read("Queue.', ['Queue.add'], 'Queue.'],
    ['<source.Grep:TODO path=Queues', ['Queues'], 'Queues'],
    ['<R:Queues', ['Queues'], 'Queues'],
    ['rea', ['read('], 'rea'],
    ['grep("x", pa', ['path: ', 'page: '], 'pa'],
    ['grep("x", { path: "src", pa', ['page: '], 'pa'],
    ['home().re', ['home().read('], 'home().re'],
    ['/view d', ['debug'], 'd'],
    ['/vi', ['/view'], '/vi'],
    ['/move', [], '/move'],
    ['!ls s', ['src/'], 's'],
    ['!ls src/a', ['src/a.ts', 'src/app/'], 'src/a'],
    ['/export R', ['README.md'], 'R'],
  ])('goes on with %s', async (line, candidates, typed) => {
    expect(await complete(line)).toEqual({ candidates, typed });
  });

  it('completes names in the midst of a line of code', async () => {
    const place = { tree, location: [], inCode: true };
    const inCode = async (line: string) => (await completeLine(line, place, async () => [])).candidates;
    expect(await inCode('const x = await gre')).toEqual(['grep(']);
    expect(await inCode('so')).toEqual(['source()', 'source.meta()', 'source.meta.show(']);
    expect(await inCode('x.so')).toEqual([]);
  });

  it('completes addresses of the place where the line is typed', async () => {
    const place = { tree, location: ['source'] };
    expect((await completeLine('<R:Queue.', place, async () => ['Queue.txt'])).candidates).toEqual(['Queue.add']);
    expect((await completeLine('<home.R:Queue.', place, async () => ['Queue.txt'])).candidates).toEqual(['Queue.txt']);
  });

  it.each(['', 'What does src do?', 'Read s'])('leaves %j alone', async (line) => {
    const { candidates } = await complete(line);
    expect(line === '' ? [] : candidates).toEqual([]);
  });
});
