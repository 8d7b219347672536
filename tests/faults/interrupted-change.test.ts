import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaeError } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { CHANGES, fileOf, makeChange, prepare, type Change } from './change-of-file.ts';
import { watchDisk } from './disk-calls.ts';
import { InterruptedChange } from './interrupted-change.ts';
import { openFiles } from './open-files.ts';
import { scratchFolder } from './scratch-folder.ts';

function folderFor(change: Change): string {
  const { path, old } = fileOf(change);
  return scratchFolder(old === null ? {} : { [path]: old });
}

/** The calls that a change makes to the disk. */
async function callsOf(change: Change): Promise<readonly string[]> {
  const files = openFiles(folderFor(change));
  await prepare(files, change);
  const calls: string[] = [];
  const restore = await watchDisk({ before: (name) => calls.push(name) });
  await makeChange(files, change).finally(restore);
  return calls;
}

describe.each(CHANGES)('a change that is interrupted: %s', (change) => {
  it('makes calls that can be interrupted', async () => {
    expect(await callsOf(change)).toEqual(expect.arrayContaining(['open', 'writeFile', 'sync']));
  });

  it('leaves old or new content when the process dies at any call', async () => {
    const calls = await callsOf(change);
    const faults: string[] = [];
    const survivors: string[] = [];
    for (const moment of ['before', 'after']) {
      for (const [index, name] of calls.entries()) {
        const interrupted = new InterruptedChange(folderFor(change), change, [moment, `${index + 1}`]);
        await interrupted.ready();
        const told = await interrupted.go();
        if (told) survivors.push(`${moment} ${name}`);
        faults.push(...(await interrupted.faults(told)).map((fault) => `${moment} ${name}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
    // Killed while it was about to say so, at the latest.
    expect(survivors.length).toBeLessThanOrEqual(1);
  });

  it('leaves old or new content, and nothing else, when any call fails', async () => {
    const { path, old, now } = fileOf(change);
    const calls = await callsOf(change);
    for (const [index, name] of calls.entries()) {
      const folder = folderFor(change);
      const files = openFiles(folder);
      await prepare(files, change);
      let count = 0;
      const fail = (): void => {
        if (count++ === index) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      };
      const restore = await watchDisk({ before: fail });
      const error: unknown = await makeChange(files, change)
        .then(() => undefined)
        .catch((reason: unknown) => reason)
        .finally(restore);
      const content = existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null;
      if (error === undefined) expect([name, content]).toEqual([name, now]);
      else {
        expect([name, BaeError.is(error), (error as Error).message]).toEqual([
          name,
          true,
          `${path}: the disk reports an error.`,
        ]);
        expect([old, now]).toContain(content);
      }
      const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tmp'));
      expect([name, left]).toEqual([name, []]);
    }
  });
});
