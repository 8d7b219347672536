import { defineResourcespace, openSpaces, tool } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findTools } from './find-tools.ts';

const { tree } = openSpaces({
  spaces: [
    defineResourcespace({
      name: 'github',
      description: 'Repositories.',
      tools: {
        create_issue: tool('The new issue.', { title: z.string() }, () => ''),
        listIssues: tool('Issues of a repository.', { state: z.string() }, () => ''),
      },
    }),
    defineResourcespace({
      name: 'tracker',
      description: 'Work.',
      tools: { add: tool('The new ticket.\nCreates an issue.', { title: z.string() }, () => '') },
    }),
  ],
});

describe('findTools', () => {
  it('ranks by rare words in names before descriptions and parameters', () => {
    expect(findTools(tree, 'create an issue').split('\n')[0]).toBe('github  create_issue -- The new issue.');
    expect(findTools(tree, 'listing issues')).toMatch(/^github {2}listIssues -- /);
    expect(findTools(tree, 'tracker')).toMatch(/^tracker {2}add -- The new ticket\.$/);
    expect(findTools(tree, 'title')).toContain('create_issue');
  });

  it('finds nothing where no word fits', () => {
    expect(findTools(tree, 'weather')).toBe('');
    expect(findTools(tree, '…')).toBe('');
  });
});
