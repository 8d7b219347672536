import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { guardedWorld } from './guarded-world.ts';
import { hostilePaths } from './hostile-paths.ts';
import { attack, type PathUse } from './path-attack.ts';
import { uncontainedRoot } from './uncontained-root.ts';
import { guardAgainstHanging } from './watchdog.ts';

const READING: readonly PathUse[] = ['read', 'view', 'glob', 'glob below', 'grep'];
const WRITING: readonly PathUse[] = ['replace', 'replace lines', 'write'];

describe('thousands of hostile paths', () => {
  it.each([...READING, ...WRITING])('lead nowhere but into the workspace: %s', async (use) => {
    guardAgainstHanging();
    const world = await guardedWorld();
    const paths = hostilePaths(world);
    expect(paths.length).toBeGreaterThanOrEqual(4000);
    const report = await attack(world, paths, { use, root: new WorkspaceRoot(world.workspace) });
    expect(report.violations).toEqual([]);
    expect(report.used + report.unused).toBe(paths.length);
    expect(report.used).toBeGreaterThanOrEqual(4000);
  });

  it.each([...READING, ...WRITING])('are noticed where they lead out: %s', async (use) => {
    const world = await guardedWorld();
    const paths = ['../private.txt', 'to-secret', '../sibling', '../sibling/*'];
    const { violations } = await attack(world, paths, { use, root: uncontainedRoot(world.workspace) });
    expect(violations).not.toEqual([]);
  });
});
