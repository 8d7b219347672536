import crypto from 'node:crypto';
import fs, { symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { approvalPolicy } from '@bae/core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openHome } from '../test/open-home.ts';

const OLD = 'the old content\n';
/** Opens a thing without any effect on it: how a walk pins each name on the way. */
const O_PATH = 0o10000000;
/** The expression that decides whether the rules are compared with a path. */
const FIRST_LOOK = 'kdbx';

/** Counts what is done with one file, by watching the platform; everything is really done. */
function countWork(path: string) {
  const pin = vi.spyOn(fs, 'openSync');
  const test = vi.spyOn(RegExp.prototype, 'test');
  const update = vi.spyOn(crypto.Hash.prototype, 'update');
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const name = `/${path.split('/').at(-1)}`;
  return () => {
    const counts = {
      resolutions: pin.mock.calls.filter(([at, flags]) => String(at).endsWith(name) && (Number(flags) & O_PATH) !== 0)
        .length,
      rules: test.mock.calls.filter(
        ([text], call) => text === path && (test.mock.contexts[call] as RegExp).source.includes(FIRST_LOOK),
      ).length,
      hashes: update.mock.calls.filter(([data]) => Buffer.from(data).toString() === OLD).length,
    };
    for (const spy of [pin, test, update]) spy.mockClear();
    return counts;
  };
}

const ONCE = { resolutions: 1, rules: 1, hashes: 1 };

it.skipIf(process.platform !== 'linux').each([
  ['a write', '<W:notes/a.txt>new</W>'],
  ['an edit', '<E:notes/a.txt old="old" new="new">'],
])(
  '%s resolves its path, compares the rules and hashes the old content once to plan and once to apply',
  async (_, tag) => {
    let planning;
    const ask = async () => {
      planning = takeCounts();
      return { decision: 'allow' } as const;
    };
    const home = openHome({ 'notes/a.txt': OLD }, approvalPolicy({ ask }));
    const takeCounts = countWork('notes/a.txt');
    const [result] = await home.send(tag);
    const applying = takeCounts();
    expect(result).toMatch(/^(?:Wrote|Replaced)/);
    expect({ planning, applying }).toEqual({ planning: ONCE, applying: ONCE });
  },
);

it.skipIf(process.platform !== 'linux')('a read of some lines walks to the folder once', async () => {
  const home = openHome({ 'notes/a.txt': 'one\ntwo\n' });
  // The first walk of all also finds out how the disk treats names.
  await home.send('<R:notes>');
  const takeCounts = countWork('a/notes');
  expect(await home.send('<R:notes/a.txt:1-2>')).toEqual(['1|one\n2|two']);
  expect(takeCounts().resolutions).toBe(1);
});

it('a file with a name that ends like a range is read, wherever it is', async () => {
  const home = openHome({ 'notes/a.txt': 'all\n', 'notes/a.txt:1-2': 'the other\n', 'b.txt': '', 'b.txt:1-2': 'b\n' });
  symlinkSync('notes/a.txt', join(home.folder, 'c.txt'));
  writeFileSync(join(home.folder, 'c.txt:1-2'), 'beside a link\n');
  expect(await home.send('<R:notes/a.txt:1-2>')).toEqual(['the other\n']);
  expect(await home.send('<R:./b.txt:1-2>')).toEqual(['b\n']);
  expect(await home.send('<R:c.txt:1-2>')).toEqual(['beside a link\n']);
});
