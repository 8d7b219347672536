import { describe, expect, it } from 'vitest';
import { SCOPE, spec } from '../test/bench-of-blocks.ts';
import { missingMember } from './missing-member.ts';

const NOT_A_FUNCTION = 'not a function';
const noRead = (property: string) => `cannot read property '${property}' of undefined`;

function help(message: string, line: string, code = line): string | undefined {
  return missingMember({ message, line, code, spaces: SCOPE.spaces });
}

describe('missingMember', () => {
  it.each([
    ['await source.raed("x")', 'source has no tool raed. Did you mean source.read?'],
    ['source.tests.rnu ()', 'source.tests has no tool rnu. Did you mean source.tests.run?'],
    ['x = [source.read("a"), source.test()]', 'source has no tool test. Did you mean source.tests?'],
    ['my_notes.delte("x")', 'my_notes has no tool delte. Did you mean my_notes.delete?'],
    ['my_notes.sub_note("x")', 'my_notes has no tool sub_note. Did you mean my_notes.sub_notes?'],
    ['my_notes.sub_notes.raed("x")', 'my_notes.sub_notes has no tool raed. Did you mean my_notes.sub_notes.read?'],
    ['source.frobnicate("x")', 'source has no tool frobnicate. It has read, tests.'],
  ])('says of %s what there is', (line, text) => {
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
  ])('has nothing to say about %s', (_, message, line) => {
    expect(help(message, line)).toBeUndefined();
  });

  it.each(['const source = {}', '(source) => 1', 'function f(a, source) {}', 'const { source } = a', 'source = 1'])(
    'has nothing to say when the code has a variable of that name: %s',
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
    const said = (line: string) => missingMember({ message: NOT_A_FUNCTION, line, code: line, spaces });
    expect(said('full.frobnicate()')).toBe(
      'full has no tool frobnicate. It has t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, … 2 more.',
    );
    expect(said('empty.frobnicate()')).toBe('empty has no tool frobnicate.');
  });
});
