import { describe, expect, it } from 'vitest';
import { asCommands } from './as-commands.ts';

describe('asCommands', () => {
  it.each([
    ['<R:>', 'bae tasks'],
    ['<tasks.R:7>', 'bae tasks show 7'],
    ['<R:status:open from=41>', 'bae tasks list status:open from=41'],
    ['<R:from=41>', 'bae tasks list from=41'],
    ['<R:history:7 from=41>', 'bae tasks history 7 from=41'],
    ['<E:7 status=done after="-1, -2">', 'bae tasks edit 7 status=done after="-1, -2"'],
    ['<Grep:fix login>', "bae tasks grep 'fix login'"],
    ['<G:*>', 'bae tasks list all:'],
    ["<W:It's new priority=1.1.0 parent=2></W>", String.raw`bae tasks add 'It'\''s new' priority=1.1.0 parent=2`],
    ['<tasks.W:New></W>', 'bae tasks add New'],
    [
      '<E:2 status=done>\n<outcome>x</outcome>\n</E>',
      "bae tasks edit 2 status=done body=- <<'END'\n<outcome>x</outcome>\nEND",
    ],
    ['Try: <R:1>, <E:3 after=-1>', 'Try: bae tasks show 1, bae tasks edit 3 after=-1'],
    ['no tag', 'no tag'],
  ])('turns %s into what a person types', (text, command) => {
    expect(asCommands(text)).toBe(command);
  });
});
