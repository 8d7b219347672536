import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BaeError } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

const OPERATIONS = 10_000;
const AT_ONCE = 16;
const OUTSIDE = 'what nobody may see';

/** A workspace in which another process exchanges the folder `door` for a link that leads out, all the time. */
async function swappedWorkspace() {
  const folder = scratchFolder({
    'root/door/a.txt': 'inside',
    'root/door/deep/b.txt': 'inside',
    'outside/a.txt': OUTSIDE,
    'outside/deep/b.txt': OUTSIDE,
    'outside/only-outside.txt': OUTSIDE,
  });
  const root = join(folder, 'root');
  symlinkSync('../outside', join(root, 'link'));
  const swapper = spawn(process.execPath, [join(import.meta.dirname, 'processes/swap-folder.ts'), root]);
  const stop = async (): Promise<void> => {
    if (swapper.signalCode !== null) return;
    expect(swapper.exitCode, 'the folder was exchanged to the end').toBeNull();
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
  };
  onTestFinished(stop);
  await once(swapper.stdout, 'data');
  return { root, outside: join(folder, 'outside'), stop };
}

/** Does something many times, some at once. What bae refuses counts as done; returns how often it was not. */
async function times(count: number, operation: (time: number) => Promise<void>): Promise<number> {
  let next = 0;
  let succeeded = 0;
  const worker = async (): Promise<void> => {
    for (let time = next++; time < count; time = next++) {
      try {
        await operation(time);
        succeeded++;
      } catch (error) {
        if (!BaeError.is(error)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return succeeded;
}

const contentOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}: ${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`)
    .toSorted();

const UNTOUCHED = [`a.txt: ${OUTSIDE}`, `b.txt: ${OUTSIDE}`, `only-outside.txt: ${OUTSIDE}`];

describe.runIf(process.platform === 'linux')('a folder that is exchanged for a link under way', () => {
  it('leads no read out', async () => {
    const workspace = new WorkspaceRoot((await swappedWorkspace()).root);
    let escapes = 0;
    const succeeded = await times(OPERATIONS, async (time) => {
      const { text } = await workspace.readText(time % 2 === 0 ? 'door/a.txt' : 'door/deep/b.txt');
      if (text !== 'inside') escapes++;
    });
    expect(escapes).toBe(0);
    expect(succeeded).toBeGreaterThan(100);
  });

  it('leads no write out', async () => {
    const { root, outside } = await swappedWorkspace();
    const workspace = new WorkspaceRoot(root);
    const paths = ['door/a.txt', 'door/new.txt', 'door/deep/b.txt', 'door/created/new.txt'];
    const succeeded = await times(OPERATIONS, async (time) => {
      await workspace.write(paths[time % paths.length]!, 'written');
    });
    expect(contentOf(outside)).toEqual(UNTOUCHED);
    expect(succeeded).toBeGreaterThan(100);
  });

  it('leads no removal out', async () => {
    const { root, outside } = await swappedWorkspace();
    const workspace = new WorkspaceRoot(root);
    await times(OPERATIONS, async () => {
      await workspace.write('door/a.txt', 'written');
      await workspace.remove('door/a.txt');
    });
    expect(contentOf(outside)).toEqual(UNTOUCHED);
  });

  it('leads no move out, nor anything in', async (context) => {
    const { root, outside, stop } = await swappedWorkspace();
    const workspace = new WorkspaceRoot(root);
    /** Onto, out of, within and through the folder that is exchanged. */
    const moves: readonly ((time: number) => readonly [from: string, to: string])[] = [
      (time) => [`own-${time}.txt`, `door/in-${time}.txt`],
      (time) => [`door/a-${time}.txt`, `out-${time}.txt`],
      (time) => [`door/deep/b-${time}.txt`, `door/c-${time}.txt`],
      (time) => [`door/d-${time}.txt`, `door/deep/e-${time}.txt`],
    ];
    let tried = 0;
    const made = moves.map(() => 0);
    await times(OPERATIONS * 2, async (time) => {
      tried++;
      const kind = time % moves.length;
      const [from, to] = moves[kind]!(time);
      await workspace.write(from, 'inside');
      const pair = [workspace.open(from, { toChange: true }), workspace.open(to, { toChange: true })] as const;
      await (await workspace.planMoves([pair])).apply();
      made[kind]!++;
    });
    await stop();
    await context.annotate(`${tried} moves tried, ${made.join(' + ')} made, none led out`);
    expect(contentOf(outside)).toEqual(UNTOUCHED);
    // Listing the folder follows the link, and then finds what is there under its own names.
    const strange = contentOf(root).filter((line) => line.includes(OUTSIDE) && !UNTOUCHED.includes(line));
    expect(strange).toEqual([]);
    for (const count of made) expect(count).toBeGreaterThan(10);
  });

  it('leads no removal of a link out, and no move of one', async () => {
    const { root, outside, stop } = await swappedWorkspace();
    const workspace = new WorkspaceRoot(root);
    symlinkSync('a.txt', join(outside, 'own'));
    const open = (path: string) => workspace.open(path, { toChange: true, itself: true });
    const moved = await times(OPERATIONS, async (time) => {
      symlinkSync('link', join(root, `l-${time}`));
      await (await workspace.planMoves([[open(`l-${time}`), open(`door/l-${time}`)]])).apply();
      await (await open(`door/l-${time}`).planRemove()).apply();
    });
    await times(OPERATIONS / 10, async () => {
      await (await open('door/own').planRemove()).apply();
    });
    await stop();
    expect(readlinkSync(join(outside, 'own'))).toBe('a.txt');
    expect(readdirSync(outside).filter((name) => name.startsWith('l-'))).toEqual([]);
    expect(contentOf(outside)).toEqual(UNTOUCHED);
    expect(moved).toBeGreaterThan(100);
  });

  it('leads no folder that is made out', async () => {
    const { root, outside } = await swappedWorkspace();
    const workspace = new WorkspaceRoot(root);
    const succeeded = await times(OPERATIONS, async (time) => {
      await (await workspace.planFolder(`door/made-${time}/deep`)).apply();
    });
    expect(readdirSync(outside, { recursive: true }).filter((name) => String(name).includes('made'))).toEqual([]);
    expect(succeeded).toBeGreaterThan(100);
  });

  it('leads no search out', async () => {
    const { root } = await swappedWorkspace();
    const workspace = new WorkspaceRoot(root);
    const found = new Set<string>();
    const listed = await times(1000, async (time) => {
      for (const path of await workspace.glob({ pattern: time % 2 === 0 ? '**' : 'door/**' })) found.add(path);
    });
    expect([...found].filter((path) => path.includes('only-outside'))).toEqual([]);
    const shown = new Set<string>();
    const searched = await times(200, async (time) => {
      const { rows } = await workspace.grep({ pattern: 'nobody|inside', path: time % 2 === 0 ? '.' : 'door' });
      for (const { text } of rows) shown.add(text);
    });
    expect([...shown]).not.toContain(OUTSIDE);
    expect([listed, searched].every((count) => count > 10)).toBe(true);
  });

  it('leads out whoever looks first and opens then', async (context) => {
    const { root, outside } = await swappedWorkspace();
    const isInside = async (path: string): Promise<boolean> => (await realpath(path)).startsWith(`${root}/`);
    const escaped = { reads: 0, writes: 0 };
    let rounds = 0;
    const round = async (time: number): Promise<void> => {
      const path = join(root, 'door/a.txt');
      const fresh = join(root, `door/new-${rounds}-${time}.txt`);
      try {
        if ((await isInside(path)) && (await readFile(path, 'utf8')) === OUTSIDE) escaped.reads++;
        if (await isInside(dirname(fresh))) await writeFile(fresh, 'written');
      } catch {
        // The folder has no name for a moment.
      }
    };
    // How often depends on how the system shares its time; that it happens does not.
    while ((escaped.reads === 0 || escaped.writes === 0) && rounds++ < 10) {
      await times(OPERATIONS, round);
      escaped.writes = readdirSync(outside).length - 3;
    }
    await context.annotate(
      `${escaped.reads} reads and ${escaped.writes} writes of ${rounds * OPERATIONS} each led out`,
    );
    expect(escaped.reads).toBeGreaterThan(0);
    expect(escaped.writes).toBeGreaterThan(0);
  });
});
