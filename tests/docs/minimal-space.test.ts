import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpaceDefinition } from '@bae/core';
import { importPlugin } from '@bae/plugins';
import { checkResourcespace } from '@bae/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { fencesOf, readPages } from './markdown.ts';

/** Most lines that a space may need, with everything that belongs to it. */
const MOST_LINES = 15;

const guide = readPages(join(import.meta.dirname, '../..')).find(({ path }) =>
  path.endsWith('write-a-resourcespace.md'),
);
const code = fencesOf(guide!).find((fence) => fence.code.startsWith('// units-space.ts'))!.code;

let space: SpaceDefinition;
beforeAll(async () => {
  const folder = join(import.meta.dirname, '.generated/minimal');
  mkdirSync(folder, { recursive: true });
  const entry = join(folder, 'units-space.mjs');
  writeFileSync(entry, code);
  [space] = (await importPlugin({ name: 'units', entry })).spaces(undefined, []) as [SpaceDefinition];
});

describe('the smallest space of the guide', () => {
  it(`has at most ${MOST_LINES} lines`, () => {
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
  });

  it('says each of its names once', () => {
    const tools = Object.values(space.tools);
    expect(tools.length).toBeGreaterThan(0);
    const [, ...lines] = code.split('\n');
    for (const name of [space.name, ...tools.map((tool) => tool.name)])
      expect(lines.join('\n').match(new RegExp(`\\b${name}\\b`, 'gi'))).toEqual([name]);
    // A parameter is declared once; where it is used it has to be named.
    for (const { name } of tools.flatMap(({ spec }) => spec.params))
      expect(lines.join('\n').match(new RegExp(`\\b${name}:`, 'g'))).toEqual([`${name}:`]);
  });

  it('keeps the whole contract', async () => {
    const { checks, score } = await checkResourcespace({ create: () => space });
    expect(checks.filter(({ status }) => status !== 'passed' && status !== 'not-applicable')).toEqual([]);
    expect(score.passed).toBe(score.of);
  });
});
