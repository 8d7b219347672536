import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Memory waits for no disk. */
const MEMORY = '/dev/shm';

/** A new folder that is removed when the test is over. */
export function temporaryFolder(): string {
  const parent = existsSync(MEMORY) ? MEMORY : tmpdir();
  const folder = realpathSync(mkdtempSync(join(parent, 'bae-store-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
