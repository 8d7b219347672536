import { describe, expect, it } from 'vitest';
import { SCOPE } from '../test/bench-of-blocks.ts';
import { tagInCode } from './tag-in-code.ts';

const names = ['read', 'write', 'glob', 'grep', 'now', 'source', 'my_notes', 'home', 'back', 'up', 'nav'];
const spaces = [{ name: 'home', tools: SCOPE.tools }, ...SCOPE.spaces];

function help(code: string, line = code.split('\n').length): string | undefined {
  return tagInCode(code, line, { names, spaces });
}

describe('tagInCode', () => {
  it.each([
    ['<R:package.json>', 'read("package.json")'],
    ['  <r:a.ts:3-4>', 'read("a.ts:3-4")'],
    ['<W:a.ts>\ntext', 'write("a.ts", …)', 1],
    ['<G:src/*.ts>', 'glob("src/*.ts")'],
    ['<Grep:TODO>', 'grep("TODO")'],
    ['<grep:TODO path=src>', 'grep(…)'],
    ['<grep:TODO src>', 'grep(…)'],
    ['<R:"a b">', 'read(…)'],
    ['<now>', 'now(…)'],
    ['<nav>\n\n', 'nav()'],
    ['<source.tests>', 'source.tests()'],
    ['<R:my-notes.sub-notes>', 'my_notes.sub_notes()'],
  ])('says what to write for %j', (code, call, line = code.split('\n').length) => {
    expect(help(code, line)).toBe(`Tags do not work in code: write await ${call}`);
  });

  it('names no tool that is not there', () => {
    expect(help('<E:a.ts>')).toBe('Tags do not work in code: write them outside of the run block.');
  });

  it.each(['a < b', '<div>', 'const a = <R:b>', '<R:a>\nconst b', '', '<T>(a: T) => a'])(
    'has nothing to say about %j',
    (code) => {
      expect(help(code)).toBeUndefined();
    },
  );
});
