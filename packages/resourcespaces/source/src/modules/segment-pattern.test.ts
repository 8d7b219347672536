import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesSegments } from './find-packages.ts';

const matches = (pattern: string, name: string) => matchesSegments(pattern.split('.'), name.split('.'));

describe('a pattern of names', () => {
  it.each([
    ['core.*', 'core.agent', true],
    ['core.*', 'core', false],
    ['core.*', 'core.agent.turn', false],
    ['core.**', 'core.agent.turn', true],
    ['core.**', 'core', true],
    ['**', 'core.agent', true],
    ['**.turn', 'core.agent.turn', true],
    ['**.turn', 'turn', true],
    ['core.**.turn', 'core.turn', true],
    ['core.a*t', 'core.agent', true],
    ['core.a?ent', 'core.agent', true],
    ['core.a?ent', 'core.aent', false],
    ['*.*', 'a', false],
    ['core.[id]', 'core.[id]', true],
  ])('%s and %s: %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  it('matches as a regular expression of the same meaning does', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 });
    const part = fc.oneof(
      fc.constant('**'),
      fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 4 }),
    );
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 1, maxLength: 5 }),
        (pattern, names) => {
          const source = pattern
            .map((one) =>
              one === '**' ? '(?:[ab]+[.])*' : `${one.replaceAll('*', '[ab]*').replaceAll('?', '[ab]')}[.]`,
            )
            .join('');
          expect(matchesSegments(pattern, names)).toBe(new RegExp(`^${source}$`).test(`${names.join('.')}.`));
        },
      ),
    );
  });

  it('takes no longer for patterns that are hard for others', () => {
    expect(matchesSegments([`${'*a'.repeat(500)}b`], ['a'.repeat(5000)])).toBe(false);
  });
});
