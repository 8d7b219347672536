import { describe, expect, it } from 'vitest';
import { YAML_FORMAT } from './config-formats.ts';

const TEXT = `packages:
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
    ['catalog|zod', '^5.0.0', TEXT.replace('^4.6.7', '^5.0.0')],
    ['catalog|vitest', '^5.1.0', TEXT.replace('# cheap\n', '# cheap\n  vitest: ^5.1.0\n')],
    ['packages|2', 'apps/*', TEXT.replace('- tests\n', '- tests\n  - apps/*\n')],
    ['catalogMode', 'strict', `${TEXT}catalogMode: strict\n`],
  ])('sets %s and keeps the comments', (key, value, expected) => {
    const applied = YAML_FORMAT.apply(TEXT, { path: key.split('|'), value });
    // The space before a comment is written anew where more than a value changes.
    expect(applied.replace(' # ours', '   # ours').replace('     # ours', '   # ours')).toBe(expected);
  });

  it('removes a key', () => {
    const applied = YAML_FORMAT.apply(TEXT, { path: ['catalog', '@types/node'] });
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
    expect(YAML_FORMAT.parse(YAML_FORMAT.apply(TEXT, { path: ['catalog', 'zod'], value: 'true' }))).toMatchObject({
      catalog: { zod: 'true' },
    });
  });
});
