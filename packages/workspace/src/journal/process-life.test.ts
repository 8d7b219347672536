import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isLiving, thisProcess } from './disk-store.ts';

describe('the process that writes a journal', () => {
  it('lives while it does', () => {
    expect(isLiving(thisProcess(), 0)).toBe(true);
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isLiving({ ...thisProcess(), pid }, Date.now())).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is not another one that was given its number', () => {
    expect(isLiving({ ...thisProcess(), birth: '1' }, Date.now())).toBe(false);
  });

  it('may live on another machine for a while', () => {
    const elsewhere = { ...thisProcess(), host: 'elsewhere.invalid', pid: 1 };
    expect(isLiving(elsewhere, Date.now() - 1000)).toBe(true);
    expect(isLiving(elsewhere, Date.now() - 3_600_000)).toBe(false);
  });
});
