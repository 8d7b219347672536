import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Plugin } from '../package/read-plugin.ts';
import { checkMountOptions } from './check-options.ts';

const plugin = (options: object | undefined): Plugin =>
  ({ name: 'bae-resourcespace-shop', manifest: { ...(options && { options }) } }) as unknown as Plugin;

const schema = z.strictObject({
  url: z.url().describe('address of the shop'),
  level: z.enum(['low', 'high']).default('low'),
  most: z.int().min(1).max(9).optional(),
  names: z.array(z.strictObject({ first: z.string() })).optional(),
  on: z.boolean().optional(),
});
const asJson = z.toJSONSchema(schema, { io: 'input' });

const check = (options: Readonly<Record<string, unknown>> | undefined, given: object | undefined = asJson) =>
  checkMountOptions(plugin(given), options, 'spaces[0].options');

describe('checkMountOptions', () => {
  it('takes what the schema takes', () => {
    expect(check({ url: 'https://a.example' })).toEqual([]);
    expect(check({ url: 'https://a.example', level: 'high', most: 9, names: [{ first: 'Ada' }], on: true })).toEqual(
      [],
    );
  });

  it('takes nothing where there are no options', () => {
    expect(checkMountOptions(plugin(undefined), undefined, 'x')).toEqual([]);
    expect(checkMountOptions(plugin(undefined), {}, 'x')).toEqual([
      'x: bae-resourcespace-shop takes no options. Remove them.',
    ]);
  });

  it('names what is missing', () => {
    const line = 'spaces[0].options.url: expected string (address of the shop); got nothing.';
    expect(check(undefined)).toEqual([line]);
    expect(check({})).toEqual([line]);
  });

  const url = 'https://a.example';
  it.each([
    [{ url: 5 }, 'spaces[0].options.url: expected string (address of the shop); got 5.'],
    [{ url: 'nowhere' }, 'spaces[0].options.url: expected string (address of the shop); got "nowhere".'],
    [{ url, level: 'hgih' }, 'spaces[0].options.level: expected "low" or "high"; got "hgih" (did you mean "high"?).'],
    [{ url, level: 7 }, 'spaces[0].options.level: expected "low" or "high"; got 7.'],
    [{ url, on: 'yes' }, 'spaces[0].options.on: expected boolean; got "yes".'],
    [{ url, names: [{ first: 1 }] }, 'spaces[0].options.names.0.first: expected string; got 1.'],
    [
      { url, names: [{ frist: 'x', first: 'y' }] },
      'spaces[0].options.names.0.frist: no such option of bae-resourcespace-shop. Did you mean first?',
    ],
    [{ url, leevl: 'low' }, 'spaces[0].options.leevl: no such option of bae-resourcespace-shop. Did you mean level?'],
    [
      { url, zzzz: 1 },
      'spaces[0].options.zzzz: no such option of bae-resourcespace-shop. There are url, level, most, names, on.',
    ],
  ])('explains %j', (options, line) => {
    expect(check(options)).toEqual([line]);
  });

  it('describes what a number has to be', () => {
    expect(check({ url, most: 10 })).toEqual([
      expect.stringMatching(/^spaces\[0\]\.options\.most: expected .*9.*; got 10\.$/),
    ]);
  });

  it('reports everything at once', () => {
    expect(check({ level: 'x', on: 1 })).toHaveLength(3);
  });

  it('shortens what is long', () => {
    expect(check({ url: ['x'.repeat(200)] })[0]).toMatch(/; got \["x{57}…\.$/);
  });

  it('leaves to the package what it cannot read', () => {
    expect(check({ anything: 1 }, { type: 'nonsense' })).toEqual([]);
  });
});
