import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const MOST_FILES = 44;

describe('a read of one file', () => {
  // In a process of its own, which executes what was built and not what the test runner makes of it.
  it(`executes at most ${MOST_FILES} files of source`, async () => {
    const script = join(import.meta.dirname, 'files-of-one-read.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script, ROOT]);
    const { feedback, files } = JSON.parse(stdout) as { readonly feedback: string; readonly files: readonly string[] };
    expect(feedback).toContain('bae-monorepo');
    expect(files).toContain(join(ROOT, 'packages/core/src/tool-router/tool-router.ts'));
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(MOST_FILES);
  });
});
