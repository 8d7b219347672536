import { readdirSync } from 'node:fs';
import { Sandbox } from '@bae/sandbox';
import { describe, expect, it } from 'vitest';
import { runBlock } from './code-stage.ts';
import { inNaiveSandbox } from './naive-sandbox.ts';
import { BOMBS } from './sandbox-bombs.ts';
import { StallWatch } from './stall-watch.ts';

const DEADLINE = 300;
/** Milliseconds after the deadline until which everything has to be over. */
const GRACE = 250;
/** Milliseconds that the host may be unable to do anything else. */
const STALL = 50;
/** Megabytes that the process may have kept afterwards: what the platform holds in reserve. */
const KEPT = 64;

describe('a bomb in the sandbox', () => {
  it.each(BOMBS)('is over in time, and its host never stalls: $name', async ({ code }) => {
    await using sandbox = new Sandbox({ timeoutMs: DEADLINE });
    await sandbox.warm();
    const watch = await StallWatch.start();
    const began = performance.now();
    await runBlock(sandbox, code);
    const ms = performance.now() - began;
    expect(await watch.end()).toBeLessThanOrEqual(STALL);
    expect(ms).toBeLessThanOrEqual(DEADLINE + GRACE);
    expect((await runBlock(sandbox, '"the next block"')).output).toBe('the next block');
  });

  it('gives its memory and its thread back', async () => {
    const bombs = async (): Promise<void> => {
      await using sandbox = new Sandbox({ timeoutMs: DEADLINE });
      for (const name of [
        'an array that grows',
        'typed arrays',
        'texts that are kept',
        'a search in what has no end',
      ]) {
        await runBlock(sandbox, BOMBS.find((bomb) => bomb.name === name)!.code, name);
      }
    };
    await bombs();
    const [threads, memory] = [threadCount(), residentMb()];
    for (let round = 0; round < 4; round++) await bombs();
    expect(threadCount()).toBe(threads);
    expect(residentMb() - memory).toBeLessThan(KEPT);
  });

  it('takes no more memory than its session may have, while it lasts', async () => {
    await using sandbox = new Sandbox({ timeoutMs: 1000, memoryMb: 64 });
    await runBlock(sandbox, '1');
    await sandbox.warm();
    const before = residentMb();
    let most = before;
    const timer = setInterval(() => (most = Math.max(most, residentMb())), 5);
    for (const bomb of ['memory that is caught and taken again', 'typed arrays', 'a map without end'])
      await runBlock(sandbox, BOMBS.find(({ name }) => name === bomb)!.code);
    clearInterval(timer);
    // A thread that ends and the one after it may be there at the same time.
    expect(most - before).toBeLessThan(2 * 64 + KEPT);
  });
});

describe('a bomb without a sandbox', () => {
  it('is never over, unless its process is killed', async () => {
    const bombs = BOMBS.filter(({ takesTime }) => takesTime);
    const over: string[] = [];
    for (const { name, code } of bombs) {
      const output = await inNaiveSandbox(`{ ${code} }`, DEADLINE + GRACE + 500);
      if (output !== undefined) over.push(`${name}: ${output}`);
    }
    expect(bombs.length).toBeGreaterThanOrEqual(20);
    expect(over).toEqual([]);
  });
});

function residentMb(): number {
  return process.memoryUsage().rss / 2 ** 20;
}

function threadCount(): number {
  return readdirSync('/proc/self/task').length;
}
