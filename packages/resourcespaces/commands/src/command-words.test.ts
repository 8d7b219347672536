import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeCommandTarget, quoteCommand, splitCommand } from './command-words.ts';

const split = (text: string) => splitCommand(text, '<sh:…>');

describe('splitCommand', () => {
  it.each([
    ['git log --oneline -5', ['git', 'log', '--oneline', '-5']],
    ['  a\t b\'c d\'"e f"  ', ['a', 'bc de f']],
    [`a '' ""`, ['a', '', '']],
    [`"a\\"b\\\\c\\d$"`, ['a"b\\c\\d$']],
    [`'a\\'`, ['a\\']],
    [`a\\ b \\; \\'`, ['a b', ';', "'"]],
    ['*.ts ~ #x {a,b} !x [a] a=b', ['*.ts', '~', '#x', '{a,b}', '!x', '[a]', 'a=b']],
    ["awk '{print $1}' 'a|b;c>d'", ['awk', '{print $1}', 'a|b;c>d']],
    ["echo 'a\nb'", ['echo', 'a\nb']],
    ['', []],
  ])('divides %j', (text, words) => {
    expect(split(text)).toEqual(words);
  });

  it.each([
    ['a | b', '| means something only to a shell'],
    ['a|b', '| means'],
    ['a; b', '; means'],
    ['a && b', '&& means'],
    ['a & b', '& means'],
    ['a > b', '> means'],
    ['a <b', '< means'],
    ['a $(b)', '$( means'],
    ['a $HOME', '$ means'],
    ['a `b`', '` means'],
    ['a\nb', 'a new line means'],
    ['a\rb', 'a new line means'],
    ["a 'b", "the quote ' has no end: 'b"],
    ['a "b\\"', 'the quote " has no end'],
    ['a \\', 'a backslash has nothing after it.'],
    ['a \0', 'NUL'],
  ])('refuses %j, and names what takes it', (text, message) => {
    expect(() => split(text)).toThrow(message);
  });
});

describe('quoteCommand', () => {
  it('writes any words so that they are read as the same ones', () => {
    const word = fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '\\', '\n', '$', ';', '*', 'é') });
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(split(quoteCommand(words))).toEqual(words);
      }),
    );
  });

  it('leaves plain words as they are', () => {
    expect(makeCommandTarget(['git', 'log', '--format=%H', 'a b'])).toBe("command:git log --format=%H 'a b'");
  });
});
