import { describe, expect, it } from 'vitest';
import { TASK_COMMANDS as commands } from './task-commands.ts';

describe('TASK_COMMANDS', () => {
  it.each([
    [commands.list(''), 'bae tasks'],
    [commands.show(7), 'bae tasks show 7'],
    [commands.list('status:open', 41), 'bae tasks list status:open from=41'],
    [commands.list('', 41), 'bae tasks list from=41'],
    [commands.history(7), 'bae tasks history 7'],
    [commands.history(7, 41), 'bae tasks history 7 from=41'],
    [commands.edit(7, { status: 'done', after: '-1, -2' }), 'bae tasks edit 7 status=done after="-1, -2"'],
    [commands.edit(7, { after: '-1' }), 'bae tasks edit 7 after=-1'],
    [commands.edit(7, { title: 'a "b" $c' }), `bae tasks edit 7 title='a "b" $c'`],
    [commands.search('fix login'), "bae tasks grep 'fix login'"],
    [commands.titles('*'), 'bae tasks list all:'],
    [
      commands.create("It's new", { priority: '1.1.0', parent: '2' }),
      String.raw`bae tasks add 'It'\''s new' priority=1.1.0 parent=2`,
    ],
    [commands.create('New'), 'bae tasks add New'],
    [commands.create('a=b'), 'bae tasks add Title'],
    [
      commands.edit(2, { status: 'done' }, '<outcome>x</outcome>'),
      "bae tasks edit 2 status=done body=- <<'END'\n<outcome>x</outcome>\nEND",
    ],
  ])('writes what a person types: %s', (command, expected) => {
    expect(command).toBe(expected);
  });
});
