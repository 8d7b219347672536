import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isAlive, identifyProcess } from './disk-store.ts';

describe('the process that writes a journal', () => {
  it('lives while it does', () => {
    expect(isAlive(identifyProcess(), 0)).toBe(true);
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isAlive({ ...identifyProcess(), pid }, Date.now())).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is not another one that was given its number', () => {
    expect(isAlive({ ...identifyProcess(), birth: '1' }, Date.now())).toBe(false);
  });

  it('may live on another machine for a while', () => {
    const elsewhere = { ...identifyProcess(), host: 'elsewhere.invalid', pid: 1 };
    expect(isAlive(elsewhere, Date.now() - 1000)).toBe(true);
    expect(isAlive(elsewhere, Date.now() - 3_600_000)).toBe(false);
  });
});
