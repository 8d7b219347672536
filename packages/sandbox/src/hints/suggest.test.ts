import { describe, expect, it } from 'vitest';
import { SCOPE, spec } from '../../test/bench-of-blocks.ts';
import { findNearName, suggestCallForTag, suggestMember } from './suggest.ts';

const NOT_A_FUNCTION = 'not a function';
const noRead = (property: string) => `cannot read property '${property}' of undefined`;

function help(message: string, line: string, code = line): string | undefined {
  return suggestMember(message, line, { code, spaces: SCOPE.spaces });
}

describe('suggestMember', () => {
  it.each([
    ['await source.raed("x")', 'source has no tool raed. Did you mean source.read?'],
    ['source.tests.rnu ()', 'source.tests has no tool rnu. Did you mean source.tests.run?'],
    ['x = [source.read("a"), source.test()]', 'source has no tool test. Did you mean source.tests?'],
    ['my_notes.delte("x")', 'my_notes has no tool delte. Did you mean my_notes.delete?'],
    ['my_notes.sub_note("x")', 'my_notes has no tool sub_note. Did you mean my_notes.sub_notes?'],
    ['my_notes.sub_notes.raed("x")', 'my_notes.sub_notes has no tool raed. Did you mean my_notes.sub_notes.read?'],
    ['source.frobnicate("x")', 'source has no tool frobnicate. It has read, tests.'],
  ])('suggests what there is for %s', (line, text) => {
    expect(help(NOT_A_FUNCTION, line)).toBe(text);
  });

  it.each([
    ['source.foo.bar()', 'bar', 'source has no tool foo. It has read, tests.'],
    ['source.tset.run()', 'run', 'source has no tool tset. Did you mean source.tests?'],
    ['source.tests.a.b.c()', 'b', 'source.tests has no tool a. It has run.'],
    ['source.tests.a.b.c()', 'c', undefined],
    ['source.foo.bar()', 'baz', undefined],
  ])('explains reading from %s', (line, property, text) => {
    expect(help(noRead(property), line)).toBe(text);
  });

  it.each([
    ['another error', 'out of stack', 'source.raed()'],
    ['another name', NOT_A_FUNCTION, 'other.raed()'],
    ['a name inside of something else', NOT_A_FUNCTION, 'my.source.raed() + xsource.raed()'],
    ['a tool that is there', NOT_A_FUNCTION, 'source.read("x")(1)'],
    ['a tool by the name that it has alone', NOT_A_FUNCTION, 'my_notes.delete_("x")(1)'],
    ['what comes behind a tool', NOT_A_FUNCTION, 'source.read.bind2()'],
    ['a name that is not called', NOT_A_FUNCTION, 'f(source.raed)'],
    ['a long line', NOT_A_FUNCTION, `source.raed("${'x'.repeat(2000)}")`],
  ])('suggests nothing for %s', (_, message, line) => {
    expect(help(message, line)).toBeUndefined();
  });

  it.each(['const source = {}', '(source) => 1', 'function f(a, source) {}', 'const { source } = a', 'source = 1'])(
    'suggests nothing when the code has a variable of that name: %s',
    (first) => {
      expect(help(NOT_A_FUNCTION, 'source.raed()', `${first}\nsource.raed()`)).toBeUndefined();
    },
  );

  it('lists a dozen names at most, and none of an empty place', () => {
    const tools = Array.from({ length: 14 }, (_, index) => spec(`t${index}`));
    const spaces = [
      { name: 'full', tools },
      { name: 'empty', tools: [] },
    ];
    const said = (line: string) => suggestMember(NOT_A_FUNCTION, line, { code: line, spaces });
    expect(said('full.frobnicate()')).toBe(
      'full has no tool frobnicate. It has t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, … 2 more.',
    );
    expect(said('empty.frobnicate()')).toBe('empty has no tool frobnicate.');
  });
});

const NAMES = ['read', 'write', 'grep', 'now', 'remove', 'source', 'my_notes', 'home', 'back', 'up', 'nav'];

describe('findNearName', () => {
  it.each([
    ['raed', 'read'],
    ['erad', 'read'],
    ['reads', 'read'],
    ['ead', 'read'],
    ['Read', 'read'],
    ['wirte', 'write'],
    ['rmovee', 'remove'],
    ['sorucee', 'source'],
    ['rem', 'remove'],
    ['readFile', 'read'],
    ['grep_all', 'grep'],
  ])('takes %s for %s', (name, near) => {
    expect(findNearName(name, NAMES)).toBe(near);
  });

  it.each(['bad', 'keep', 'one', 'head', 'row', 'p', 'result', 'sleep', 'list', 'x'.repeat(500)])(
    'takes %.20s for nothing else',
    (name) => {
      expect(findNearName(name, NAMES)).toBeUndefined();
    },
  );
});

const names = ['read', 'write', 'glob', 'grep', 'now', 'source', 'my_notes', 'home', 'back', 'up', 'nav'];
const spaces = [{ name: 'home', tools: [...SCOPE.tools, spec('glob', 'pattern')] }, ...SCOPE.spaces];

function helpWithTag(code: string, line = code.split('\n').length): string | undefined {
  return suggestCallForTag(code, line, { names, spaces });
}

describe('suggestCallForTag', () => {
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
  ])('suggests a call for %j', (code, call, line = code.split('\n').length) => {
    expect(helpWithTag(code, line)).toBe(`Tags do not work in code: write await ${call}`);
  });

  it.each(['<E:a.ts>', '<source:tests>', '<source.W:a>', '<elsewhere.R:a>'])(
    'names no tool that is not there: %s',
    (tag) => {
      expect(helpWithTag(tag)).toBe('Tags do not work in code: write them outside of the run block.');
    },
  );

  it.each(['a < b', '<div>', 'const a = <R:b>', '<R:a>\nconst b', '', '<T>(a: T) => a'])(
    'suggests nothing for %j',
    (code) => {
      expect(helpWithTag(code)).toBeUndefined();
    },
  );
});
