import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withReportFile } from './report-file.ts';

describe('withReportFile', () => {
  it('returns what was written, and leaves nothing behind', async () => {
    let folder = '';
    const answer = await withReportFile(async (path) => {
      folder = dirname(path);
      writeFileSync(path, 'report');
      return 7;
    });
    expect(answer).toEqual({ result: 7, report: 'report' });
    expect(existsSync(folder)).toBe(false);
  });

  it('knows that nothing was written', async () => {
    expect(await withReportFile(async () => 7)).toEqual({ result: 7, report: undefined });
  });

  it('leaves nothing behind when it fails', async () => {
    let folder = '';
    const failed = withReportFile(async (path) => {
      folder = dirname(path);
      writeFileSync(path, 'half');
      throw new Error('enough');
    });
    await expect(failed).rejects.toThrow('enough');
    expect(existsSync(folder)).toBe(false);
  });
});
