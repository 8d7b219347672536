import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParamSpec } from '../protocol/tool-definition.ts';
import { splitArgument } from './split-argument.ts';

function split(text: string) {
  const { argument, keywords } = splitFully(text);
  return [argument, Object.fromEntries(keywords)] as const;
}

function splitFully(text: string, { mayBeEmpty = false, name = 'find' } = {}) {
  const target = { name: 'target', type: 'string', ...(mayBeEmpty && { default: '' }) };
  const others = ['path', 'limit', 'tags', 'note'].map((name) => ({ name, type: 'string', default: '' }));
  return splitArgument({ name, params: [target, ...others] }, { arg: text });
}

describe('splitArgument', () => {
  it.each([
    ['import x path=bae/repl limit=10', ['import x', { path: 'bae/repl', limit: '10' }]],
    ['TODO, path=src, limit=5', ['TODO', { path: 'src', limit: '5' }]],
    ['TODO , path=src', ['TODO', { path: 'src' }]],
    ['^[^,]*,[^,]*,, path=a.csv', ['^[^,]*,[^,]*,,', { path: 'a.csv' }]],
    ['  TODO \t path=src  ', ['TODO', { path: 'src' }]],
    ['Fix login tags="auth, ui"', ['Fix login', { tags: 'auth, ui' }]],
    ['Fix login note=\'it has "quotes"\'', ['Fix login', { note: 'it has "quotes"' }]],
    ['x note="a \\"b\\" \\\\ c"', ['x', { note: 'a "b" \\ c' }]],
    ['x note="one\\ntwo"', ['x', { note: 'one\ntwo' }]],
    ['x note=""', ['x', { note: '' }]],
    ['x tags=a,b', ['x', { tags: 'a,b' }]],
    ['x note=a=b', ['x', { note: 'a=b' }]],
    ["x note=it's", ['x', { note: "it's" }]],
    ['x limit=3 a=b', ['x', { limit: '3', a: 'b' }]],
    ['x a=b limit=3', ['x', { a: 'b', limit: '3' }]],
  ])('takes the keywords off %j', (text, expected) => {
    expect(split(text)).toEqual(expected);
  });

  it.each([
    'a=b',
    'x a=b',
    'x path=',
    'TODO,path=src',
    'x note="never closed',
    'x note=never opened"',
    'x note="escaped end\\"',
    'x note="two" "values"',
    '"quoted path=src"',
    '"',
    '',
  ])('leaves %j whole', (text) => {
    expect(split(text)).toEqual([text, {}]);
  });

  it('takes no keyword by another spelling of its name', () => {
    expect(splitFully('x Path=src')).toMatchObject({
      keywords: new Map(),
      misspelt: new Map([['Path', { meant: 'path', value: 'src' }]]),
    });
  });

  it('takes what a target often is for its name, unless that is another parameter', () => {
    const params = [{ name: 'target', type: 'string' }] as const;
    const read = (arg: string, more: readonly ParamSpec[] = []) => {
      const { argument, keywords } = splitArgument({ name: 'write', params: [...params, ...more] }, { arg });
      return [argument, Object.fromEntries(keywords)];
    };
    for (const name of ['path', 'file', 'Dir', 'folder']) expect(read(`${name}=n.txt`)).toEqual(['n.txt', {}]);
    expect(read('notes path=n.txt')).toEqual(['notes path=n.txt', {}]);
    expect(read('path=n.txt', [{ name: 'path', type: 'string', default: '' }])).toEqual(['', { path: 'n.txt' }]);
  });

  it('takes a name once, from the right', () => {
    expect(split('x path=a path=b')).toEqual(['x path=a', { path: 'b' }]);
  });

  it('takes keywords without an argument, except of a text to search for', () => {
    expect(split('path=src limit=5')).toEqual(['', { path: 'src', limit: '5' }]);
    const find = (mayBeEmpty: boolean) => splitFully('path=src', { mayBeEmpty, name: 'grep' }).argument;
    expect([find(false), find(true)]).toEqual(['path=src', '']);
  });

  it('gives back every value that was quoted', () => {
    const value = fc.string({ unit: 'grapheme' });
    const words = fc.constantFrom('find me', 'a=b', 'x, y', '"quoted"');
    fc.assert(
      fc.property(words, value, value, fc.constantFrom('"', "'"), (argument, note, path, quote) => {
        const quoted = (text: string) => quote + text.replaceAll(/[\\"']/g, String.raw`\$&`) + quote;
        const text = `${argument} note=${quoted(note)}, path=${quoted(path)}`;
        expect(split(text)).toEqual([argument, { note, path }]);
      }),
    );
  });

  it('takes a misspelt name before any value as misspelt, and another word as text', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1 });
    const slips = { pathh: 'path', limti: 'limit', tagss: 'tags', targte: 'target', Note: 'note' } as const;
    const slip = fc.constantFrom(...(Object.keys(slips) as (keyof typeof slips)[]));
    const quote = (text: string) => `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
    fc.assert(
      fc.property(slip, value, (name, text) => {
        const { argument, misspelt } = splitFully(`${name}=${quote(text)}`);
        expect([argument, [...misspelt]]).toEqual(['', [[name, { meant: slips[name], value: text }]]]);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom('a', 'xyz', 'CC', 'colour'), value, (name, text) => {
        const whole = `${name}=${quote(text)}`;
        const { argument, misspelt, literal } = splitFully(whole);
        expect([argument, misspelt.size, literal]).toEqual([whole, 0, { name, without: '' }]);
      }),
    );
  });

  it('loses nothing of any text: what is not taken stays, in order', () => {
    const part = fc.constantFrom('path=', 'limit=1', ' ', ',', '"', "'", '\\', 'x', '=', 'a=b', '\n');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        const [argument] = split(text);
        expect(text.trim().startsWith(argument)).toBe(true);
      }),
    );
  });

  it('copes with long texts of any shape', () => {
    for (const piece of ['a', '"', '\\"', ' x=1', 'path="', ',', ' ', "='"]) {
      const text = `x${piece.repeat(100_000)}`;
      expect(split(`${text} limit=1`)[1]).toMatchObject({ limit: '1' });
      split(`${text}"`);
    }
  });
});
