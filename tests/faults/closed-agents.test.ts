// @module-tag long

import { readdirSync } from 'node:fs';
import { allowAll, asModelText, createAgent } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { Sandbox } from '@bae/sandbox';
import { provideWorkspace } from '@bae/workspace';
import { expect, it } from 'vitest';
import { childProcesses } from './left-behind.ts';
import { scratchFolder } from './scratch-folder.ts';

const COUNT = 40;
/** Megabytes that the process may need in addition for as many agents again: a tenth of what they take. */
const GROWTH = 128;

const count = (what: 'task' | 'fd'): number => readdirSync(`/proc/self/${what}`).length;
const residentMb = (): number => process.memoryUsage().rss / 2 ** 20;

it.runIf(process.platform === 'linux')(
  'agents that are closed leave no thread, descriptor or program of theirs, with a sandbox each',
  async () => {
    const provide = [provideWorkspace(scratchFolder({ 'a.txt': 'one\n' }))];
    // The application does not dispose of the sandboxes: the session that is closed was their only one.
    const openAgent = async () => {
      const codeRunner = new Sandbox();
      const agent = createAgent({ home: FilesystemSpace, provide, approver: allowAll, codeRunner });
      const { runs } = await agent.run(asModelText('<run>\nprint(await read("a.txt"), await grep("one"));\n</run>'));
      expect(runs[0]?.ok).toBe(true);
      return agent;
    };
    // What is loaded once stays.
    for (let time = 0; time < 2; time++) await (await openAgent()).close();
    const [threads, descriptors] = [count('task'), count('fd')];
    const memory: number[] = [];
    for (let round = 0; round < 3; round++) {
      const agents = [];
      for (let time = 0; time < COUNT; time++) agents.push(await openAgent());
      expect(count('task')).toBeGreaterThanOrEqual(threads + COUNT);
      for (const agent of agents) await agent.close();
      expect([count('task'), count('fd'), childProcesses()]).toEqual([threads, descriptors, []]);
      memory.push(residentMb());
    }
    // The platform holds the memory of ended threads in reserve, and uses it for the next ones, sooner or later.
    expect(Math.min(memory[1]! - memory[0]!, memory[2]! - memory[1]!)).toBeLessThan(GROWTH);
  },
);
