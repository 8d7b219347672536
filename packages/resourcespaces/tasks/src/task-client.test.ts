import { existsSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newFile } from '../test/open-tasks.ts';
import { TaskClient } from './task-client.ts';

function openClient() {
  const file = newFile();
  const client = new TaskClient({ file, caller: 'user' });
  onTestFinished(() => client.close());
  return { file, client };
}

const errorOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

describe('TaskClient', () => {
  it('calls for the user, and returns the result as data', async () => {
    const { client, file } = openClient();
    const answer = await client.call('write', { title: 'Fix login' });
    expect(answer).toMatchObject({ kind: 'created', outcome: { task: { creator: 'user' } } });
    expect(client.render(answer)).toBe('Created task 1: Fix login');
    expect(existsSync(file)).toBe(true);
  });

  it('throws the error of a call', async () => {
    const { client } = openClient();
    await client.call('write', { title: 'First' });
    expect(await errorOf(client.call('read', { target: '9' }))).toMatchObject({
      name: 'ResourceError',
      hints: ['<tasks.R:1>', '<tasks.R:>'],
    });
  });

  it.each([
    ['read', { target: '7', from: 'x' }, '<tasks.R:7>'],
    ['read', { target: 'history:7', from: 'x' }, '<tasks.R:history:7>'],
    ['read', { target: 'status:open', from: 'x' }, '<tasks.R:status:open>'],
    ['read', { target: 'stauts:open' }, '<tasks.R:>'],
    ['write', { title: 'New', tags: '?' }, '<tasks.W:New></W>'],
    ['write', { titel: 'New' }, '<tasks.W:New></W>'],
    ['edit', { id: '2', stauts: 'done' }, '<tasks.E:2 status=done>'],
    [
      'write',
      { titel: 'New', tags: 'a,b', priority: '2', body: 'text' },
      '<tasks.W:New priority=2 tags="a,b">\ntext\n</W>',
    ],
    ['edit', { id: '2', title: 'two words', version: 'x' }, '<tasks.E:2 title="two words">'],
    ['edit', { id: '2', status: 'opne' }, '<tasks.E:2 status=open>'],
    ['edit', { id: '2', version: 'x' }, '<tasks.E:2 status=in_progress>'],
    ['glob', { pattern: '*a*', from: 'x' }, '<tasks.G:*a*>'],
    ['grep', { text: 'log', from: 'x' }, '<tasks.Grep:log>'],
  ] as const)('offers %s without what is wrong in %j', async (name, args, hint) => {
    const error = await errorOf(openClient().client.call(name, args));
    expect(error).toMatchObject({ name: 'ParameterError', hints: [hint] });
  });

  it('takes any text for a title or body', async () => {
    const { client } = openClient();
    const title = '"quotes" \'single\' </W> <R:7> {"name":"x"}';
    await client.call('write', { title, body: '</W>\n<run>\n</run>' });
    expect(await client.call('read', { target: '1' })).toMatchObject({ task: { title, body: '</W>\n<run>\n</run>' } });
  });

  it('returns up to the given number of rows', async () => {
    const { client } = openClient();
    for (let index = 1; index <= 45; index++) await client.call('write', { title: `Task ${index}` });
    expect(await client.call('read', {}, 200)).toMatchObject({ page: { tasks: { length: 45 }, isLast: true } });
    expect(await client.call('read', {})).toMatchObject({ page: { tasks: { length: 40 }, isLast: false } });
  });
});
