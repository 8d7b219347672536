import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JSON_FORMAT, YAML_FORMAT } from './config-formats.ts';

const JSON_TEXT = `{
  // Strict, please.
  "compilerOptions": {
    "strict": true, // always
    "lib": ["es2022", "dom"],
    /* inside */ "types": [], // none
  },
  "include": ["src"]
}
`;

describe('JSON_FORMAT', () => {
  it.each([
    ['compilerOptions.strict', false, JSON_TEXT.replace('true,', 'false,')],
    ['compilerOptions.lib.1', 'webworker', JSON_TEXT.replace('"dom"', '"webworker"')],
    ['include', ['src', 'test'], JSON_TEXT.replace('["src"]', '[\n    "src",\n    "test"\n  ]')],
    ['include.1', 'test', JSON_TEXT.replace('["src"]', '["src", "test"]')],
    ['compilerOptions.types.0', 'node', JSON_TEXT.replace('"types": []', '"types": [\n      "node"\n    ]')],
    ['compilerOptions.noEmit', true, JSON_TEXT.replace('// none\n', '// none\n    "noEmit": true,\n')],
    ['exclude', ['dist'], JSON_TEXT.replace('["src"]\n', '["src"],\n  "exclude": [\n    "dist"\n  ]\n')],
    ['a.b', 1, JSON_TEXT.replace('["src"]\n', '["src"],\n  "a": {\n    "b": 1\n  }\n')],
  ])('sets %s and leaves the rest as it is', (key, value, expected) => {
    expect(JSON_FORMAT.apply(JSON_TEXT, { path: key.split('.'), value })).toBe(expected);
  });

  it.each([
    ['compilerOptions.strict', JSON_TEXT.replace('    "strict": true, // always\n', '')],
    ['compilerOptions.lib.0', JSON_TEXT.replace('"es2022", ', '')],
    ['compilerOptions.lib.1', JSON_TEXT.replace(', "dom"', '')],
    ['include', JSON_TEXT.replace('  "include": ["src"]\n', '').replace('  },\n', '  }\n')],
    ['nothing', JSON_TEXT],
  ])('removes %s and leaves the rest as it is', (key, expected) => {
    expect(JSON_FORMAT.apply(JSON_TEXT, { path: key.split('.') })).toBe(expected);
  });

  it('writes like the file: its indentation, its line ends, its byte order mark', () => {
    const text = '\uFEFF{\r\n\t"a": {}\r\n}\r\n';
    expect(JSON_FORMAT.apply(text, { path: ['a', 'b'], value: { c: 1 } })).toBe(
      '\uFEFF{\r\n\t"a": {\r\n\t\t"b": {\r\n\t\t\t"c": 1\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
    expect(JSON_FORMAT.apply('{}', { path: ['a'], value: 1 })).toBe('{\n  "a": 1\n}');
    expect(JSON_FORMAT.apply('{"a":1}', { path: ['b'], value: 2 })).toBe('{"a":1, "b": 2}');
  });

  it('names the line where a file cannot be parsed', () => {
    expect(() => JSON_FORMAT.parse('{\n  "a": ,\n}')).toThrow('line 2: ValueExpected');
    expect(JSON_FORMAT.parse(JSON_TEXT)).toMatchObject({ include: ['src'] });
  });

  it('sets and removes any key of any object, and changes no other', () => {
    const data = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { maxKeys: 5 });
    const key = fc.oneof(fc.constant('__proto__'), fc.string({ minLength: 1 })).filter((name) => !/^\d+$/.test(name));
    fc.assert(
      fc.property(data, key, fc.jsonValue(), fc.constantFrom(0, 2, '\t'), (object, name, value, indent) => {
        const text = JSON.stringify(object, undefined, indent);
        const before: unknown = JSON.parse(text);
        const set = JSON_FORMAT.apply(text, { path: [name], value });
        const others = Object.entries(before as object).filter(([other]) => other !== name);
        const expected = Object.fromEntries([...others, [name, JSON.parse(JSON.stringify(value))]]);
        expect(isDeepStrictEqual(JSON_FORMAT.parse(set), expected)).toBe(true);
        const removed = JSON_FORMAT.parse(JSON_FORMAT.apply(set, { path: [name] }));
        expect(isDeepStrictEqual(removed, Object.fromEntries(others))).toBe(true);
      }),
    );
  });
});

const YAML = `packages:
  - packages/*   # ours
  - tests

# Versions of everything.
catalog:
  '@types/node': ^24.19.2
  zod: ^4.6.7 # cheap
allowBuilds: {}
`;

describe('YAML_FORMAT', () => {
  it.each([
    ['catalog|zod', '^5.0.0', YAML.replace('^4.6.7', '^5.0.0')],
    ['catalog|vitest', '^5.1.0', YAML.replace('# cheap\n', '# cheap\n  vitest: ^5.1.0\n')],
    ['packages|2', 'apps/*', YAML.replace('- tests\n', '- tests\n  - apps/*\n')],
    ['catalogMode', 'strict', `${YAML}catalogMode: strict\n`],
  ])('sets %s and keeps the comments', (key, value, expected) => {
    const applied = YAML_FORMAT.apply(YAML, { path: key.split('|'), value });
    // The space before a comment is written anew where more than a value changes.
    expect(applied.replace(' # ours', '   # ours').replace('     # ours', '   # ours')).toBe(expected);
  });

  it('removes a key', () => {
    const applied = YAML_FORMAT.apply(YAML, { path: ['catalog', '@types/node'] });
    expect(YAML_FORMAT.parse(applied)).toEqual({
      packages: ['packages/*', 'tests'],
      catalog: { zod: '^4.6.7' },
      allowBuilds: {},
    });
    expect(applied).toContain('# Versions of everything.');
  });

  it('names the line where a file cannot be parsed', () => {
    expect(() => YAML_FORMAT.parse('a: [1\nb: 2\n')).toThrow('at line 2');
  });

  it('writes texts so that they come back as texts', () => {
    expect(YAML_FORMAT.parse(YAML_FORMAT.apply(YAML, { path: ['catalog', 'zod'], value: 'true' }))).toMatchObject({
      catalog: { zod: 'true' },
    });
  });
});
