import { describe, expect, it } from 'vitest';
import { compareManifests } from './describe-spaces.ts';
import type { SpaceManifest, ToolManifest } from './plugin-manifest.ts';

const read: ToolManifest = { name: 'read', description: 'One.', effect: 'read', params: [{ name: 'id', type: 'int' }] };
const space = (
  name: string,
  tools: readonly ToolManifest[] = [read],
  children: readonly SpaceManifest[] = [],
): SpaceManifest => ({
  name,
  description: `The ${name}.`,
  tools,
  children,
});

describe('compareManifests', () => {
  it('finds no difference when both are the same', () => {
    expect(compareManifests([space('a'), space('b')], [space('b'), space('a')])).toEqual([]);
  });

  it.each([
    [
      [space('a')],
      [space('b')],
      ['space a is in the manifest, not in the code', 'space b is in the code, not in the manifest'],
    ],
    [[space('a')], [{ ...space('a'), description: 'Other.' }], ['the description of a differs in the code']],
    [[space('a', [])], [space('a')], ['tool read of a is in the code, not in the manifest']],
    [[space('a')], [space('a', [])], ['tool read of a is in the manifest, not in the code']],
    [
      [space('a')],
      [space('a', [{ ...read, effect: 'external' }])],
      ['tool read of a has the effect read in the manifest, external in the code'],
    ],
    [
      [space('a')],
      [space('a', [{ ...read, description: 'Two.' }])],
      ['tool read of a has other description in the code'],
    ],
    [[space('a')], [space('a', [{ ...read, params: [] }])], ['tool read of a has other params in the code']],
    [[space('a')], [space('a', [{ ...read, preview: true }])], ['tool read of a has other preview in the code']],
    [[space('a')], [space('a', [{ ...read, plan: true }])], ['tool read of a has other plan in the code']],
    [
      [space('a', [], [space('b', [])])],
      [space('a', [], [space('b')])],
      ['tool read of a.b is in the code, not in the manifest'],
    ],
  ])('finds difference %#', (said, found, differences) => {
    expect(compareManifests(said, found)).toEqual(differences);
  });

  it('ignores spaces below others that come and go', () => {
    expect(compareManifests([space('a', [], [space('b')])], [space('a', [], [space('c')])])).toEqual([]);
  });
});
