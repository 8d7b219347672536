import { describe, expect, it } from 'vitest';
import { UsageError } from '../command-line/errors.ts';
import { COMMANDS } from '../command-line/command-list.ts';
import { parseTaskRequest } from './task-request.ts';

const words = (line: string): readonly string[] => line.split(' ').filter((word) => word !== '');

describe('bae tasks', () => {
  it.each([
    ['', 'read', { target: '' }],
    ['list', 'read', { target: '' }],
    ['list status:open tag:auth from=26', 'read', { target: 'status:open tag:auth', from: '26' }],
    ['show 7', 'read', { target: '7' }],
    ['show #7', 'read', { target: '7' }],
    ['add Fix the login tags=auth,ui', 'write', { title: 'Fix the login', tags: 'auth,ui' }],
    ['add title=a=b', 'write', { title: 'a=b' }],
    ['edit 7 status=open after=-3', 'edit', { id: '7', status: 'open', after: '-3' }],
    ['done 7', 'edit', { id: '7', status: 'done' }],
    ['done 7 body=-', 'edit', { id: '7', status: 'done', body: '-' }],
    ['grep fix login from=2', 'grep', { text: 'fix login', from: '2' }],
    ['history 7', 'read', { target: 'history:7' }],
  ] as const)('%j calls %s', (line, tool, args) => {
    expect(parseTaskRequest(words(line))).toMatchObject({ tool, args });
  });

  it.each([
    ['lst', "bae tasks has no subcommand 'lst'."],
    ['constructor', "bae tasks has no subcommand 'constructor'."],
    ['7', "no subcommand '7'. To see the task: bae tasks show 7"],
    ['show', 'bae tasks show takes the id of one task; got nothing. For example: bae tasks show 7'],
    ['show 7 8', 'bae tasks show takes the id of one task; got "7 8". For example: bae tasks show 7'],
    ['show x', 'bae tasks show takes the id of one task; got "x". For example: bae tasks show 7'],
    ['show 7 a=b', 'bae tasks show takes no fields; got a=. To change a task: bae tasks edit ID a=…'],
    ['add', 'bae tasks add needs a title: bae tasks add "Fix login" priority=1.1.0'],
    ['add tags=a', 'bae tasks add needs a title: bae tasks add "Fix login" priority=1.1.0'],
    ['edit 7', 'bae tasks edit needs what is to change: bae tasks edit 7 status=in_progress tags=+auth'],
    [
      'edit 7 done',
      'bae tasks edit takes the id of one task; got "7 done". Fields are written name=value: bae tasks edit 7 status=done',
    ],
    ['grep', 'bae tasks grep needs words: bae tasks grep login'],
  ])('refuses %j', (line, message) => {
    expect(() => parseTaskRequest(words(line))).toThrow(UsageError);
    expect(() => parseTaskRequest(words(line))).toThrow(message);
  });

  it('has every subcommand that help shows', () => {
    for (const [name, rest] of Object.entries(COMMANDS['tasks']!.subcommands!)) {
      const example = rest
        .replaceAll('ID', '7')
        .replaceAll(/\[[^\]]*\]/g, '')
        .replace('field=value…', 'title=x');
      expect(parseTaskRequest([name, ...words(example)])).toBeDefined();
    }
  });
});
