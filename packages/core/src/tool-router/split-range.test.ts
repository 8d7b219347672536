import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitRange } from './resolve-call.ts';
import { splitGrep } from './split-argument.ts';

describe('splitRange', () => {
  it.each<[string, string, [number, number | null] | null]>([
    ['f.py:10-15', 'f.py', [10, 15]],
    ['a.py:2:4', 'a.py', [2, 4]],
    ['a.py:47:3', 'a.py', [47, 47]],
    ['a.py:10', 'a.py', [10, 10]],
    ['a.py:40-', 'a.py', [40, null]],
    ['a.py:5-5', 'a.py', [5, 5]],
    ['C:\\x\\y.py:1-3', 'C:\\x\\y.py', [1, 3]],
    ['C:\\x\\y.py', 'C:\\x\\y.py', null],
    ['a.py offset=10 limit=3', 'a.py', [10, 12]],
    ['a.py, offset=10, limit=3', 'a.py', [10, 12]],
    ['a.py offset=0 limit=3', 'a.py', [1, 3]],
    ['a.py offset=10', 'a.py', [10, null]],
    ['a.py limit=3', 'a.py', [1, 3]],
    ['a.py head=3', 'a.py', [1, 3]],
    ['a.py 10 12', 'a.py', [10, 12]],
    ['a.py:10..12', 'a.py', [10, 12]],
    ['a.py@10-12', 'a.py', [10, 12]],
    ['a.py[10:12]', 'a.py', [10, 12]],
    ['a.py range="10-12"', 'a.py', [10, 12]],
    ['a.py view_range=[10, 12]', 'a.py', [10, 12]],
    ['a.py@10', 'a.py@10', null],
    ['a.py[10]', 'a.py[10]', null],
    ['a.py limit=x', 'a.py limit=x', null],
    ['limit=3', 'limit=3', null],
    ['a:1:2:3', 'a:1', [2, 3]],
    ['a:1-2:3', 'a:1-2', [3, 3]],
    ['lib.core.Greeter:3-9', 'lib.core.Greeter', [3, 9]],
    [' src/a.py ', 'src/a.py', null],
    [' my file.py : x', 'my file.py : x', null],
    ['my file.py :1-2', 'my file.py', [1, 2]],
    ['a.py:1-x', 'a.py:1-x', null],
    ['a.py:-5', 'a.py:-5', null],
    ['a.py:', 'a.py:', null],
    [':3', ':3', null],
    ['10-15', '10-15', null],
    ['', '', null],
    ['a:12345678901234567890', 'a:12345678901234567890', null],
  ])('reads %j as %j %j', (arg, target, range) => {
    expect(splitRange(arg)).toEqual({ target, range });
  });

  it.each(['a.py:5-2', 'T:0-3', 'T:0', 'T:0-', 'T:4:0'])('finds no lines in %s', (arg) => {
    expect(splitRange(arg)).toEqual({ error: 'bad-range' });
  });

  it('reads back every range it is given', () => {
    const target = fc.string({ minLength: 1 }).filter((text) => text.trim() === text && text !== '');
    const line = fc.integer({ min: 1, max: 1e9 });
    fc.assert(
      fc.property(target, line, line, (path, one, other) => {
        const range = [Math.min(one, other), Math.max(one, other)];
        expect(splitRange(`${path}:${range.join('-')}`)).toEqual({ target: path, range });
      }),
    );
  });
});

describe('splitGrep', () => {
  it.each<[string, readonly string[], string, string | null]>([
    ['def main', [], 'def main', null],
    ['TODO src', ['src'], 'TODO', 'src'],
    ['a  b   src', ['src'], 'a  b', 'src'],
    ['import a/b', [], 'import a/b', null],
    ['src', ['src'], 'src', null],
    ['"import x" bae/repl', [], 'import x', 'bae/repl'],
    ['"import x" in bae/repl', [], 'import x', 'bae/repl'],
    ["'import x' src", [], 'import x', 'src'],
    ['`import x` src', [], 'import x', 'src'],
    ['"import x"', [], 'import x', null],
    ['"say "hi"" src', [], 'say "hi"', 'src'],
    ['"x" "my dir"', ['my dir'], 'x', 'my dir'],
    ['"x" my dir', ['my dir'], 'x', 'my dir'],
    ['"a" or "b"', [], '"a" or "b"', null],
    ['"unclosed x', [], '"unclosed x', null],
    ['"unclosed src', ['src'], '"unclosed', 'src'],
    ['""', [], '""', null],
    ['  TODO  ', [], 'TODO', null],
    ['', [], '', null],
  ])('reads %j, where %j exists, as %j in %j', (arg, paths, pattern, path) => {
    expect(splitGrep(arg, (one) => paths.includes(one))).toEqual({ pattern, path });
  });

  it('asks only for the last word', () => {
    const asked: string[] = [];
    splitGrep('one two three', (path) => asked.push(path) < 0);
    expect(asked).toEqual(['three']);
  });
});
