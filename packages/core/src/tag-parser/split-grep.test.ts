import { describe, expect, it } from 'vitest';
import { splitGrep } from './split-grep.ts';

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
