import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { SpaceTree } from '../protocol/space-path.ts';
import { buildRunScope } from './run-executor.ts';

const PARAMS = { target: z.string(), force: z.boolean().default(false), content: z.string() };
const write = tool('How much was written.', PARAMS, () => '', { body: 'content' });
const NOTES = defineResourcespace({ name: 'notes', description: 'Notes.', tools: { write } });
const HOME = defineResourcespace({ name: 'files', description: 'Files.', tools: { write } });
const TREE: SpaceTree = {
  home: HOME,
  at: ([name]) => (name === undefined ? HOME : NOTES),
  below: (path) => (path.length === 0 ? [NOTES] : []),
};

describe('what code can call', () => {
  it('is the tools of the place, and every place with its tools, home among them', () => {
    const { tools, spaces } = buildRunScope(TREE, []);
    expect(tools.map(({ name }) => name)).toEqual(['write']);
    expect(spaces).toMatchObject([
      { name: 'home', tools: [{ name: 'write' }] },
      { name: 'notes', tools: [{ name: 'write' }] },
    ]);
  });

  it('takes first what has to be given, in the order that declarations show', () => {
    const [spec] = buildRunScope(TREE, []).tools;
    expect(spec?.params.map(({ name }) => name)).toEqual(['target', 'content', 'force']);
  });
});
