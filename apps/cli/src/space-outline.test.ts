import { createAgent, defineResourcespace, type SpaceDefinition } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { sampleHome, sampleSpaces } from '../test/sample-spaces.ts';
import { collectNames, listSpaces, outlineSpaces } from './space-outline.ts';

const { tree } = createAgent({ home: sampleHome, spaces: sampleSpaces });

describe('spaceOutline', () => {
  it('has every space with its tools, the common verbs first', () => {
    const outline = outlineSpaces(tree);
    expect(listSpaces(outline).map(({ path, tools }) => `${path}: ${tools.join(' ')}`)).toEqual([
      'home: read write edit grep',
      'source: read grep',
      'source.deps: read',
      'source.meta: read',
      'tasks: read done',
    ]);
    expect(outline.children[1]).toEqual({
      name: 'tasks',
      path: 'tasks',
      description: 'The tasks.',
      tools: ['read', 'done'],
      children: [],
    });
  });

  it('ends for a space that lists itself below itself', () => {
    const loop: SpaceDefinition = defineResourcespace({
      name: 'loop',
      description: 'Again.',
      tools: {},
      children: () => ({ loop }),
    });
    const paths = listSpaces(outlineSpaces(createAgent({ spaces: [loop] }).tree)).map(({ path }) => path);
    expect(paths.at(-1)).toBe(Array.from({ length: 10 }, () => 'loop').join('.'));
  });
});

describe('knownNames', () => {
  it('has home and the root spaces, and the tools that are no common verbs', () => {
    expect(collectNames(tree)).toEqual({
      spaces: new Set(['home', 'source', 'tasks']),
      tools: new Set(['help', 'done']),
    });
  });
});
