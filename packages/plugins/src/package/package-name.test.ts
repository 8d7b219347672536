import { describe, expect, it } from 'vitest';
import { isPluginName, packageName, shortName } from './package-name.ts';

describe('packageName', () => {
  it.each([
    ['tickets', 'bae-resourcespace-tickets'],
    ['@acme/tickets', '@acme/bae-resourcespace-tickets'],
    ['bae-resourcespace-tickets', 'bae-resourcespace-tickets'],
    ['@acme/bae-resourcespace-tickets', '@acme/bae-resourcespace-tickets'],
  ])('reads %s as %s', (written, name) => {
    expect(packageName(written)).toBe(name);
    expect(packageName(shortName(name))).toBe(name);
  });

  it.each([
    '',
    '.',
    '../tickets',
    './tickets',
    'a b',
    '@acme',
    '@acme/',
    'a/b',
    '@a/b/c',
    'Tickets',
    'node_modules/../x',
  ])('takes %j for no name', (written) => {
    expect(packageName(written)).toBeUndefined();
  });
});

describe('isPluginName', () => {
  it('knows the names that packages of resourcespaces have', () => {
    expect(['bae-resourcespace-a', '@b/bae-resourcespace-a'].every(isPluginName)).toBe(true);
    expect(
      ['bae-resourcespace-', 'bae-resourcespace', 'my-bae-resourcespace-a', '@b/a', 'lodash'].some(isPluginName),
    ).toBe(false);
  });
});
