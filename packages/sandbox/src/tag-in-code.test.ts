import { describe, expect, it } from 'vitest';
import { SCOPE, spec } from '../test/bench-of-blocks.ts';
import { tagInCode } from './tag-in-code.ts';

const names = ['read', 'write', 'glob', 'grep', 'now', 'source', 'my_notes', 'home', 'back', 'up', 'nav'];
const spaces = [{ name: 'home', tools: [...SCOPE.tools, spec('glob', 'pattern')] }, ...SCOPE.spaces];

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
    ['<Read:package.json>', 'read("package.json")'],
    ['<WRITE:a.ts>', 'write("a.ts", …)'],
    ['<source.R:core.pruner>', 'source.read("core.pruner")'],
    ['<home.read:a.ts>', 'home.read("a.ts")'],
    ['<my-notes.delete:7>', 'my_notes.delete("7")'],
    ['<source.tests.run>', 'source.tests.run(…)'],
    ['<R:my-notes.sub-notes>', 'my_notes.sub_notes()'],
  ])('says what to write for %j', (code, call, line = code.split('\n').length) => {
    expect(help(code, line)).toBe(`Tags do not work in code: write await ${call}`);
  });

  it.each(['<E:a.ts>', '<source:tests>', '<source.W:a>', '<elsewhere.R:a>'])(
    'names no tool that is not there: %s',
    (tag) => {
      expect(help(tag)).toBe('Tags do not work in code: write them outside of the run block.');
    },
  );

  it.each(['a < b', '<div>', 'const a = <R:b>', '<R:a>\nconst b', '', '<T>(a: T) => a'])(
    'has nothing to say about %j',
    (code) => {
      expect(help(code)).toBeUndefined();
    },
  );
});
