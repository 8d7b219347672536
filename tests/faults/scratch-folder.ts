import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Memory is fast and waits for no disk: what many operations are done in. */
const MEMORY = '/dev/shm';

/** A new folder with these files, by path; it is removed when the test is over. */
export function scratchFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const parent = existsSync(MEMORY) ? MEMORY : tmpdir();
  const folder = realpathSync(mkdtempSync(join(parent, 'bae-faults-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}
